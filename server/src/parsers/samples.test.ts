/**
 * Tests of real reports, if the samples are beside the checkout: every row is counted, as in the manifest of the
 * samples.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseReport } from './parse-report.ts';

const samples = fileURLToPath(new URL('../../../../shared/samples/', import.meta.url));
const folders = ['sarif', 'trivy-json', 'pairs/sarif-suppression', 'pairs/trivy-centos-7-timeline'];

/** Rows of a report that are no findings, because they passed. */
const rowsWithoutFinding: Readonly<Record<string, number>> = { 'sarif/flawfinder-2.0.19.sarif': 1 };

/** `folder/file` → the third column of the folder's table. */
function manifestCounts(): Map<string, number> {
  const counts = new Map<string, number>();
  let folder = '';
  for (const line of readFileSync(`${samples}MANIFEST.md`, 'utf8').split('\n')) {
    if (line.startsWith('## ')) folder = line.slice(3).trim();
    const cells = line.split('|').map((cell) => cell.trim());
    if (folders.includes(folder) && /^[0-9]+$/.test(cells[3] ?? '')) {
      counts.set(`${folder}/${cells[1]}`, Number(cells[3]));
    }
  }
  return counts;
}

test('real reports of SARIF and Trivy are read to the last row', (t) => {
  if (!existsSync(samples)) {
    t.skip('../shared/samples is not here: real reports were not read');
    return;
  }
  const counts = manifestCounts();
  assert.ok(counts.size >= 37, `only ${counts.size} counts in the manifest`);
  for (const folder of folders) {
    for (const file of readdirSync(`${samples}${folder}`)) {
      const name = `${folder}/${file}`;
      const report = parseReport(readFileSync(`${samples}${name}`));
      // A row with several locations gives a finding for each.
      const pointers = new Set(report.runs.flatMap((run) => run.findings.map(({ pointer }) => pointer)));
      assert.equal(report.read, counts.get(name), name);
      assert.equal(report.unreadable.length, 0, name);
      assert.equal(pointers.size + (rowsWithoutFinding[name] ?? 0), report.read, name);
      for (const finding of report.runs.flatMap((run) => run.findings)) {
        const location = `${name} ${finding.pointer}`;
        assert.ok(finding.title !== '' && finding.title.length <= 500, location);
        assert.ok(finding.path === null || !/^\/|\\|(^|\/)\.\.(\/|$)/.test(finding.path), location);
        assert.equal(finding.type === 'secret', finding.secret !== null, location);
      }
    }
  }
});

test('an image keeps its packages and its series over two years of Trivy', (t) => {
  const folder = `${samples}pairs/trivy-centos-7-timeline/`;
  if (!existsSync(folder)) {
    t.skip('../shared/samples is not here: real reports were not read');
    return;
  }
  const scans = readdirSync(folder).map((file) => {
    const run = parseReport(readFileSync(folder + file)).runs[0];
    assert.equal(run?.category, 'centos-7.tar.gz');
    return new Set(
      run.findings.map(({ rule, package: named }) => `${rule} ${named?.purl} ${named?.version}`),
    );
  });
  const [, , third, renamed, schema2, last] = scans;
  assert.deepEqual(third, renamed);
  assert.deepEqual(renamed, schema2);
  assert.ok(last?.isSubsetOf(schema2 ?? new Set()));
});
