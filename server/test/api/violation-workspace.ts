/**
 * A workspace with violations of every kind, created by the product itself: an inventory file, reports of a file
 * system, an image and an SBOM, policies of every type of target, and decisions about violations.
 */

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importIntel } from '../../src/actions/intel/service.ts';
import { applyInventory } from '../../src/actions/inventory-file/apply.ts';
import { tenantTx } from '../../src/db/database.ts';
import { formatId } from '../../src/domain/ids.ts';
import { parseInventory } from '../../src/inventory/file/document.ts';
import { evaluatePolicies } from '../../src/policies/evaluation/evaluate-policies.ts';
import { clientOf, type Json, queryOf, type Schemas, send, succeeded } from '../support/client.ts';
import { importAll } from '../support/import.ts';
import { applyAndEvaluate, type Violation } from '../support/policies.ts';
import { createDirectory } from '../support/process.ts';
import { createTestServer } from '../support/server.ts';
import { codeReport } from '../support/tool-reports.ts';
import { createTestWorkspace, reportInput } from '../support/workspace.ts';
import { policiesAfter, policiesBefore, policiesChanged } from './violation-policies.ts';

export type ViolationList = Omit<Schemas['PolicyViolationPage'], 'items'> & { items: Violation[] };

type ViolationDetail = Omit<Schemas['PolicyViolationDetail'], 'violation'> & { violation: Violation };

export const repositories = [
  'acme/shop',
  'acme/team/api',
  'acme/team/sbom',
  'acme/team/shed',
  'acme/quiet',
  'acme/stale',
  'acme/old',
];

const inventory = `
organizations:
  - {full_path: acme, name: Acme}
  - {full_path: acme/team, parent: acme, type: gitlab_group}
repositories:
  - {full_name: acme/shop, source: ghc, default_branch: main, is_private: false}
  - {full_name: acme/team/api, source: gitlab}
  - full_name: acme/quiet
    source: bitbucket
    settings: {branch_protection: false, reviews: {value: 0, manual_override: true}, signed_commits: false}
  - {full_name: acme/stale}
applications:
  - {name: Shop, repositories: [acme/shop, acme/team/api]}
`;

const day = 24 * 3600_000;
export const sha = 'c0ffee0123456789abcdef0123456789abcdef01';
const moment = Math.floor(Date.now() / 1000) * 1000;
/** Whole seconds, because the API shows no finer times. */
export const daysAgo = (days: number): Date => new Date(moment - days * day);
export const shown = (date: Date): string => `${date.toISOString().slice(0, 19)}Z`;

function vulnerability(id: string, name: string, severity: string, score?: number): object {
  return {
    VulnerabilityID: id,
    PkgName: name,
    InstalledVersion: '1.0.0',
    Severity: severity,
    Title: `${name}: ${id}`,
    ...(score === undefined ? {} : { CVSS: { nvd: { V3Score: score } } }),
  };
}

function packages(...rows: object[]): object {
  return {
    SchemaVersion: 2,
    ArtifactName: '.',
    ArtifactType: 'repository',
    Results: [{ Target: 'package-lock.json', Class: 'lang-pkgs', Type: 'npm', Vulnerabilities: rows }],
  };
}

const lib = [
  vulnerability('CVE-2030-1000', 'lib0', 'CRITICAL', 9.8),
  vulnerability('CVE-2030-1001', 'lib1', 'HIGH'),
  vulnerability('CVE-2030-1002', 'lib2', 'HIGH', 7.5),
  vulnerability('CVE-2030-1003', 'lib3', 'CRITICAL', 9.1),
] as const;

const code = (count: number): object =>
  codeReport(
    Array.from({ length: count }, (_, i) => ({
      rule: `rule-${i}`,
      title: `Rule ${i}`,
      path: `src/f${i}.ts`,
      line: i + 1,
      code: `call${i}(input)`,
    })),
  );

const fixture = (path: string): string =>
  readFileSync(new URL(`../fixtures/${path}`, import.meta.url), 'utf8');

