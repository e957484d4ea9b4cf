/**
 * Makes of the affected packages of a reference what a scanner's report would be: one finding for each package in a
 * manifest and each vulnerability. Records that name one CVE are one finding, whatever databases they come from.
 */

import { isCveId } from '../../domain/cve.ts';
import { readOsvVulnerability } from '../../parsers/osv-scanner/records.ts';
import { newRun, sortAdvisories } from '../../parsers/reading/finding.ts';
import { type JsonRecord, stringAt, stringsAt } from '../../parsers/reading/json.ts';
import { defaultLimits, maxLinks, ParseContext } from '../../parsers/reading/limits.ts';
import { packageOfPurl } from '../../parsers/reading/packages.ts';
import { isSystemPurl } from '../../parsers/reading/purl.ts';
import type { ReportFinding } from '../../parsers/report.ts';
import { onlyCve } from '../prepare/advisory-names.ts';
import { prepareReport } from '../prepare/prepare-report.ts';
import type { PreparedReport } from '../prepare/prepared-report.ts';
import { type AffectedPackage, matchTool } from './match-store.ts';

/** `contents` has the fields of each advisory by its id. */
export function matchedReport(
  affected: AffectedPackage[],
  contents: ReadonlyMap<string, JsonRecord>,
): PreparedReport {
  const context = new ParseContext(defaultLimits);
  const findings = [...byLocation(affected).values()].flatMap((rows) => findingsOf(rows, contents, context));
  const report = {
    format: matchTool,
    read: findings.length,
    runs: [newRun({ tool: matchTool, showsScan: true, findings })],
    unreadable: [],
    statements: [],
    warnings: context.warnings,
  };
  // The key hashes secrets, and no advisory holds one.
  const prepared = prepareReport(report, Buffer.alloc(0));
  // The packages come from reports of others, so a policy that wants a scan of dependencies is not satisfied by a
  // match.
  return { ...prepared, runs: prepared.runs.map((run) => ({ ...run, analysisTypes: [] })) };
}

function byLocation(affected: AffectedPackage[]): Map<string, AffectedPackage[]> {
  const byKey = new Map<string, AffectedPackage[]>();
  for (const row of affected) {
    const key = JSON.stringify([row.path, row.purl, row.version]);
    const rows = byKey.get(key) ?? [];
    rows.push(row);
    byKey.set(key, rows);
  }
  return byKey;
}

/** The findings of one version of a package in one manifest. */
function findingsOf(
  rows: AffectedPackage[],
  contents: ReadonlyMap<string, JsonRecord>,
  context: ParseContext,
): ReportFinding[] {
  const read = rows
    .flatMap((row) => {
      const content = contents.get(row.advisory_id);
      if (content === undefined) return [];
      return byCve(row, content).map((one) => readFinding(row, one, context));
    })
    .sort(byPreference);
  return groupsOf(read).map(joined);
}

/**
 * An advisory of a distribution often is about several CVEs, and some name their CVEs as related only. Scanners report
 * each CVE by itself, so there is a finding for each of them.
 */
function byCve({ purl }: AffectedPackage, content: JsonRecord): JsonRecord[] {
  const id = stringAt(content, 'id') ?? '';
  if (!isSystemPurl(purl) || isCveId(id)) return [content];
  const cvesAt = (...keys: string[]): string[] => [
    ...new Set(keys.flatMap((key) => stringsAt(content, key)).filter(isCveId)),
  ];
  const named = cvesAt('aliases', 'upstream');
  const cves = named.length > 0 ? named : cvesAt('related');
  if (cves.length === 0 || named.length === 1) return [content];
  const summary = stringAt(content, 'summary')?.replace(/^(?:Critical|Important|Moderate|Low): /, '') ?? null;
  return cves.map((cve) => ({
    ...content,
    id: cve,
    summary: summary === null ? null : `${cve}: ${summary}`,
    aliases: [],
    upstream: [],
    related: [id],
  }));
}

function readFinding(row: AffectedPackage, content: JsonRecord, context: ParseContext): ReportFinding {
  const entry = {
    record: {},
    pointer: '',
    package: packageOfPurl(row.purl, null, row.version, context),
    location: { path: row.path, pathIsTarget: false },
  };
  const id = stringAt(content, 'id') ?? row.advisory_id;
  const finding = readOsvVulnerability(content, id, `/${row.advisory_id}`, entry, null, context);
  return { ...finding, fixedVersions: row.fix_version === null ? [] : [row.fix_version] };
}

// Other tools name an advisory without a CVE by GitHub's id. A record of one CVE says more of it than one of several.
function byPreference(a: ReportFinding, b: ReportFinding): number {
  const rank = ({ rule }: ReportFinding): number => (rule.startsWith('GHSA-') ? 0 : isCveId(rule) ? 2 : 1);
  return rank(a) - rank(b) || (a.rule < b.rule ? -1 : 1);
}

/** Groups findings of one CVE; without a CVE, those that name each other. */
function groupsOf(findings: ReportFinding[]): ReportFinding[][] {
  const groups: ReportFinding[][] = [];
  const groupOf = new Map<string, ReportFinding[]>();
  for (const finding of findings) {
    const cve = onlyCve(finding.advisories);
    const names = cve === undefined ? finding.advisories : [cve];
    const known = names.map((name) => groupOf.get(name)).find((group) => group !== undefined);
    const group = known ?? [];
    if (known === undefined) groups.push(group);
    group.push(finding);
    for (const name of names) if (!groupOf.has(name)) groupOf.set(name, group);
  }
  return groups;
}

/** The first finding speaks for its group, and the others add what it does not say. */
function joined(group: ReportFinding[]): ReportFinding {
  const [first] = group;
  if (first === undefined) throw new Error('a group has a finding');
  if (group.length === 1) return first;
  const all = <T>(of: (finding: ReportFinding) => T[]): T[] => [...new Set(group.flatMap(of))];
  const advisories = all((finding) => finding.advisories);
  return {
    ...first,
    type: group.some(({ type }) => type === 'malware') ? 'malware' : first.type,
    severity: group.find(({ severity }) => severity !== 'unknown')?.severity ?? 'unknown',
    description: group.find(({ description }) => description !== null)?.description ?? null,
    cvss: group.find(({ cvss }) => cvss !== null)?.cvss ?? null,
    advisories,
    relatedAdvisories: all((finding) => finding.relatedAdvisories).filter((id) => !advisories.includes(id)),
    cwes: all((finding) => finding.cwes),
    links: all((finding) => finding.links).slice(0, maxLinks),
  };
}

/** Returns the names of each advisory: its id, and the ids that mean the same. */
export function namesOf(contents: ReadonlyMap<string, JsonRecord>): { advisories: string[] }[] {
  return [...contents].map(([id, content]) => ({
    advisories: sortAdvisories(id, [...stringsAt(content, 'aliases'), ...stringsAt(content, 'upstream')])
      .same,
  }));
}
