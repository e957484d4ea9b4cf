/**
 * Turns a record of OSV into a finding about one package of the report. It must never look at another package than its
 * own.
 */
import { advisoryTitle } from '../reading/advisory-title.ts';
import { cvssOfVectors, severityOf } from '../reading/cvss.ts';
import { cwesOf, newFinding, severityOfLabel, sortAdvisories } from '../reading/finding.ts';
import { arrayAt, field, type JsonRecord, numberAt, recordAt, stringAt, stringsAt } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { packageOfName, plainVersion, typeOfPackage } from '../reading/packages.ts';
import { cleanName, safeLinks, safeText } from '../reading/text.ts';
import type { ReportFinding, ReportPackage } from '../report.ts';
import { ofOsv } from './ecosystems.ts';

/** One element of a source's packages. */
export interface OsvEntry {
  record: JsonRecord;
  pointer: string;
  package: ReportPackage | null;
  location: Pick<ReportFinding, 'path' | 'pathIsTarget'>;
}

export function readOsvVulnerability(
  vulnerability: JsonRecord,
  reported: string,
  pointer: string,
  entry: OsvEntry,
  group: OsvGroup | null,
  context: ParseContext,
): ReportFinding {
  const id = cleanName(reported, context);
  const aliases = stringsAt(vulnerability, 'aliases');
  const named = entry.package ?? sourceRepository(vulnerability, entry.record, context);
  const clean = (ids: string[]): string[] => ids.map((other) => cleanName(other, context));
  // A distribution's record of a CVE names the CVE as its upstream.
  const { same, related } = sortAdvisories(id, clean([...aliases, ...stringsAt(vulnerability, 'upstream')]));
  const others = new Set(clean(stringsAt(vulnerability, 'related'))).difference(new Set(same));
  const summary = stringAt(vulnerability, 'summary');
  const details = stringAt(vulnerability, 'details');
  const affected = affectedBy(vulnerability, entry, context);
  // A record has its severities for all packages, or for each.
  const written = [vulnerability, ...affected].flatMap((holder) =>
    arrayAt(holder, 'severity').map((severity) => stringAt(severity, 'score') ?? ''),
  );
  const cvss = cvssOfVectors(written);
  const specific = recordAt(vulnerability, 'database_specific');
  // Ubuntu writes its word among the scores.
  const word = written.find((text) => severityOfLabel(text) !== 'unknown') ?? null;
  const own = severityOf(stringAt(specific, 'severity') ?? word, cvss?.score ?? null);
  const cwes = [
    ...stringsAt(specific, 'cwe_ids'),
    // Records of malicious packages have them for each affected package.
    ...arrayAt(vulnerability, 'affected').flatMap((affected) =>
      arrayAt(recordAt(affected, 'database_specific'), 'cwes').map((cwe) => stringAt(cwe, 'cweId')),
    ),
  ];
  return newFinding({
    pointer,
    type: typeOfPackage(named),
    severity: own === 'unknown' ? severityOf(group?.severityLabel ?? null, group?.score ?? null) : own,
    title: advisoryTitle({ summary, description: details }, id, named?.name ?? null, context),
    description: safeText(details ?? summary, context),
    rule: id,
    advisories: same,
    relatedAdvisories: [...new Set([...related, ...others])],
    package: named,
    fixedVersions: fixedVersions(affected, named?.purl ?? '', context),
    cvss,
    cwes: cwesOf(cwes),
    ...entry.location,
    links: safeLinks(arrayAt(vulnerability, 'references').map((reference) => stringAt(reference, 'url'))),
    exploitable: group?.called.has(reported) ?? false,
  });
}

/** A group of records that OSV-Scanner treats as the same vulnerability. */
export interface OsvGroup {
  score: number | null;
  /** The severity label of the first record of the group that has one. */
  severityLabel: string | null;
  /** The ids that the code reaches, according to the call analysis. */
  called: ReadonlySet<string>;
}

/** Maps the id of each grouped record to its group. */
export function osvGroupsOf(record: JsonRecord): Map<string, OsvGroup> {
  const labels = new Map<string, string>();
  for (const vulnerability of arrayAt(record, 'vulnerabilities')) {
    const label = stringAt(recordAt(vulnerability, 'database_specific'), 'severity');
    const id = stringAt(vulnerability, 'id');
    if (id !== null && severityOfLabel(label) !== 'unknown') labels.set(id, label ?? '');
  }
  const groups = new Map<string, OsvGroup>();
  for (const group of arrayAt(record, 'groups')) {
    const ids = stringsAt(group, 'ids');
    const analysis = recordAt(group, 'experimentalAnalysis') ?? recordAt(group, 'experimental_analysis');
    const called = ids.filter((id) => field(field(analysis, id), 'called') === true);
    const labelledId = ids.find((id) => labels.has(id));
    const known: OsvGroup = {
      score: numberAt(group, 'max_severity'),
      severityLabel: labelledId === undefined ? null : (labels.get(labelledId) ?? null),
      called: new Set(called),
    };
    for (const id of ids) groups.set(id, known);
  }
  return groups;
}

/** The record is about a commit and names no package. The repository of the record gives the name. */
function sourceRepository(
  vulnerability: JsonRecord,
  record: JsonRecord,
  context: ParseContext,
): ReportPackage | null {
  const commit = stringAt(recordAt(record, 'package'), 'commit');
  for (const affected of arrayAt(vulnerability, 'affected')) {
    for (const range of arrayAt(affected, 'ranges')) {
      const address = /^https:\/\/github\.com\/([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(
        (stringAt(range, 'repo') ?? '').slice(0, 300),
      );
      if (address?.[1] !== undefined) {
        return packageOfName({ type: 'github', namespace: null }, address[1], commit, context);
      }
    }
  }
  return null;
}

/** The parts of a record about the package, for this release of the distribution if releases differ. */
function affectedBy(vulnerability: JsonRecord, entry: OsvEntry, context: ParseContext): unknown[] {
  const named = entry.package;
  if (named === null) return [];
  const ecosystem = stringAt(recordAt(entry.record, 'package'), 'ecosystem') ?? '';
  const affected = arrayAt(vulnerability, 'affected').filter((candidate) => {
    const other = recordAt(candidate, 'package');
    const type = ofOsv(stringAt(other, 'ecosystem') ?? '');
    return packageOfName(type, stringAt(other, 'name'), null, context)?.purl === named.purl;
  });
  const exact = affected.filter(
    (candidate) => stringAt(recordAt(candidate, 'package'), 'ecosystem') === ecosystem,
  );
  return exact.length > 0 ? exact : affected;
}

/** Returns the ends of the package's vulnerable ranges. */
function fixedVersions(affected: readonly unknown[], purl: string, context: ParseContext): string[] {
  const versions = new Set<string>();
  for (const candidate of affected) {
    for (const range of arrayAt(candidate, 'ranges')) {
      if (stringAt(range, 'type') === 'GIT') continue;
      for (const event of arrayAt(range, 'events')) {
        const fixed = stringAt(event, 'fixed');
        if (fixed !== null) versions.add(plainVersion(purl, cleanName(fixed, context)));
      }
    }
  }
  return [...versions];
}
