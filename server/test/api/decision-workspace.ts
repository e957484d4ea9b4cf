/** A workspace for tests of decisions: open vulnerabilities on demand, and decisions of a member on them. */
import assert from 'node:assert/strict';
import { clientOf, type Json, type Schemas, succeeded, walk } from '../support/client.ts';
import { importAll } from '../support/import.ts';
import { createTestServer } from '../support/server.ts';
import { type PackageRow, trivyReport } from '../support/tool-reports.ts';
import { createTestWorkspace, reportInput } from '../support/workspace.ts';

const list = '/api/v1/acme/vulnerabilities';
export const decisions = '/manage/v1/acme/vulnerabilities/decisions';
export const reason = 'Looked at it.';

export type Decided = Schemas['DecidedVulnerabilities']['items'][number];

export interface Detail extends Decided {
  title: string;
  history: { event: string; actor: Json | null; reason: string | null; data: Json; scan_id: string | null }[];
}

export async function createDecisionWorkspace() {
  const server = await createTestServer();
  const { tenant, people } = await createTestWorkspace(server, 'acme');
  const client = clientOf(server.app, people.member.key);
  let repositories = 0;

  /** Creates a repository with this many open vulnerabilities. Returns their ids. */
  async function createOpenVulnerabilities(
    count: number,
  ): Promise<{ repo: string; ids: string[]; rows: PackageRow[] }> {
    repositories++;
    const repo = `acme/repo-${repositories}`;
    const rows = Array.from({ length: count }, (_, i) => ({
      id: `CVE-2030-${1000 + i}`,
      package: `lib${i}`,
      severity: 'HIGH' as const,
    }));
    await importAll(server, 'acme', [reportInput(trivyReport({ packages: rows }), { repository: repo })]);
    const items = await walk<{ id: string }>(client, list, { repo, per_page: 200 });
    return { repo, ids: items.map((item) => item.id), rows };
  }

  async function decide(body: Json, key = people.member.key): Promise<Decided[]> {
    const answer = await clientOf(server.app, key).post<{ items: Decided[] }>(decisions, body);
    assert.equal(answer.status, 200, `${JSON.stringify(body)}: ${answer.text}`);
    return answer.body.items;
  }

  async function decideOne(id: string, body: Json): Promise<Decided> {
    const [item] = await decide({ reason, ...body, vulnerabilities: [{ id }] });
    assert.equal(item?.id, id);
    return item;
  }

  async function detailOf(id: string): Promise<Detail> {
    return succeeded(await client.get<Detail>(`${list}/${id}`));
  }

  async function totals(query: string): Promise<number> {
    const { body } = await client.get<{ summary: { total: number } }>(`${list}?${query}`);
    return body.summary.total;
  }

  return { server, tenant, people, client, createOpenVulnerabilities, decide, decideOne, detailOf, totals };
}
