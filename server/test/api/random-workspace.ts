/**
 * A random workspace with a fixed seed, and a model of it: the findings of each scan of each reference, and people's
 * decisions. The model shares no code with the server: it keeps sets and applies the rules of status.
 */

import { applyInventory } from '../../src/actions/inventory-file/apply.ts';
import { tenantTx } from '../../src/db/database.ts';
import { clientOf, type Json, walk } from '../support/client.ts';
import { importAll } from '../support/import.ts';
import { type Random, randomOf } from '../support/random.ts';
import type { TestServer } from '../support/server.ts';
import { codeReport, secretReport, trivyReport } from '../support/tool-reports.ts';
import { createTestWorkspace, reportInput, type TestWorkspace } from '../support/workspace.ts';

export interface Known {
  repo: string;
  tool: 'trivy' | 'semgrep' | 'gitleaks';
  /** Unique in its repository. */
  title: string;
  severity: string;
  type: string;
  source: string;
  /** Full reference → true if it is live there. */
  references: Map<string, boolean>;
  shas: Set<string>;
  decision: { status: string; resolution: string } | null;
  confirmed: boolean;
  triaged: boolean;
  assignee: string | null;
  /** In whole seconds, as the API shows it. */
  introducedAt: string;
  /** The fields that a report gives. */
  row: Json;
}

export interface Reference {
  repo: string;
  /** The parameter as people write it. */
  name: string;
  full: string;
}

export interface RandomWorkspace extends TestWorkspace {
  slug: string;
  /** The vulnerabilities that a scan has seen. */
  known: Known[];
  references: Reference[];
  shas: string[];
  repos: string[];
  applications: { id: string; name: string; repos: string[] }[];
  /** Some of the times at which vulnerabilities were introduced, and seconds after them. */
  times: string[];
}

export const words = ['Parser', 'overflow', 'cookie-jar', 'TLS', 'über', 'spring-beans', 'inject', 'path'];
const severities = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'UNKNOWN'];
const levels = { error: 'high', warning: 'medium', note: 'low' } as const;
const defaultBranch = 'refs/heads/main';

export function statusOf(known: Known): string {
  if (known.decision) return known.decision.status;
  const onDefault = known.references.get(defaultBranch);
  const live = onDefault ?? [...known.references.values()].some((there) => there);
  return live ? 'open' : 'fixed';
}

/**
 * The status in the scope of all active references. A vulnerability that is fixed on the default branch may be live on
 * another reference.
 */
export function statusAnywhere(known: Known): string {
  return known.decision?.status ?? ([...known.references.values()].some((there) => there) ? 'open' : 'fixed');
}

export function statusOn(known: Known, fullRef: string): string {
  return known.decision?.status ?? (known.references.get(fullRef) ? 'open' : 'fixed');
}

export async function createRandomWorkspace(
  server: TestServer,
  slug: string,
  seed: number,
): Promise<RandomWorkspace> {
  const random = randomOf(seed);
  const workspace = await createTestWorkspace(server, slug);
  const repos = ['acme/shop', 'acme/api', 'umbrella/team/tools'];
  const catalogue = repos.flatMap((repo) => catalogueOf(repo, random));
  const references = repos.flatMap((repo, index) => [
    { repo, name: 'main', full: defaultBranch },
    { repo, name: 'feature/a', full: 'refs/heads/feature/a' },
    ...(index === 0 ? [{ repo, name: 'refs/pull/7/head', full: 'refs/pull/7/head' }] : []),
    ...(index === 1 ? [{ repo, name: 'refs/tags/v1', full: 'refs/tags/v1' }] : []),
  ]);
  const shas: string[] = [];
  const inputs = [];
  let minutes = 0;
  for (let round = 0; round < 2; round++) {
    for (const reference of references) {
      const sha = Array.from({ length: 40 }, () => '0123456789abcdef'[random(16)]).join('');
      shas.push(sha);
      for (const tool of ['trivy', 'semgrep', 'gitleaks'] as const) {
        const own = catalogue.filter((known) => known.repo === reference.repo && known.tool === tool);
        if (tool === 'gitleaks' && reference.full !== defaultBranch) continue;
        const seen = own.filter(() => random(10) < 7);
        observe(own, seen, reference.full, sha);
        inputs.push({
          ...reportInput(reportOf(tool, seen), { ref: reference.name, sha, repository: reference.repo }),
          scannedAt: new Date(Date.now() - 3 * 24 * 3600_000 + ++minutes * 60_000),
          // The mass-closure check would hold closings that the model expects.
          force: true,
          source: seen[0]?.source === 'git_history' ? ('git_history' as const) : ('current' as const),
        });
      }
    }
  }
  await importAll(server, slug, inputs);
  await tenantTx(server.db, workspace.tenant.id, (tx) =>
    applyInventory(tx, {
      applications: Object.entries(applicationRepos).map(([name, repositories]) => ({ name, repositories })),
    }),
  );
  const known = catalogue.filter((each) => each.references.size > 0);
  const filled = { ...workspace, slug, known, references, shas, repos, applications: [], times: [] };
  await decideAtRandom(server, filled, random);
  return { ...filled, ...(await readBeside(server, filled)) };
}

