/**
 * Snyk's rows about packages: vulnerabilities, licenses and malicious packages. Snyk writes a row for each path of
 * dependencies, so the rows of one package and issue share their paths. What a policy of the project ignores is listed
 * apart, and is suppressed.
 */
import type { VulnerabilityType } from '../../domain/packed-state.ts';
import { cvssOf } from '../reading/cvss.ts';
import { newEvidence } from '../reading/evidence.ts';
import { cwesOf, newFinding, severityOfLabel, sortAdvisories } from '../reading/finding.ts';
import {
  arrayAt,
  asRecord,
  field,
  type JsonRecord,
  numberAt,
  recordAt,
  stringAt,
  stringsAt,
} from '../reading/json.ts';
import { listAt } from '../reading/json-rows.ts';
import type { ParseContext } from '../reading/limits.ts';
import { plainVersion, typeOfPackage } from '../reading/packages.ts';
import { normalisePath } from '../reading/paths.ts';
import { isSystemPurl } from '../reading/purl.ts';
import { cleanName, readTimestamp, safeLinks, safeText, safeTitle } from '../reading/text.ts';
import type { ReportFinding, ReportPackage } from '../report.ts';
import { groupKey, type Shared, sharedFacts } from './dependency-paths.ts';
import { licenseOf, packageOf } from './names.ts';

/** The location of a project's packages: its manifest, or the image. */
interface PackageLocation {
  file: string | null;
  image: string | null;
}

export function readPackages(
  project: unknown,
  pointer: string,
  location: PackageLocation,
  context: ParseContext,
): ReportFinding[] {
  const filtered = recordAt(project, 'filtered');
  const rowsAt = (holder: unknown, key: string, at: string): unknown[] => [
    ...listAt(holder, key, at, context),
  ];
  const lists = [
    { rows: rowsAt(project, 'vulnerabilities', pointer), at: `${pointer}/vulnerabilities`, reason: null },
    {
      rows: rowsAt(filtered, 'ignore', `${pointer}/filtered`),
      at: `${pointer}/filtered/ignore`,
      reason: 'Ignored by a policy of Snyk.',
    },
    {
      rows: rowsAt(filtered, 'patch', `${pointer}/filtered`),
      at: `${pointer}/filtered/patch`,
      reason: 'Patched by Snyk.',
    },
  ];
  const groups = sharedFacts(lists.flatMap(({ rows }) => rows));
  const findings: ReportFinding[] = [];
  for (const { rows, at, reason } of lists) {
    context.addRows(rows.length, at);
    for (const [index, row] of rows.entries()) {
      const where = `${at}/${index}`;
      const record = asRecord(row);
      const id = stringAt(record, 'id');
      if (record === null || id === null) {
        context.addUnreadable(
          where,
          record === null ? 'The vulnerability is not an object.' : 'The vulnerability has no id.',
        );
        continue;
      }
      const shared = groups.get(groupKey(record)) ?? { dependencyPaths: [], upgrades: null };
      const finding = readRow(record, cleanName(id, context), { project, location, shared }, context);
      findings.push({
        ...finding,
        pointer: where,
        suppression: reason === null ? null : suppressionOf(record, reason, context),
      });
    }
  }
  return findings;
}

interface Facts {
  project: unknown;
  location: PackageLocation;
  shared: Shared;
}

