/**
 * Real reports, where the checkout has them beside it: each imports with the rows that its manifest counts, and a
 * second time without a single write.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createTestDatabase } from '../support/database.ts';
import { importAll } from '../support/import.ts';
import { assertInvariants, fingerprintTables } from '../support/invariants.ts';
import { createTestWorkspace, reportInput } from '../support/workspace.ts';

const root = new URL('../../../../shared/samples/', import.meta.url);
const missing = existsSync(root) ? false : 'no ../shared/samples beside this checkout';
const folders = ['sarif', 'trivy-json', 'pairs/sarif-suppression', 'pairs/trivy-centos-7-timeline'];

/** The tool says of its run that it did not succeed. */
const unfinished = new Set(['spotbugs-4.4.0.sarif']);

/** File → findings, by the tables of the manifest: `| file | format | findings | …` under a heading per folder. */
function manifestCounts(folder: string): Map<string, number> {
  const manifest = readFileSync(new URL('MANIFEST.md', root), 'utf8');
  const section = manifest.split(`\n## ${folder}\n`)[1]?.split('\n## ')[0] ?? '';
  return new Map(
    [...section.matchAll(/^\| ([^|]+?) \| [^|]+ \| (\d+) \|/gm)].map((row) => [row[1] ?? '', Number(row[2])]),
  );
}

test('every SARIF and Trivy sample: the rows of the manifest, and nothing the second time', {
  skip: missing,
}, async () => {
  const database = await createTestDatabase();
  await createTestWorkspace(database, 'acme');
  let files = 0;
  for (const folder of folders) {
    const counts = manifestCounts(folder);
    const names = readdirSync(new URL(`${folder}/`, root)).sort();
    assert.equal(counts.size, names.length, `${folder}: files of the manifest`);
    for (const name of names) {
      const report = readFileSync(new URL(`${folder}/${name}`, root));
      const input = reportInput('', { repository: `acme/${name}`, report });
      const [first] = await importAll(database, 'acme', [input]);
      assert.equal(first?.error, null, name);
      assert.equal(first?.counts?.read, counts.get(name), `${name}: read`);
      assert.equal(first?.counts?.unreadable, 0, `${name}: unreadable`);
      const before = await fingerprintTables(database.owner);
      const [second] = await importAll(database, 'acme', [{ ...input, scannedAt: new Date() }]);
      const after = await fingerprintTables(database.owner);
      // What a run that did not succeed saw is kept as its own: of such a run each import is a look of its own.
      if (unfinished.has(name)) before.location_sighting = after.location_sighting ?? '';
      assert.deepEqual(after, before, `${name}: the second import wrote something`);
      const seen = (first?.counts?.new ?? 0) + (first?.counts?.unchanged ?? 0);
      assert.deepEqual(
        second?.counts,
        { ...first?.counts, new: 0, unchanged: seen, reopened: 0, fixed: 0 },
        `${name}: counts of the second import`,
      );
      files++;
    }
  }
  assert.equal(files, 19 + 10 + 2 + 6);
  await assertInvariants(database.owner);
});

test('a CentOS image over two years, as a person reads the six reports', { skip: missing }, async () => {
  const database = await createTestDatabase();
  await createTestWorkspace(database, 'acme');
  const folder = new URL('pairs/trivy-centos-7-timeline/', root);
  const outcomes: unknown[] = [];
  for (const name of readdirSync(folder).sort()) {
    const [scan] = await importAll(database, 'acme', [
      reportInput('', { report: readFileSync(new URL(name, folder)) }),
    ]);
    const { new: opened, fixed, reopened, unchanged, closing_held: held } = scan?.counts ?? {};
    outcomes.push({ step: name.slice(0, 1), opened, fixed, reopened, unchanged, held });
  }
  assert.deepEqual(outcomes, [
    { step: '1', opened: 664, fixed: 0, reopened: 0, unchanged: 0, held: 0 },
    // New vulnerability data: 84 more, 19 gone.
    { step: '2', opened: 84, fixed: 19, reopened: 0, unchanged: 645, held: 0 },
    // 19 gone; the one that is "new" to its predecessor had been there in the first report.
    { step: '3', opened: 0, fixed: 19, reopened: 1, unchanged: 710, held: 0 },
    // The tarball moved, so that every target has another name: the same problems.
    { step: '4', opened: 0, fixed: 0, reopened: 0, unchanged: 711, held: 0 },
    // The report's own schema changed.
    { step: '5', opened: 0, fixed: 0, reopened: 0, unchanged: 711, held: 0 },
    // 708 of 711 gone at once: more likely a broken scanner than a good day, so the closing waits.
    { step: '6', opened: 0, fixed: 0, reopened: 0, unchanged: 3, held: 708 },
  ]);
  await assertInvariants(database.owner);
});

test('a suppression that is added marks its place and keeps its problem', { skip: missing }, async () => {
  const database = await createTestDatabase();
  await createTestWorkspace(database, 'acme');
  const folder = new URL('pairs/sarif-suppression/', root);
  const scans = await importAll(
    database,
    'acme',
    ['before.sarif', 'after.sarif'].map((name) =>
      reportInput('', { report: readFileSync(new URL(name, folder)) }),
    ),
  );
  assert.deepEqual(
    scans.map((scan) => [scan.counts?.read, scan.counts?.new, scan.counts?.suppressed]),
    [
      [3, 3, 2],
      [4, 1, 3],
    ],
  );
  await assertInvariants(database.owner);
});