/** Reads values that the model does not compute: times, and the ids of applications. */
async function readBeside(
  server: TestServer,
  { people, slug, known }: RandomWorkspace,
): Promise<Pick<RandomWorkspace, 'applications' | 'times'>> {
  const client = clientOf(server.app, people.admin.key);
  const base = `/api/v1/${slug}`;
  const items = await walk<Json & { id: string; repository: { full_name: string } }>(
    client,
    `${base}/vulnerabilities`,
  );
  const byId = new Map<unknown, Known>();
  for (const item of items) {
    const own = known.find((one) => one.title === item.title && one.repo === item.repository.full_name);
    if (own) byId.set(item.id, Object.assign(own, { introducedAt: String(item.introduced_at) }));
  }
  const introduced = [...new Set(known.map((one) => one.introducedAt))].toSorted();
  const middle = introduced[Math.floor(introduced.length / 2)] ?? '';
  const second = `${new Date(Date.parse(middle) + 1000).toISOString().slice(0, 19)}Z`;
  const applications = await walk<{ id: string; name: string }>(client, `${base}/applications`);
  return {
    applications: applications.map((one) => ({ ...one, repos: applicationRepos[one.name] ?? [] })),
    times: [introduced[2] ?? '', middle, second],
  };
}

const applicationRepos: Record<string, string[]> = {
  Storefront: ['acme/shop', 'umbrella/team/tools'],
  Office: ['acme/api'],
  Nothing: [],
};

function observe(own: Known[], seen: Known[], fullRef: string, sha: string): void {
  for (const known of own) {
    if (seen.includes(known)) {
      known.references.set(fullRef, true);
      known.shas.add(sha);
    } else if (known.references.has(fullRef)) known.references.set(fullRef, false);
  }
}

