/**
 * Tests of precedence: a person comes before VEX, and VEX before a suppression. They check what documents and ignore
 * files decide, what they only suggest, and for how long.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseReference } from '../../src/domain/reference-name.ts';
import { sweepTenant } from '../../src/vulnerabilities/sweep.ts';
import { clientOf, type Json, succeeded } from '../support/client.ts';
import { importAll } from '../support/import.ts';
import { assertInvariants } from '../support/invariants.ts';
import { type CodeResult, type PackageResult, sarif, trivy } from '../support/reports.ts';
import { openvex, type VexRow } from '../support/scanner-reports.ts';
import { createTestServer } from '../support/server.ts';
import { createTestWorkspace, reportInput } from '../support/workspace.ts';

const server = await createTestServer();
const { tenant, people } = await createTestWorkspace(server, 'acme');
const client = clientOf(server.app, people.member.key);
const day = (n: number): Date => new Date(Date.UTC(2026, 0, n));
const lodash: PackageResult = { id: 'CVE-2020-8203', name: 'lodash', version: '4.17.15' };
const notAffected: VexRow = { id: lodash.id, status: 'not_affected', purl: 'pkg:npm/lodash' };

type Overrides = Parameters<typeof reportInput>[1];

async function take(repository: string, n: number, report: unknown, overrides: Overrides = {}) {
  const input = reportInput(report, {
    repository,
    scannedAt: day(n),
    defaultBranch: parseReference('main'),
    ...overrides,
  });
  const [scan] = await importAll(server, 'acme', [input]);
  assert.equal(scan?.error, null);
  return scan;
}

interface Shown {
  status: string;
  resolution: string | null;
  decided_by: string | null;
  suggestions: Json[];
  id: string;
}

async function show(repository: string): Promise<Shown> {
  const { body } = await client.get<{ items: Shown[] }>(
    `/api/v1/acme/vulnerabilities?repo=${encodeURIComponent(repository)}`,
  );
  assert.equal(body.items.length, 1);
  const detail = succeeded(await client.get(`/api/v1/acme/vulnerabilities/${body.items[0]?.id}`));
  return detail as unknown as Shown;
}

async function assertShown(repository: string, expected: Partial<Shown>): Promise<void> {
  const shown = await show(repository);
  assert.deepEqual({ ...shown, ...expected }, shown);
}

async function decide(repository: string, action: string): Promise<void> {
  const { id } = await show(repository);
  const body = { action, reason: 'seen', vulnerabilities: [{ id }] };
  const { status, text } = await client.post('/manage/v1/acme/vulnerabilities/decisions', body);
  assert.equal(status, 200, text);
}

test('a VEX rejection ends with the next statement, and an older statement changes nothing', async () => {
  const repository = 'acme/vex';
  await take(repository, 1, trivy([lodash]));
  await take(repository, 2, openvex([notAffected], day(2)));
  await assertShown(repository, { status: 'rejected', resolution: 'not_affected', decided_by: 'vex' });
  await take(repository, 3, trivy([lodash]));
  await assertShown(repository, { status: 'rejected', decided_by: 'vex' });
  await take(repository, 5, openvex([{ ...notAffected, status: 'affected' }], day(4)));
  await assertShown(repository, { status: 'open', resolution: null });
  await take(repository, 6, openvex([notAffected], day(3)));
  await assertShown(repository, { status: 'open', suggestions: [] });
});

test('a VEX statement may come before the report that finds the vulnerability', async () => {
  const repository = 'acme/vex-first';
  await take(repository, 1, openvex([notAffected], day(1)));
  await take(repository, 2, trivy([lodash]));
  await assertShown(repository, { status: 'rejected', decided_by: 'vex' });
});

test('a VEX statement about a version decides while no other version is present', async () => {
  const repository = 'acme/vex-version';
  await take(repository, 1, trivy([lodash]));
  await take(repository, 2, openvex([{ ...notAffected, purl: 'pkg:npm/lodash@4.17.15' }], day(2)));
  await assertShown(repository, { status: 'rejected' });
  await take(repository, 3, trivy([{ ...lodash, version: '4.17.16' }]));
  await assertShown(repository, { status: 'open' });
});

test('a VEX statement about a version decides nothing about another version that is affected', async () => {
  const repository = 'acme/vex-versions';
  const at = (version: string, status: VexRow['status']): VexRow => ({
    ...{ id: lodash.id, status, purl: `pkg:npm/lodash@${version}` },
  });
  const other = { ...lodash, version: '4.17.16', path: 'other/package-lock.json' };
  await take(repository, 1, trivy([lodash, other]));
  await take(repository, 3, openvex([at('4.17.16', 'affected')], day(2)));
  await take(repository, 4, openvex([at('4.17.15', 'not_affected')], day(3)));
  await assertShown(repository, { status: 'open' });
  await take(repository, 5, openvex([at('4.17.16', 'not_affected')], day(4)));
  await assertShown(repository, { status: 'rejected', decided_by: 'vex' });
  // The newest statement about a version counts for it, whether it names the version or not.
  await take(repository, 6, openvex([at('4.17.15', 'affected')], day(5)));
  await take(repository, 7, openvex([notAffected], day(6)));
  await assertShown(repository, { status: 'rejected' });
  await take(repository, 8, openvex([at('4.17.16', 'affected')], day(7)));
  await assertShown(repository, { status: 'open' });
});

test('a version that only an inactive branch has needs no VEX statement', async () => {
  const repository = 'acme/vex-quiet';
  await take(repository, 1, trivy([lodash]));
  await take(repository, 1, trivy([{ ...lodash, version: '4.17.16' }]), { ref: 'topic' });
  await take(repository, 2, openvex([{ ...notAffected, purl: 'pkg:npm/lodash@4.17.15' }], day(2)));
  await assertShown(repository, { status: 'open' });
  await sweepTenant(server.db, tenant.id, day(40), 30);
  await assertShown(repository, { status: 'rejected', decided_by: 'vex' });
  await take(repository, 41, trivy([{ ...lodash, version: '4.17.16' }]), { ref: 'topic' });
  await assertShown(repository, { status: 'open', decided_by: null });
});

test('a VEX statement by a key that may not decide, or of a branch, is a suggestion', async () => {
  const repository = 'acme/vex-suggests';
  await take(repository, 1, trivy([lodash]));
  await take(repository, 2, openvex([notAffected], day(2)), { mayDecide: false });
  const suggestion = { by: 'vex', says: 'not_affected', version: null, ref: 'main', until: null };
  const shown = await show(repository);
  assert.deepEqual([shown.status, shown.decided_by], ['open', null]);
  assert.deepEqual(
    shown.suggestions.map(({ reason: _, ...rest }) => rest),
    [suggestion],
  );
  await take(repository, 3, openvex([notAffected], day(3)), { ref: 'topic' });
  assert.equal((await show(repository)).suggestions[0]?.ref, 'topic');
  await take(repository, 4, openvex([notAffected], day(4)));
  await assertShown(repository, { status: 'rejected', suggestions: [] });
});

test('a newer suggestion does not replace a statement that decides, and an older one that decides replaces it', async () => {
  const suggested = { mayDecide: false };
  const affected: VexRow = { ...notAffected, status: 'affected' };
  await take('acme/vex-decides', 1, trivy([lodash]));
  await take('acme/vex-decides', 2, openvex([notAffected], day(2)));
  await take('acme/vex-decides', 3, openvex([affected], day(3)), suggested);
  await assertShown('acme/vex-decides', { status: 'rejected', decided_by: 'vex' });
  await take('acme/vex-replaces', 1, trivy([lodash]));
  await take('acme/vex-replaces', 3, openvex([affected], day(3)), suggested);
  await take('acme/vex-replaces', 4, openvex([notAffected], day(2)));
  await assertShown('acme/vex-replaces', { status: 'rejected', decided_by: 'vex', suggestions: [] });
});

test('a person’s decision comes before VEX, and when it is removed VEX decides again', async () => {
  const repository = 'acme/person';
  await take(repository, 1, trivy([lodash]));
  await decide(repository, 'ignore');
  await take(repository, 2, openvex([notAffected], day(2)));
  await assertShown(repository, { status: 'ignored', decided_by: 'person' });
  await decide(repository, 'reopen');
  await take(repository, 3, trivy([lodash]));
  // Confirming that it stays open is a person's decision too.
  await assertShown(repository, { status: 'open', decided_by: 'person' });
});

test('VEX comes before a suppression; a suppression lasts until its end, and is a suggestion if it may not decide', async () => {
  const repository = 'acme/suppression';
  const found: CodeResult = { rule: 'sqli', path: 'src/a.ts', line: 1, code: 'query(a)' };
  const suppressed: CodeResult = { ...found, suppressed: 'external', until: '2099-01-10T00:00:00Z' };
  await take(repository, 1, sarif([found]));
  await take(repository, 2, sarif([suppressed]), { mayDecide: false });
  const shown = await show(repository);
  assert.deepEqual([shown.status, shown.suggestions.length], ['open', 1]);
  assert.deepEqual(
    { ...shown.suggestions[0], by: 'suppression', says: 'accepted', ref: 'main' },
    shown.suggestions[0],
  );
  await take(repository, 3, sarif([suppressed]));
  await assertShown(repository, { status: 'accepted', decided_by: 'suppression', suggestions: [] });
  await sweepTenant(server.db, tenant.id, new Date('2099-01-11T00:00:00Z'), 30);
  await assertShown(repository, { status: 'open', decided_by: null });
});

test('a suppression that has ended decides nothing, whatever earlier time the report gives', async () => {
  const found: CodeResult = { rule: 'sqli', path: 'src/a.ts', line: 1, code: 'query(a)' };
  const until = new Date(Date.now() - 1000).toISOString();
  const ended = sarif([{ ...found, suppressed: 'external', until }]);
  await take('acme/ended', 1, sarif([found]));
  await take('acme/ended', 2, ended);
  await assertShown('acme/ended', { status: 'open', decided_by: null });
  await take('acme/ended-before', 1, ended);
  await assertShown('acme/ended-before', { status: 'open', decided_by: null });
});

test('the data of this file breaks no invariant', () => assertInvariants(server.owner));

test('a scan counts the statements of a document that decide, that only suggest, and that match nothing yet', async () => {
  const repository = 'acme/counted';
  const later: VexRow = { id: 'CVE-2030-77', status: 'not_affected', purl: 'pkg:npm/later' };
  const elsewhere: VexRow = { ...notAffected, purl: 'pkg:npm/underscore' };
  const found = await take(repository, 1, trivy([lodash]));
  assert.equal(found?.counts?.statements, undefined);
  const document = openvex([notAffected, later, elsewhere], null);
  const suggesting = await take(repository, 2, document, { mayDecide: false });
  assert.deepEqual(suggesting?.counts?.statements, { decided: 0, suggested: 1, unmatched: 2 });
  assert.equal((await show(repository)).suggestions.length, 1);
  const untracked = await take(repository, 3, document, { ref: 'feature', mayDecide: true });
  assert.deepEqual(untracked?.counts?.statements, { decided: 0, suggested: 1, unmatched: 2 });
  const deciding = await take(repository, 4, document, { mayDecide: true });
  assert.deepEqual(deciding?.counts?.statements, { decided: 1, suggested: 0, unmatched: 2 });
  assert.deepEqual(deciding?.warnings, [
    '2 statements are about no known vulnerability of the repository: they are kept, and count when a report finds it.',
  ]);
  await assertShown(repository, { status: 'rejected', decided_by: 'vex' });
  const both = await take(repository, 5, trivy([lodash, { id: later.id, name: 'later', version: '1.0.0' }]));
  assert.equal(both?.counts?.new, 1);
  const { body } = await client.get<{ items: Shown[] }>(`/api/v1/acme/vulnerabilities?repo=acme%2Fcounted`);
  assert.deepEqual(
    body.items.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
});
