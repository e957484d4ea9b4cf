/**
 * Semgrep's supply chain findings: the package, its lock file, and whether the code reaches it. It must never take a
 * rule about code for one.
 */
import { ecosystemOfFile, ecosystemOfPackageManager } from '../reading/ecosystems.ts';
import { advisoriesIn, sortAdvisories } from '../reading/finding.ts';
import {
  arrayAt,
  asRecord,
  field,
  integerAt,
  type JsonRecord,
  recordAt,
  stringAt,
  stringsAt,
} from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { packageOfName, plainVersion } from '../reading/packages.ts';
import { repositoryPath } from '../reading/paths.ts';
import { cleanName } from '../reading/text.ts';
import type { ReportFinding } from '../report.ts';

type PackageFacts = Pick<
  ReportFinding,
  | 'type'
  | 'rule'
  | 'advisories'
  | 'relatedAdvisories'
  | 'package'
  | 'fixedVersions'
  | 'exploitable'
  | 'path'
  | 'line'
>;

/** Returns null for a finding in code. */
export function semgrepPackageFacts(
  extra: JsonRecord | null,
  metadata: JsonRecord | null,
  rule: string,
  context: ParseContext,
): PackageFacts | null {
  const info = recordAt(extra, 'sca_info');
  const match = recordAt(info, 'dependency_match');
  const found = recordAt(match, 'found_dependency');
  const name = stringAt(found, 'package');
  const lockfile = stringAt(match, 'lockfile') ?? stringAt(found, 'lockfile_path');
  const ecosystem = ecosystemOfPackageManager(stringAt(found, 'ecosystem') ?? '') ??
    ecosystemOfFile(lockfile ?? '') ?? { type: 'generic', namespace: null };
  const named = packageOfName(ecosystem, name, stringAt(found, 'version'), context);
  const ids = advisoryIds(metadata, context);
  const id = ids[0] ?? rule;
  if (named === null) return null;
  const { same, related } = sortAdvisories(id, ids.slice(1));
  return {
    type: 'dependency',
    rule: id,
    advisories: same,
    relatedAdvisories: related,
    package: named,
    fixedVersions: fixesOf(metadata, name ?? '', named.purl, context),
    exploitable: field(info, 'reachable') === true,
    // The package's location is the lock file. The message names the code that reaches it.
    ...(lockfile === null
      ? { path: null, line: null }
      : { path: repositoryPath(lockfile), line: integerAt(found, 'line_number', 1) }),
  };
}

/** The id of the vulnerability database comes first, then the ids in the references. */
function advisoryIds(metadata: JsonRecord | null, context: ParseContext): string[] {
  const own = [
    ...stringsAt(metadata, 'sca-vuln-database-identifier'),
    ...stringsAt(metadata, 'cve'),
    ...stringsAt(metadata, 'ghsa'),
  ].map((id) => cleanName(id, context));
  const named = stringsAt(metadata, 'references').flatMap(advisoriesIn);
  return [...new Set([...own, ...named])];
}

/** The report has `[{"name": "1.2.3"}]`, with one element for each supported line. */
function fixesOf(metadata: JsonRecord | null, name: string, purl: string, context: ParseContext): string[] {
  const fixes = arrayAt(metadata, 'sca-fix-versions').flatMap((fix) =>
    asRecord(fix) === null ? [] : stringsAt(fix, name),
  );
  return [...new Set(fixes.map((version) => plainVersion(purl, cleanName(version, context))))];
}
