/**
 * What changed in the report → what Merlon says. One row a case: two reports of one scanner, and the counts of the
 * second. The table of docs/identity.md.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '../support/database.ts';
import { importAll } from '../support/import.ts';
import { assertInvariants } from '../support/invariants.ts';
import { type CodeResult, sarif, trivy } from '../support/reports.ts';
import { createTestWorkspace, reportInput } from '../support/workspace.ts';

const database = await createTestDatabase();
await createTestWorkspace(database, 'acme');

interface Case {
  change: string;
  before: unknown;
  after: unknown;
  expect: { new?: number; unchanged?: number; fixed?: number; reopened?: number };
  /** Why the place of the second report was matched. */
  why?: string;
}

const a: CodeResult = { rule: 'sqli', path: 'src/a.ts', line: 10, code: 'db.query("select " + id)' };
const plain: CodeResult = { rule: 'sqli', path: 'src/a.ts', line: 10 };
const print = (value: string): CodeResult => ({ ...a, fingerprint: value });

const cases: Case[] = [
  { change: 'nothing', before: sarif([a]), after: sarif([a]), expect: { unchanged: 1 } },
  {
    change: 'lines shifted, with code',
    before: sarif([a]),
    after: sarif([{ ...a, line: 42 }]),
    expect: { unchanged: 1 },
  },
  {
    change: 'lines shifted, with nothing but a line',
    before: sarif([plain]),
    after: sarif([{ ...plain, line: 42 }]),
    expect: { unchanged: 1 },
    why: 'nearest-line',
  },
  {
    change: 'lines shifted by more than 50, with nothing but a line',
    before: sarif([plain]),
    after: sarif([{ ...plain, line: 62 }]),
    expect: { new: 1, fixed: 1 },
  },
  {
    change: 'code edited in its place',
    before: sarif([a]),
    after: sarif([{ ...a, line: 12, code: 'db.query("select " + id + " limit 1")' }]),
    expect: { unchanged: 1 },
    why: 'nearest-line',
  },
  {
    change: 'code formatted anew',
    before: sarif([a]),
    after: sarif([{ ...a, line: 11, code: 'db.query(\n  "select " + id)' }]),
    expect: { new: 0, fixed: 0, unchanged: 1 },
    why: 'nearest-line',
  },
  {
    change: 'file renamed, same code',
    before: sarif([a]),
    after: sarif([{ ...a, path: 'src/b.ts' }]),
    expect: { unchanged: 1 },
    why: 'renamed-file',
  },
  {
    change: 'file renamed, the same code in two new files: no telling which',
    before: sarif([a]),
    after: sarif([
      { ...a, path: 'src/b.ts' },
      { ...a, path: 'src/c.ts' },
    ]),
    expect: { new: 2, fixed: 1 },
  },
  {
    change: 'fingerprint the same, line and code changed',
    before: sarif([print('9c1185a5c5e9fc54612808977ee8f548b2258d31')]),
    after: sarif([{ ...print('9c1185a5c5e9fc54612808977ee8f548b2258d31'), line: 80, code: 'db.query(sql)' }]),
    expect: { unchanged: 1 },
  },
  {
    change: 'fingerprint changed, same place',
    before: sarif([print('9c1185a5c5e9fc54612808977ee8f548b2258d31')]),
    after: sarif([print('2346ad27d7568ba9896f1b7da6b5991251debdf2')]),
    expect: { new: 1, fixed: 1 },
  },
  {
    change: 'fingerprints come with an upgrade of the tool',
    before: sarif([a], { version: '1.0.0' }),
    after: sarif([print('9c1185a5c5e9fc54612808977ee8f548b2258d31')], { version: '2.0.0' }),
    expect: { unchanged: 1 },
    why: 'code',
  },
  {
    change: 'product renamed, same family',
    before: sarif([a], { tool: 'semgrep' }),
    after: sarif([a], { tool: 'Semgrep OSS' }),
    expect: { unchanged: 1 },
  },
  {
    change: 'same code twice, the first removed',
    before: sarif([a, { ...a, line: 30 }]),
    after: sarif([{ ...a, line: 29 }]),
    expect: { unchanged: 1, fixed: 1 },
  },
  {
    change: 'another problem added above',
    before: sarif([a]),
    after: sarif([
      { ...a, line: 4, code: 'db.query("delete " + id)' },
      { ...a, line: 12 },
    ]),
    expect: { new: 1, unchanged: 1 },
  },
  {
    change: 'results in another order, one of them twice',
    before: sarif([a, { ...a, rule: 'xss' }, plain]),
    after: sarif([plain, { ...a, rule: 'xss' }, a, plain]),
    expect: { unchanged: 3, new: 0 },
  },
  {
    change: 'checkout in another directory',
    before: sarif([{ ...a, path: 'file:///home/runner/work/shop/shop/src/a.ts' }]),
    after: sarif([{ ...a, path: '/github/workspace/src/a.ts' }]),
    expect: { unchanged: 1 },
  },
  {
    change: 'run id in the category',
    before: sarif([a], { category: 'nightly/run-1' }),
    after: sarif([a], { category: 'nightly/run-2' }),
    expect: { unchanged: 1 },
  },
  {
    change: 'suppressed in the source',
    before: sarif([a]),
    after: sarif([{ ...a, suppressed: true }]),
    expect: { fixed: 1 },
  },
  {
    change: 'severity raised',
    before: sarif([{ ...a, level: 'note' }]),
    after: sarif([a]),
    expect: { unchanged: 1 },
  },
  {
    change: 'package upgraded, still vulnerable',
    before: trivy([{ id: 'CVE-2020-8203', name: 'lodash', version: '4.17.15' }]),
    after: trivy([{ id: 'CVE-2020-8203', name: 'lodash', version: '4.17.18' }]),
    expect: { unchanged: 1 },
    why: 'advisory-and-package',
  },
  {
    change: 'package moved to another lock file',
    before: trivy([{ id: 'CVE-2020-8203', name: 'lodash', version: '4.17.15' }]),
    after: trivy([
      { id: 'CVE-2020-8203', name: 'lodash', version: '4.17.15', path: 'web/package-lock.json' },
    ]),
    expect: { unchanged: 1 },
    why: 'advisory-and-package',
  },
  {
    change: 'another advisory of the same package',
    before: trivy([{ id: 'CVE-2020-8203', name: 'lodash', version: '4.17.15' }]),
    after: trivy([{ id: 'CVE-2021-23337', name: 'lodash', version: '4.17.15' }]),
    expect: { new: 1, fixed: 1 },
  },
];

