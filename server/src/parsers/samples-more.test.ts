/** Real reports of further formats, where they are at hand: every row is accounted for, as the manifest counts. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseReport } from './detect.ts';
import { type Report, ReportError } from './report.ts';

const samples = fileURLToPath(new URL('../../../../shared/samples-more/', import.meta.url));

/** The format that reads each folder of the manifest. */
const formatsByFolder: Readonly<Record<string, string>> = {
  'gitlab-sast': 'gitlab',
  'gitlab-dependency': 'gitlab',
  'gitlab-container': 'gitlab',
  'gitlab-secrets': 'gitlab',
  'gitlab-dast': 'gitlab',
  'snyk-json': 'snyk',
  'snyk-issue-api': 'snyk',
  'github-dependabot': 'github-dependabot',
  'github-code-scanning': 'github-code-scanning',
  'github-secret-scanning': 'github-secret-scanning',
  'trivy-operator': 'trivy-operator',
};

/** Files that are read otherwise than their folder and the manifest say. A null format means that it is refused. */
const exceptions: Readonly<Record<string, { format: string | null; read?: number }>> = {
  // Nothing in this empty report says whose it is.
  'gitlab-dast/gitlab_dast_zero_vul.json': { format: null },
  // An empty list, which several formats write. It is read if the format is named.
  'github-code-scanning/github_sast_zero_vul.json': { format: null },
  // Its alerts are those of code scanning.
  'github-dependabot/issue_9582.json': { format: 'github-code-scanning' },
};

interface Sample {
  name: string;
  format: string | null;
  /** The number of rows; null if the manifest does not count them. */
  rows: number | null;
}

function samplesOfManifest(): Sample[] {
  const found: Sample[] = [];
  let folder = '';
  for (const line of readFileSync(`${samples}MANIFEST.md`, 'utf8').split('\n')) {
    if (line.startsWith('## ')) folder = line.slice(3).trim();
    const cells = line.split('|').map((cell) => cell.trim());
    const format = formatsByFolder[folder];
    const name = `${folder}/${cells[1]}`;
    if (format === undefined || cells.length < 10 || !existsSync(samples + name)) continue;
    const exception = exceptions[name];
    const counted = /^[0-9]+/.exec(cells[3] ?? '')?.[0];
    found.push({
      name,
      format: exception === undefined ? (cells[5]?.startsWith('NO') ? null : format) : exception.format,
      rows: exception?.read ?? (counted === undefined ? null : Number(counted)),
    });
  }
  return found;
}

function read(name: string): Report | null {
  try {
    return parseReport(readFileSync(samples + name));
  } catch (error) {
    assert.ok(error instanceof ReportError, `${name}: ${error}`);
    return null;
  }
}

test('real reports of further formats are read to the last row', (t) => {
  if (!existsSync(samples)) {
    t.skip('../shared/samples-more is not here: real reports were not read');
    return;
  }
  const all = samplesOfManifest();
  for (const folder of Object.keys(formatsByFolder)) {
    assert.ok(
      all.some(({ name }) => name.startsWith(`${folder}/`)),
      `${folder} is not in the manifest`,
    );
  }
  for (const { name, format, rows } of all) {
    const report = read(name);
    assert.equal(report?.format ?? null, format, name);
    if (report === null) continue;
    const findings = report.runs.flatMap((run) => run.findings);
    if (rows !== null) assert.equal(report.read, rows, name);
    const found = new Set(findings.map(({ pointer }) => pointer)).size + report.unreadable.length;
    assert.ok(found === report.read || report.warnings.length > 0, `${name}: ${found} of ${report.read}`);
    for (const finding of findings) {
      const location = `${name} ${finding.pointer}`;
      assert.ok(finding.title !== '' && finding.title.length <= 500, location);
      assert.ok(finding.path === null || !/^\/|\\|(^|\/)\.\.(\/|$)/.test(finding.path), location);
      assert.equal(finding.type === 'secret', finding.secret !== null, location);
    }
  }
});
