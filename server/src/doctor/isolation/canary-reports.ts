/**
 * The reports of a canary workspace. Some findings are the same in both workspaces, others exist only in the one with
 * that mark.
 */

import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { parseReference } from '../../domain/reference-name.ts';
import { type ReportFile, reportFile } from '../../ingest/upload/import-files.ts';

/** The commit that both workspaces have scanned. */
export const sharedSha = 'c0ffee0123456789abcdef0123456789abcdef01';

/** A commit that only the workspace with this mark has scanned. */
export function shaOf(mark: string): string {
  return createHash('sha1').update(mark).digest('hex');
}

/** The number of components, each with a violation: one to name, and twice forty that requests use up. */
export const listedComponents = 81;

export interface CanaryPackage {
  id: string;
  package: string;
  severity: string;
  title: string;
  path?: string;
}

export const sharedPackages: CanaryPackage[] = [
  { id: 'CVE-2030-1001', package: 'lodash', severity: 'HIGH', title: 'lodash: prototype pollution' },
  { id: 'CVE-2030-1002', package: 'minimist', severity: 'LOW', title: 'minimist: bad parsing' },
];

/** The findings that exist only in the workspace with this mark, in its repository of that number. */
export function markedPackage(mark: string, i: number): CanaryPackage {
  return {
    id: `CVE-2031-${2000 + i}`,
    package: `${mark}-lib-${i}`,
    severity: 'CRITICAL',
    title: `${mark} ${i}`,
  };
}

/** `release` is a full name, because its short name means different references in the two workspaces. */
export function reportsOf(mark: string, more: number, release: string): ReportFile[] {
  return [
    report(packagesReport(sharedPackages), { sha: sharedSha }),
    report(packagesReport(sharedPackages.slice(1)), { ref: release }),
    report(packagesReport(sharedPackages), { sha: sharedSha, ref: 'feature/a' }),
    report(codeReport(), { sha: sharedSha }),
    report(
      packagesReport(
        many(40, (i) => ({
          id: 'CVE-2030-1003',
          package: 'tar',
          severity: 'HIGH',
          title: 'tar: CVE-2030-1003',
          path: `app-${i}/package-lock.json`,
        })),
      ),
      { repository: 'acme/team/api' },
    ),
    report(componentsReport(mark), { repository: 'acme/team/api' }),
    ...many(more, (i) =>
      report(packagesReport([markedPackage(mark, i)]), {
        repository: `${mark}-${i}/only`,
        ref: i % 2 === 0 ? 'main' : mark,
        sha: shaOf(mark),
      }),
    ),
  ];
}

/** Makes a report of `acme/shop` on main by default. */
export function report(
  content: object,
  { repository = 'acme/shop', ref = 'main', sha = null as string | null, partial = false } = {},
): ReportFile {
  const bytes = Buffer.from(JSON.stringify(content));
  return reportFile({
    repository: { fullName: repository },
    reference: parseReference(ref),
    sha,
    partial,
    fileName: 'report.json',
    open: () => Readable.from([bytes]),
  });
}

/** A report in the format of Trivy. */
export function packagesReport(rows: CanaryPackage[]): object {
  const paths = [...new Set(rows.map((row) => row.path ?? 'package-lock.json'))];
  return {
    SchemaVersion: 2,
    ArtifactName: '.',
    ArtifactType: 'repository',
    Results: paths.map((path) => ({
      Target: path,
      Class: 'lang-pkgs',
      Type: 'npm',
      Vulnerabilities: rows
        .filter((row) => (row.path ?? 'package-lock.json') === path)
        .map((row) => ({
          VulnerabilityID: row.id,
          PkgName: row.package,
          InstalledVersion: '1.0.0',
          Severity: row.severity,
          Title: row.title,
        })),
    })),
  };
}

/** A report in the format of Semgrep. */
function codeReport(): object {
  const rule = { id: 'sqli', shortDescription: { text: 'SQL from a request' } };
  const physicalLocation = {
    artifactLocation: { uri: 'src/db.ts' },
    region: { startLine: 1, snippet: { text: 'query(req.q)' } },
  };
  const message = { text: 'SQL from a request' };
  return {
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Semgrep OSS', semanticVersion: '1.90.0', rules: [rule] } },
        results: [{ ruleId: 'sqli', level: 'warning', message, locations: [{ physicalLocation }] }],
      },
    ],
  };
}

/** One component has a license, another an ecosystem, that only the workspace with this mark knows. */
function componentsReport(mark: string): object {
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    components: many(listedComponents, (i) => ({
      type: 'library',
      name: `part-${i}`,
      version: '1.0.0',
      purl: `pkg:${i === 1 ? mark : 'npm'}/part-${i}@1.0.0`,
      licenses: [{ license: i === 0 ? { name: `${mark}-license` } : { id: 'MIT' } }],
    })),
  };
}

export function many<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}
