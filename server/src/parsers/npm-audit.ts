/**
 * Owns the JSON of `npm audit`: version 6, which lists advisories (pnpm writes the same), and version 7 and later,
 * which list packages. npm's own number of an advisory changes over time, so it must never be a finding's identity if a
 * better id exists.
 */
import type { Format } from './format.ts';
import { advisoryTitle } from './reading/advisory-title.ts';
import { cvssOf, severityOf } from './reading/cvss.ts';
import type { ReportDocument } from './reading/decode.ts';
import { advisoriesIn, newFinding, newRun, sortAdvisories } from './reading/finding.ts';
import {
  asRecord,
  asString,
  field,
  type JsonRecord,
  numberAt,
  recordAt,
  stringAt,
  stringsAt,
} from './reading/json.ts';
import type { ParseContext } from './reading/limits.ts';
import { packageArtifact, packageOfName } from './reading/packages.ts';
import { patchedFrom, vulnerableUntil } from './reading/ranges.ts';
import { cleanName, safeLinks, safeText } from './reading/text.ts';
import { type Report, ReportError, type ReportFinding, type Unreadable } from './report.ts';

export const npmAudit: Format = {
  name: 'npm-audit',
  marks: ['auditReportVersion', 'vulnerabilities', 'metadata'],
  recognises,
  parse,
};

function recognises({ json }: ReportDocument): boolean {
  return isPackageList(json) || isAdvisoryList(json) || isFailure(json);
}

function isPackageList(json: unknown): boolean {
  return numberAt(json, 'auditReportVersion') !== null;
}

function isAdvisoryList(json: unknown): boolean {
  return (
    recordAt(json, 'advisories') !== null &&
    (Array.isArray(field(json, 'actions')) ||
      recordAt(recordAt(json, 'metadata'), 'vulnerabilities') !== null)
  );
}

/** Without a lock file or the registry, npm writes an error instead of a report. */
function isFailure(json: unknown): boolean {
  const error = recordAt(json, 'error');
  return typeof field(error, 'code') === 'string' && typeof field(error, 'summary') === 'string';
}