for (const [i, { change, before, after, expect, why }] of cases.entries()) {
  test(`${change}`, async () => {
    const repository = `acme/case-${i}`;
    const first = new Date('2026-01-01T00:00:00Z');
    const second = new Date('2026-01-02T00:00:00Z');
    const [, scan] = await importAll(database, 'acme', [
      reportInput(before, { repository, scannedAt: first }),
      reportInput(after, { repository, scannedAt: second }),
    ]);
    assert.equal(scan?.error, null);
    for (const [name, n] of Object.entries(expect)) {
      assert.equal(
        scan?.counts?.[name as keyof typeof expect],
        n,
        `${name} of ${JSON.stringify(scan?.counts)}`,
      );
    }
    if (why !== undefined) assert.deepEqual(await whyMatched(repository), [why]);
    await assertInvariants(database.owner);
  });
}

async function whyMatched(repository: string): Promise<string[]> {
  const { rungs } = await import('../../src/features/vulnerabilities/rungs.ts');
  const { rows } = await database.owner.query(
    `select g.rung from location_sighting g join stream s on s.id = g.stream_id join repository r on r.id = s.repository_id
      where r.full_name = $1 and g.until_seq is null`,
    [repository],
  );
  return rows.map((row) => rungs[row.rung] ?? '');
}
