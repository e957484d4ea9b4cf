/** Tests of the mass-closure check: a closure of most of a series is held until other evidence shows the same. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ScanDetailRow } from '../../src/ingest/scans/store.ts';
import { createTestDatabase } from '../support/database.ts';
import { countsOf } from '../support/import.ts';
import { importInTurn, type SentReport } from '../support/import-in-turn.ts';
import { assertInvariants } from '../support/invariants.ts';
import { createMatchedWorkspace, sbom } from '../support/matched-workspace.ts';
import { type PackageResult, trivy } from '../support/reports.ts';
import { createTestWorkspace } from '../support/workspace.ts';

const database = await createTestDatabase();
await createTestWorkspace(database, 'acme');

/** Imports the reports one day apart. */
const importDaily = (reports: SentReport[]) => importInTurn(database, 24, reports);

const changesOf = (scans: ScanDetailRow[]) => countsOf(scans, 'fixed', 'closing_held');

const found = (count: number, from = 0): PackageResult[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `CVE-2031-${20_000 + from + index}`,
    name: 'spade',
    version: '1.0.0',
    severity: 'HIGH',
  }));

test('findings that another series has shown before do not count for what a series had', async () => {
  const scans = await importDaily([
    { report: trivy(found(40)), category: 'backend' },
    { report: trivy(found(40, 100)), category: 'frontend' },
    { report: trivy(found(40, 100)), category: 'backend' },
  ]);
  assert.deepEqual(changesOf(scans).at(-1), [0, 40]);
});

test('findings that change or move with a closure count as those that the series had', async () => {
  const moved = found(21).map((row) => ({
    ...row,
    path: 'moved/package-lock.json',
    severity: 'LOW' as const,
  }));
  const scans = await importDaily([{ report: trivy(found(41)) }, { report: trivy(moved) }]);
  assert.deepEqual(changesOf(scans).at(-1), [20, 0]);
});

/** A report of Trivy that also lists packages. */
function listing(findings: PackageResult[], ...names: string[]) {
  const report = trivy(findings);
  const Packages = names.map((Name) => ({
    Name,
    Version: '1.0.0',
    Identifier: { PURL: `pkg:npm/${Name}@1.0.0` },
  }));
  const listed = { Target: 'package-lock.json', Class: 'lang-pkgs', Type: 'npm', Packages };
  return { ...report, Results: [...report.Results, listed] };
}

const packagesOf = async (scan: { reference_id: string } | undefined): Promise<string[]> => {
  const { rows } = await database.owner.query<{ purl: string }>(
    `select v.purl from manifest_package m
       join package_version v on v.tenant_id = m.tenant_id and v.id = m.package_version_id
      where m.reference_id = $1 order by 1`,
    [scan?.reference_id],
  );
  return rows.map(({ purl }) => purl.replace('pkg:npm/', ''));
};

test('packages stay listed while the closure of their scan is held, and go with the scan that confirms it', async () => {
  const whole = { report: listing(found(40), 'spade', 'rake') };
  const broken = { report: listing([], 'hoe') };
  const held = await importDaily([whole, broken]);
  assert.deepEqual(changesOf(held).at(-1), [0, 40]);
  assert.deepEqual(await packagesOf(held[0]), ['hoe@1.0.0', 'rake@1.0.0', 'spade@1.0.0']);
  const confirmed = await importDaily([whole, broken, broken]);
  assert.deepEqual(changesOf(confirmed).at(-1), [40, 0]);
  assert.deepEqual(await packagesOf(confirmed[0]), ['hoe@1.0.0']);
});

test('the same bytes confirm a held closure only for another commit, or half a day later without a commit', async () => {
  const [first, next, other] = ['a'.repeat(40), 'b'.repeat(40), 'c'.repeat(40)] as const;
  const at = (hour: number) => ({ scannedAt: new Date(Date.UTC(2026, 4, 2, hour)) });
  const whole = { report: trivy(found(40)), scannedAt: new Date(Date.UTC(2026, 4, 1)) };
  const none = { report: trivy([]) };
  const ofCommits = await importDaily([
    { ...whole, sha: first },
    { ...none, sha: next, ...at(1) },
    { ...none, sha: next, ...at(2) },
    { ...none, sha: next.slice(0, 12), ...at(20) },
    { ...none, sha: other, ...at(21) },
  ]);
  assert.deepEqual(changesOf(ofCommits).slice(1), [
    [0, 40],
    [0, 40],
    [0, 40],
    [40, 0],
  ]);
  const otherBytes = { report: { ...trivy([]), Metadata: { note: 'scanned again' } } };
  const ofBytes = await importDaily([
    { ...whole, sha: first },
    { ...none, sha: next, ...at(1) },
    { ...otherBytes, sha: next, ...at(2) },
  ]);
  assert.deepEqual(changesOf(ofBytes).at(-1), [40, 0]);
  const withoutCommit = await importDaily([
    whole,
    { ...none, ...at(1) },
    { ...none, ...at(12) },
    { ...none, ...at(13) },
  ]);
  assert.deepEqual(changesOf(withoutCommit).slice(1), [
    [0, 40],
    [0, 40],
    [40, 0],
  ]);
});

test('a held closure of the match waits for a complete report of the packages that were missing', async () => {
  const { server, load, upload, short } = await createMatchedWorkspace();
  const ids = Array.from({ length: 30 }, (_, index) => `GHSA-aaaa-bbbb-c${200 + index}`);
  await load(...ids.map((id): [string, object] => [id, { ranges: [['0', '1.2.0']] }]));
  const [left, right] = ['pkg:npm/left@1.0.0', 'pkg:npm/right@1.0.0'];
  const changesBy = async (...sent: Parameters<typeof upload>) => {
    const scan = await upload(...sent);
    return [scan?.counts?.fixed, scan?.counts?.closing_held];
  };
  await upload(sbom(left, right), { sha: 'a'.repeat(40) });
  const sha = 'b'.repeat(40);
  assert.deepEqual(await changesBy(sbom(right), { sha }), [0, 30]);
  const { match } = await load(['GHSA-dddd-eeee-ffff', { package: 'right', ranges: [['0']] }]);
  assert.deepEqual([match.references, match.counts.fixed, match.counts.closing_held], [1, 0, 30]);
  assert.deepEqual(await changesBy(sbom(right), { sha: 'c'.repeat(40), partial: true }), [0, 30]);
  const ofAnotherTool = listing([], 'right');
  assert.deepEqual(await changesBy(ofAnotherTool, { sha: 'c'.repeat(40) }), [0, 30]);
  assert.deepEqual(await changesBy(sbom(right), { sha }), [0, 30], 'the same bytes of the same commit');
  const open = (await short()).filter((item) => item.startsWith('open'));
  assert.equal(open.length, 31);
  assert.deepEqual(await changesBy(sbom(right), { sha: 'd'.repeat(40) }), [30, 0]);
  await assertInvariants(server.owner);
});