export async function createViolationWorkspace() {
  const server = await createTestServer();
  const workspace = await createTestWorkspace(server, 'acme');
  const { tenant, people } = workspace;
  const client = clientOf(server.app, people.admin.key);
  const base = '/api/v1/acme/policy-violations';
  const takeInventory = (file: string) =>
    tenantTx(server.db, tenant.id, (tx) => applyInventory(tx, parseInventory(file)));

  async function list(parameters: Record<string, string | number | undefined>): Promise<ViolationList> {
    const answer = await client.get<ViolationList>(
      `${base}${queryOf({ repo: 'acme/shop', per_page: 200, ...parameters })}`,
    );
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  }

  /** The violation of this policy whose target contains the text. */
  async function find(policy: string, text: string, repo = 'acme/shop'): Promise<Violation> {
    const { items } = await list({ repo, policy });
    const found = items.filter((item) => JSON.stringify(item.target).includes(text));
    assert.equal(found.length, 1, `${policy} ${text}: ${found.length} of ${items.length}`);
    return found[0] as Violation;
  }

  async function all(): Promise<Violation[]> {
    const lists = await Promise.all(repositories.map((repo) => list({ repo })));
    return lists.flatMap((each) => each.items);
  }

  /** The only row of the table that meets the condition. */
  async function idOf(table: string, where: string): Promise<string> {
    const { rows } = await server.owner.query<{ id: string }>(
      `select id from ${table} where tenant_id = $1 and ${where}`,
      [tenant.id],
    );
    assert.equal(rows.length, 1, `${table} ${where}`);
    return rows[0]?.id ?? '';
  }

  async function show(id: string): Promise<ViolationDetail> {
    return succeeded(await client.get<ViolationDetail>(`${base}/${id}`));
  }

  async function post<Body = Json>(role: 'admin' | 'member', path: string, body: object): Promise<Body> {
    return succeeded(await clientOf(server.app, people[role].key).post<Body>(`/manage/v1/acme${path}`, body));
  }

  async function requestException(violation: string, terms: object = {}): Promise<string> {
    const { items } = await post<{ items: { id: string }[] }>('member', '/exceptions', {
      violations: [violation],
      reason: 'Behind a wall.',
      ...terms,
    });
    return items[0]?.id ?? '';
  }

  await takeInventory(inventory);
  await applyAndEvaluate(server, tenant.id, policiesBefore);
  const main = { sha, environment: 'production' };
  const scans = await importAll(server, 'acme', [
    reportInput(packages(...lib), { ...main, scannedAt: daysAgo(10) }),
    reportInput(code(3), { ...main, scannedAt: daysAgo(10) }),
    reportInput(packages(lib[1], vulnerability('CVE-2030-1009', 'lib9', 'CRITICAL', 9)), {
      ref: 'feature/x',
      scannedAt: daysAgo(5),
    }),
    reportInput(packages(...lib), { ...main, scannedAt: daysAgo(4) }),
    reportInput(code(2), { ...main, scannedAt: daysAgo(2) }),
    reportInput(fixture('trivy/packages.json'), { repository: 'acme/team/api' }),
    reportInput(fixture('cyclonedx/image-1.4.json'), { repository: 'acme/team/sbom' }),
    reportInput(fixture('trivy/image-packages.json'), { repository: 'acme/team/shed' }),
    reportInput(code(1), { repository: 'acme/stale', ref: 'trunk', scannedAt: daysAgo(40) }),
    reportInput(code(1), { repository: 'acme/old', scannedAt: daysAgo(40) }),
  ]);
  for (const scan of scans) assert.equal(scan.error, null);
  const epss = join(createDirectory(), 'epss.csv');
  writeFileSync(
    epss,
    `#model_version:v1,score_date:${daysAgo(0).toISOString().slice(0, 10)}T00:00:00+0000\ncve,epss,percentile\nCVE-2030-1000,0.93,0.99\n`,
  );
  await importIntel(server.db, { kev: null, epss, force: false }, new Date());
  await applyAndEvaluate(server, tenant.id, policiesAfter);

  // These are removed again: a package of the branch, a stale scan, a setting, policies.
  await importAll(server, 'acme', [
    reportInput(packages(lib[1]), { ref: 'feature/x', scannedAt: daysAgo(1) }),
    reportInput(code(1), { repository: 'acme/stale', ref: 'trunk' }),
  ]);
  await takeInventory(`repositories: [{full_name: acme/quiet, settings: {signed_commits: null}}]`);
  await applyAndEvaluate(server, tenant.id, policiesChanged);
  // One policy is changed by the console's route.
  const drafted = await send(server.app, {
    method: 'PUT',
    path: '/manage/v1/acme/policies/closed',
    authorization: `Bearer ${people.admin.key}`,
    body: {
      target_type: 'repository',
      enforcement_mode: 'warn',
      severity: 'low',
      status: 'draft',
      condition: { all: [{ fact: 'repository.is_private', operator: '==', value: true }] },
      rules: [{ type: 'repo', id: 'acme/team/shed', action: 'exclude' }],
    },
  });
  assert.equal(drafted.status, 200, drafted.text);
  await evaluatePolicies(server.db, tenant.id);

  const decided = {
    snoozed: (await find('high', 'lib1')).id,
    waived: (await find('high', 'lib2')).id,
    downgraded: (await find('critical', 'lib3')).id,
    pending: (await find('code', 'Rule 0')).id,
  };
  await post('admin', '/policy-violations/decisions', {
    action: 'snooze',
    reason: 'Next sprint.',
    until: daysAgo(-5).toISOString(),
    violations: [{ id: decided.snoozed }],
  });
  const exceptions = {
    waived: await requestException(decided.waived),
    downgraded: await requestException(decided.downgraded, { mode: 'downgrade', enforcement_mode: 'warn' }),
    pending: await requestException(decided.pending),
  };
  for (const id of [exceptions.waived, exceptions.downgraded]) {
    await post('admin', `/exceptions/${id}/review`, { decision: 'approve' });
  }
  const scanIds = scans.map((scan) => formatId('scan', scan.id));
  return { server, tenant, people, client, base, list, all, idOf, find, show, decided, exceptions, scanIds };
}