function readRow(
  record: JsonRecord,
  id: string,
  { project, location, shared }: Facts,
  context: ParseContext,
): ReportFinding {
  const named = packageOf(record, id, project, location.file, context);
  const identifiers = recordAt(record, 'identifiers');
  const license = licenseOf(record, id);
  const others = ['CVE', 'GHSA', 'RUSTSEC'].flatMap((key) => stringsAt(identifiers, key));
  const { same, related } = sortAdvisories(
    id,
    others.map((other) => cleanName(other, context)),
  );
  const about = stringAt(record, 'title') ?? id;
  const isSystem = named !== null && isSystemPurl(named.purl);
  const description = safeText(stringAt(record, 'description'), context);
  return newFinding({
    pointer: '',
    type: license === null ? typeOf(record, named, location) : 'license',
    // Versions of 2020 wrote "high" for critical ones here, for the sake of older readers.
    severity: severityOfLabel(stringAt(record, 'severityWithCritical') ?? stringAt(record, 'severity')),
    title: safeTitle(named === null ? about : `${about} in ${named.name}`, context) || id,
    description,
    rule: id,
    advisories: license === null ? same : [cleanName(license, context)],
    relatedAdvisories: license === null ? related : [],
    package: named,
    fixedVersions: fixesOf(record, named, context),
    cvss: cvssOf(numberAt(record, 'cvssScore'), stringAt(record, 'CVSSv3') ?? stringAt(record, 'CVSSv4')),
    cwes: cwesOf(stringsAt(identifiers, 'CWE')),
    ...locationOf(location, isSystem),
    links: linksOf(record, id),
    exploitable: reachable.has((stringAt(record, 'reachability') ?? '').toLowerCase()),
    evidence: newEvidence(
      {
        remediation: shared.upgrades ?? remediationIn(description),
        dependencyPaths: shared.dependencyPaths,
      },
      context,
    ),
  });
}

const reachable = new Set(['reachable', 'function']);

function typeOf(
  record: JsonRecord,
  named: ReportPackage | null,
  location: PackageLocation,
): VulnerabilityType {
  if (field(record, 'malicious') === true) return 'malware';
  const isUnknown = named === null || named.purl.startsWith('pkg:generic/');
  return isUnknown && location.file === null && location.image !== null ? 'container' : typeOfPackage(named);
}

function fixesOf(record: JsonRecord, named: ReportPackage | null, context: ParseContext): string[] {
  const fixes = [...stringsAt(record, 'fixedIn'), ...stringsAt(record, 'nearestFixedInVersion')];
  return [...new Set(fixes.map((version) => plainVersion(named?.purl ?? '', cleanName(version, context))))];
}

function locationOf(
  { file, image }: PackageLocation,
  isSystem: boolean,
): Pick<ReportFinding, 'path' | 'pathIsTarget'> {
  if (image !== null && (isSystem || file === null))
    return { path: normalisePath(image), pathIsTarget: true };
  return { path: file, pathIsTarget: false };
}

function linksOf(record: JsonRecord, id: string): string[] {
  const own = /^(?:SNYK-|npm:|snyk:)[\w:.@/-]+$/.test(id) ? `https://security.snyk.io/vuln/${id}` : null;
  return safeLinks([own, ...arrayAt(record, 'references').map((link) => stringAt(link, 'url'))]);
}

/** Snyk's text about an issue has a section about its remedy. */
function remediationIn(description: string | null): string | null {
  const text = description?.slice(0, 100_000) ?? '';
  const start = /^#{1,3} Remediation[ \t]*$/m.exec(text);
  if (start === null) return null;
  return (
    text
      .slice(start.index + start[0].length)
      .split(/^#{1,3} /m, 1)[0]
      ?.trim() || null
  );
}

/** The rules of the policy that matched the row. The first one with a reason is shown, and the latest end counts. */
function suppressionOf(
  record: JsonRecord,
  fallback: string,
  context: ParseContext,
): ReportFinding['suppression'] {
  const filtered = recordAt(record, 'filtered');
  const rules = [...arrayAt(filtered, 'ignored'), ...arrayAt(filtered, 'patches')];
  const reason = rules.map((rule) => stringAt(rule, 'reason')).find((text) => text !== null);
  const ends = rules.map((rule) => readTimestamp(stringAt(rule, 'expires')));
  const isEndless = ends.length === 0 || ends.includes(null);
  return {
    by: 'file',
    reason: safeText(reason ?? fallback, context),
    expiresAt: isEndless
      ? null
      : (ends
          .filter((end) => end !== null)
          .sort()
          .at(-1) ?? null),
  };
}
