/** Real reports of further formats, where they are at hand: every row is accounted for, as their manifest counts. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseReport } from './parse-report.ts';
import { ReportError } from './report.ts';

const samples = fileURLToPath(new URL('../../../../shared/samples-more/', import.meta.url));

interface Folder {
  format: string;
  /** Files that another format reads, because their content does not identify the tool. */
  others?: Readonly<Record<string, string>>;
  /** Files that only the name of the format distinguishes from others, or that are refused. */
  named?: readonly string[];
  refused?: readonly string[];
  /** The manifest gives no count of some files. */
  isPartlyCounted?: boolean;
  /** True if the manifest counts the rows after the slash, and something else before it. */
  countsAfterSlash?: boolean;
}

const folders: Readonly<Record<string, Folder>> = {
  // GitLab, Snyk, GitHub and the Trivy Operator.
  'gitlab-sast': { format: 'gitlab' },
  'gitlab-dependency': { format: 'gitlab' },
  'gitlab-container': { format: 'gitlab' },
  'gitlab-secrets': { format: 'gitlab' },
  // This empty report does not name its tool.
  'gitlab-dast': { format: 'gitlab', refused: ['gitlab_dast_zero_vul.json', 'empty_with_error.json'] },
  'snyk-json': { format: 'snyk' },
  'snyk-issue-api': { format: 'snyk' },
  'github-dependabot': { format: 'github-dependabot', others: { 'issue_9582.json': 'github-code-scanning' } },
  'github-code-scanning': { format: 'github-code-scanning', named: ['github_sast_zero_vul.json'] },
  'github-secret-scanning': {
    format: 'github-secret-scanning',
    refused: ['github_secrets_detection_report_invalid.json'],
  },
  'trivy-operator': { format: 'trivy-operator' },
  xray: { format: 'xray' },
  'dependency-track-fpf': { format: 'dependency-track' },
  'black-duck': { format: 'black-duck' },

  // Running sites, hosts, secrets, and configuration.
  burp: { format: 'burp' },
  'kube-bench': { format: 'kube-bench' },
  kubescape: { format: 'kubescape' },
  tfsec: { format: 'tfsec' },
  'rusty-hog': { format: 'rusty-hog' },
  mobsf: { format: 'mobsf', isPartlyCounted: true },
  nmap: { format: 'nmap' },
  nessus: { format: 'nessus' },

  // Cloud, SonarQube, generic findings, audits of packages, and code scanners.
  asff: { format: 'asff' },
  'aws-inspector': { format: 'aws-inspector', named: ['aws_inspector2_zero_vul.json'] },
  ocsf: { format: 'ocsf', named: ['prowler_zero_vul.json'] },
  'defectdojo-generic': { format: 'defectdojo-generic' },
  'yarn-audit': { format: 'yarn-audit', others: { 'issue_6495.json': 'npm-audit' } },
  'pnpm-audit': { format: 'pnpm-audit' },
  bandit: { format: 'bandit' },
  fortify: { format: 'fortify' },
  gosec: { format: 'gosec' },
  brakeman: { format: 'brakeman' },
  'bundler-audit': { format: 'bundler-audit' },
  checkmarx: { format: 'checkmarx', isPartlyCounted: true },
  veracode: { format: 'veracode' },
  sonarqube: { format: 'sonarqube', refused: ['empty_zip.zip'] },

  // Statements and packages.
  'csaf-vex': { format: 'csaf', countsAfterSlash: true },
  'spdx-json': { format: 'spdx', countsAfterSlash: true },
  'spdx-tag-value': { format: 'spdx', countsAfterSlash: true },
};

/** `folder/file` → the number of entries in the third column of the folder's table. */
function manifestCounts(): Map<string, number> {
  const counts = new Map<string, number>();
  let folder = '';
  for (const line of readFileSync(`${samples}MANIFEST.md`, 'utf8').split('\n')) {
    if (line.startsWith('## ')) folder = line.slice(3).trim();
    const cells = line.split('|').map((cell) => cell.trim());
    const [, first, second] = /^([0-9]+)(?: \/ ([0-9-]+))?$/.exec(cells[3] ?? '') ?? [];
    const entries = folders[folder]?.countsAfterSlash === true ? (second ?? first) : first;
    if (Object.hasOwn(folders, folder) && entries !== undefined) {
      counts.set(`${folder}/${cells[1]}`, Number(entries));
    }
  }
  return counts;
}

for (const [folder, { format, others = {}, named = [], refused = [], isPartlyCounted }] of Object.entries(
  folders,
)) {
  test(`real reports in ${folder} are read to the last row`, (t) => {
    if (!existsSync(samples)) {
      t.skip('../shared/samples-more is not here: real reports were not read');
      return;
    }
    const counts = manifestCounts();
    for (const file of readdirSync(`${samples}${folder}`)) {
      const name = `${folder}/${file}`;
      const bytes = readFileSync(`${samples}${name}`);
      if (refused.includes(file)) {
        assert.throws(() => parseReport(bytes), ReportError, name);
        continue;
      }
      const report = parseReport(bytes, named.includes(file) ? { format } : {});
      assert.equal(report.format, others[file] ?? format, name);
      if (isPartlyCounted !== true || counts.has(name)) assert.equal(report.read, counts.get(name), name);
      assert.deepEqual(report.unreadable, [], name);
      const findings = report.runs.flatMap((run) => run.findings);
      const pointers = new Set([...findings, ...report.statements].map(({ pointer }) => pointer));
      // A row without a finding or statement is explained by a warning.
      assert.ok(
        pointers.size === report.read || report.warnings.length > 0,
        `${name}: ${pointers.size} rows`,
      );
      for (const finding of findings) {
        const location = `${name} ${finding.pointer}`;
        assert.ok(finding.title !== '' && finding.title.length <= 500, location);
        assert.ok(finding.path === null || !/^\/|\\|(^|\/)\.\.(\/|$)/.test(finding.path), location);
        assert.equal(finding.type === 'secret', finding.secret !== null, location);
      }
    }
  });
}