function parse({ json }: ReportDocument, context: ParseContext): Report {
  const unreadable: Unreadable[] = [];
  const lists = isPackageList(json) ? 'vulnerabilities' : 'advisories';
  const rows = recordAt(json, lists);
  if (rows === null) {
    throw new ReportError(
      'MALFORMED_REPORT',
      isFailure(json)
        ? 'npm audit failed: the report holds its error and no result.'
        : `The report of npm audit has no "${lists}".`,
      { pointer: isFailure(json) ? '/error' : '' },
    );
  }
  const read = lists === 'vulnerabilities' ? readPackage : readAdvisory;
  const keys = Object.keys(rows);
  context.addRows(keys.length, `/${lists}`);
  const findings: ReportFinding[] = [];
  for (const key of keys) {
    const pointer = `/${lists}/${key.slice(0, 500).replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const row = asRecord(field(rows, key));
    const found = row === null ? null : read(key, row, pointer, context);
    if (found === null) unreadable.push({ pointer, reason: 'The row names no package or no advisory.' });
    else findings.push(...found);
  }
  return {
    format: npmAudit.name,
    read: context.rows,
    runs: [newRun({ tool: 'npm-audit', showsScan: countDependencies(json) > 0, findings })],
    unreadable,
    statements: [],
    warnings: context.warnings,
  };
}

/** Version 6: a row is an advisory with the paths of its package; it gives one finding per installed version. */
function readAdvisory(
  key: string,
  row: JsonRecord,
  pointer: string,
  context: ParseContext,
): ReportFinding[] | null {
  const installed = field(row, 'findings');
  const versions = new Set<string | null>(
    Array.isArray(installed) ? installed.map((found) => stringAt(found, 'version')) : [],
  );
  if (versions.size === 0) versions.add(null);
  const texts = [stringAt(row, 'overview'), stringAt(row, 'recommendation')];
  const facts: Advisory = {
    number: stringAt(row, 'id') ?? key,
    github: stringAt(row, 'github_advisory_id'),
    cves: stringsAt(row, 'cves').flatMap(advisoriesIn),
    packageName: stringAt(row, 'module_name'),
    description: texts.filter((text) => text !== null && text !== 'None').join('\n\n'),
    fixedVersions: patchedFrom(stringAt(row, 'patched_versions') ?? ''),
    references: stringAt(row, 'references') ?? '',
  };
  const findings: ReportFinding[] = [];
  for (const version of versions) {
    const finding = readFinding(row, facts, version, pointer, context);
    if (finding === null) return null;
    findings.push(finding);
  }
  return findings;
}

/**
 * Version 7: a row is a package. Its `via` holds its own advisories (objects) and the packages that make it vulnerable.
 */
function readPackage(
  key: string,
  row: JsonRecord,
  pointer: string,
  context: ParseContext,
): ReportFinding[] | null {
  const via = field(row, 'via');
  if (!Array.isArray(via)) return null;
  const findings: ReportFinding[] = [];
  for (const [index, cause] of via.entries()) {
    if (asString(cause) !== null) continue;
    const number = stringAt(cause, 'source') ?? stringAt(cause, 'id');
    if (number === null && stringAt(cause, 'url') === null) return null;
    const advisory = asRecord(cause) ?? {};
    const range = stringAt(advisory, 'range') ?? stringAt(row, 'range') ?? '';
    const facts: Advisory = {
      number,
      github: null,
      cves: [],
      packageName: stringAt(advisory, 'name') ?? stringAt(row, 'name') ?? key,
      description: descriptionOf(range, stringsAt(row, 'nodes')),
      fixedVersions: vulnerableUntil(range),
      references: '',
    };
    const finding = readFinding(advisory, facts, null, `${pointer}/via/${index}`, context);
    if (finding === null) return null;
    findings.push(finding);
  }
  if (findings.length === 0) {
    context.warn(
      'Packages that are vulnerable only through others are counted and are no findings of their own.',
    );
  }
  return findings;
}

interface Advisory {
  number: string | null;
  github: string | null;
  cves: string[];
  packageName: string | null;
  description: string;
  fixedVersions: string[];
  references: string;
}

function readFinding(
  row: JsonRecord,
  facts: Advisory,
  version: string | null,
  pointer: string,
  context: ParseContext,
): ReportFinding | null {
  const named = packageOfName({ type: 'npm', namespace: null }, facts.packageName, version, context);
  const ids = advisoryIds(row, facts, context);
  const [id] = ids.same;
  if (named === null || id === undefined) return null;
  const score = recordAt(row, 'cvss');
  // Without a vector npm writes the score 0, which means that there is none.
  const cvss =
    stringAt(score, 'vectorString') === null
      ? null
      : cvssOf(numberAt(score, 'score'), stringAt(score, 'vectorString'));
  const cwes = stringsAt(row, 'cwe').flatMap(
    (text) => text.slice(0, 1000).match(/CWE-[1-9][0-9]{0,4}/g) ?? [],
  );
  return newFinding({
    pointer,
    type: 'dependency',
    severity: severityOf(stringAt(row, 'severity'), cvss?.score ?? null),
    title: advisoryTitle({ summary: stringAt(row, 'title'), description: null }, id, named.name, context),
    description: safeText(facts.description, context),
    rule: id,
    advisories: ids.same,
    relatedAdvisories: ids.related,
    package: named,
    fixedVersions: facts.fixedVersions.map((fixed) => cleanName(fixed, context)),
    cvss,
    cwes: [...new Set(cwes)],
    artifact: packageArtifact(named),
    links: safeLinks([
      stringAt(row, 'url'),
      ...(facts.references.slice(0, 16_384).match(/https?:\/\/[^\s<>()"]{1,2000}/g) ?? []),
    ]),
  });
}

/**
 * The id is GitHub's, which newer reports have in the address; else the only CVE; else npm's number. Beside a CVE the
 * number means the same, so that a later report with only the number matches.
 */
function advisoryIds(
  row: JsonRecord,
  facts: Advisory,
  context: ParseContext,
): { same: string[]; related: string[] } {
  const inAddress = advisoriesIn(stringAt(row, 'url') ?? '');
  const github = [...advisoriesIn(facts.github ?? ''), ...inAddress].find((id) => id.startsWith('GHSA-'));
  const cves = new Set([...facts.cves, ...inAddress].filter((id) => id.startsWith('CVE-')));
  const number = facts.number === null ? null : cleanName(`NPM-${facts.number}`, context);
  const [onlyCve] = cves.size === 1 ? cves : [];
  const id = github ?? onlyCve ?? number;
  if (id === null) return { same: [], related: [] };
  const sorted = sortAdvisories(id, [...cves]);
  if (number === null || number === id) return sorted;
  return onlyCve === undefined
    ? { ...sorted, related: [...sorted.related, number] }
    : { ...sorted, same: [...sorted.same, number] };
}

/** Version 7 has no text of the advisory. The description gives the vulnerable range and the installed paths. */
function descriptionOf(range: string, nodes: readonly string[]): string {
  const lines = range === '' ? [] : [`Vulnerable versions: ${range}`];
  const shown = nodes.slice(0, 20);
  if (shown.length > 0) lines.push(`Installed at: ${shown.join(', ')}${nodes.length > 20 ? ', …' : ''}`);
  return lines.join('\n');
}

/** npm 6 writes a number, later versions an object with a total. */
function countDependencies(json: unknown): number {
  const metadata = recordAt(json, 'metadata');
  return (
    numberAt(recordAt(metadata, 'dependencies'), 'total') ?? numberAt(metadata, 'totalDependencies') ?? 0
  );
}