function catalogueOf(repo: string, random: Random): Known[] {
  const pick = <T>(values: readonly T[]): T => values[random(values.length)] as T;
  const base = (tool: Known['tool'], type: string, title: string, severity: string, row: Json): Known => ({
    repo,
    tool,
    title,
    type,
    severity,
    source: 'current',
    references: new Map(),
    shas: new Set(),
    decision: null,
    confirmed: false,
    triaged: false,
    assignee: null,
    introducedAt: '',
    row,
  });
  const times = (count: number, make: (index: number) => Known): Known[] =>
    Array.from({ length: count }, (_, index) => make(index));
  const phrase = (): string => `${pick(words)} ${pick(words)}`;
  const history = repo.startsWith('umbrella');
  return [
    ...times(14, (i) => {
      const severity = pick(severities);
      const title = `lib${i}: ${phrase()}`;
      const row = {
        id: `CVE-2030-${5000 + i}`,
        package: `lib${i}`,
        severity,
        title,
        ...(i % 3 > 0 && { fixed: `1.${i}.1` }),
      };
      return base('trivy', 'dependency', title, severity.toLowerCase(), row);
    }),
    ...times(5, (i) => {
      const severity = pick(severities);
      const title = `check ${i} ${phrase()}`;
      return base('trivy', 'iac', title, severity.toLowerCase(), { id: `GDN-${1000 + i}`, severity, title });
    }),
    ...times(3, (i) => {
      const severity = pick(severities);
      const row = { name: `License-${i}`, package: `lib${i}`, severity };
      return base('trivy', 'license', `License-${i} in lib${i}`, severity.toLowerCase(), row);
    }),
    ...times(9, (i) => {
      const level = pick(['error', 'warning', 'note'] as const);
      const title = `rule ${i} ${phrase()}`;
      const row = { rule: `rule-${i}`, title, path: `src/f${i}.ts`, line: i + 1, code: `call${i}()`, level };
      return base('semgrep', 'sast', title, levels[level], row);
    }),
    ...times(4, (i) => {
      const title = `token ${i} ${phrase()}`;
      const verified = i % 2 === 0;
      const row = {
        rule: `token-${i}`,
        title,
        path: `conf${i}.yml`,
        secret: `gdn-${i}-not-a-real-token`,
        verified,
      };
      return {
        ...base('gitleaks', 'secret', title, 'high', row),
        source: history ? 'git_history' : 'current',
      };
    }),
  ];
}

function reportOf(tool: Known['tool'], seen: Known[]): object {
  const rows = <T>(type: string): T[] => seen.filter((known) => known.type === type).map((k) => k.row as T);
  if (tool === 'semgrep') return codeReport(rows('sast'));
  if (tool === 'gitleaks') {
    // A verified secret counts as confirmed.
    for (const known of seen) known.confirmed ||= known.row.verified === true;
    return secretReport(rows('secret'));
  }
  return trivyReport({
    packages: rows('dependency'),
    misconfigurations: rows('iac'),
    licenses: rows('license'),
  });
}

async function decideAtRandom(server: TestServer, workspace: RandomWorkspace, random: Random): Promise<void> {
  const { people, slug, known } = workspace;
  const client = clientOf(server.app, people.member.key);
  const { rows } = await server.owner.query<{ id: string; title: string; repo: string }>(
    `select v.id, v.title, r.full_name as repo from vulnerability v
       join repository r on r.tenant_id = v.tenant_id and r.id = v.repository_id where v.tenant_id = $1`,
    [workspace.tenant.id],
  );
  if (rows.length !== known.length) throw new Error(`${rows.length} vulnerabilities, not ${known.length}`);
  const list = await client.get<{
    items: { id: string; title: string; repository: { full_name: string } }[];
  }>(`/api/v1/${slug}/vulnerabilities?per_page=200`);
  for (const item of list.body.items) {
    const own = known.find((k) => k.title === item.title && k.repo === item.repository.full_name);
    if (!own) throw new Error(`the model does not know ${item.repository.full_name} ${item.title}`);
    const decide = async (action: string): Promise<void> => {
      const body = { action, reason: 'At random.', vulnerabilities: [{ id: item.id }] };
      const { status, text } = await client.post(`/manage/v1/${slug}/vulnerabilities/decisions`, body);
      if (status !== 200) throw new Error(text);
      own.triaged = true;
    };
    switch (random(9)) {
      case 0:
        await decide('accept');
        own.decision = { status: 'accepted', resolution: 'risk_accepted' };
        break;
      case 1:
        await decide('ignore');
        own.decision = { status: 'ignored', resolution: 'wont_fix' };
        break;
      case 2:
        await decide('reject');
        own.decision = { status: 'rejected', resolution: 'false_positive' };
        own.confirmed = false;
        break;
      case 3:
        await decide('confirm');
        own.confirmed = true;
        break;
    }
    const assignee = [people.member, people.admin][random(6)]?.user.email;
    if (assignee === undefined) continue;
    const path = `/api/v1/${slug}/vulnerabilities/${item.id}/assignment`;
    const { status, text } = await client.patch(path, { assignee });
    if (status !== 200) throw new Error(text);
    own.assignee = assignee;
  }
}
