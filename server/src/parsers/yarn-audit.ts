/**
 * The JSON lines of Yarn: `yarn audit` of version 1, with a line for each path to a vulnerable package, and `yarn npm
 * audit` of version 4, with a line for each advisory. The versions between write the object of npm 6, which only the
 * name of the format tells from npm's.
 */
import type { Format } from './format.ts';
import type { ReportDocument } from './reading/decode.ts';
import { asRecord, field, type JsonRecord, numberAt, recordAt, stringAt, stringsAt } from './reading/json.ts';
import { firstJsonRecord, readJsonValues } from './reading/json-lines.ts';
import type { ParseContext } from './reading/limits.ts';
import {
  filteredSeverities,
  isAdvisoryList,
  npmFinding,
  npmReport,
  readAdvisory,
  readRowMap,
} from './reading/npm-advisories.ts';
import { vulnerableUntil } from './reading/ranges.ts';
import type { Report, ReportFinding, Run } from './report.ts';

export const yarnAudit: Format = {
  name: 'yarn-audit',
  // Version 4 writes nothing at all if it finds nothing, and an upload sends an empty list in its place.
  writesLists: true,
  marks: ['type', 'data', 'value', 'children'],
  recognises,
  alsoReads: ({ json }) => isAdvisoryList(json),
  parse,
};

const auditLines = new Set(['auditAdvisory', 'auditAction', 'auditSummary']);
/** Version 1 writes its messages before the first line of the audit. */
const messageLines = new Set(['info', 'warning', 'error', 'verbose', 'step', 'activityStart', 'activityEnd']);
const maxMessages = 65_536;

function recognises(document: ReportDocument): boolean {
  const first = firstJsonRecord(document);
  const type = stringAt(first, 'type') ?? '';
  if (auditLines.has(type) || (first !== null && isTreeLine(first))) return true;
  return messageLines.has(type) && /"audit(?:Advisory|Summary)"/.test(document.text.slice(0, maxMessages));
}

/** A line of version 4. */
function isTreeLine(record: JsonRecord): boolean {
  const children = recordAt(record, 'children');
  return (
    stringAt(record, 'value') !== null &&
    ['ID', 'Issue', 'Tree Versions', 'Vulnerable Versions'].some((key) => Object.hasOwn(children ?? {}, key))
  );
}

function parse(document: ReportDocument, context: ParseContext): Report {
  const advisories = recordAt(document.json, 'advisories');
  if (advisories !== null) {
    const findings = readRowMap(
      advisories,
      '/advisories',
      (key, row, pointer) => readAdvisory(key, row, pointer, context),
      context,
    );
    return npmReport(yarnAudit.name, { findings, metadata: field(document.json, 'metadata') }, context);
  }
  const values = readJsonValues(document, context);
  const findings: ReportFinding[] = [];
  let outcome: Run['outcome'] = 'succeeded';
  let counted: JsonRecord | null = null;
  for (const { value, pointer } of values) {
    const type = stringAt(value, 'type');
    if (type === 'error') {
      context.warn('Yarn reports an error, so this run closes nothing.');
      outcome = 'failed';
    } else if (type === 'auditSummary' || type === 'info') {
      if (outcome === 'succeeded' && scannedNothing(value, context)) outcome = 'scanned_nothing';
    }
    if (type === 'auditSummary') counted = recordAt(recordAt(value, 'data'), 'vulnerabilities');
    if (type !== null && type !== 'auditAdvisory') continue;
    context.addRows(1, pointer);
    const found = readLine(value, pointer, context);
    if (found === null) context.addUnreadable(pointer, 'The line names no package or no advisory.');
    else for (const finding of found) findings.push(finding);
  }
  // The summary of version 1 counts all vulnerabilities, also those that `--level` leaves out.
  const gaps = filteredSeverities(counted, findings);
  return npmReport(yarnAudit.name, { findings, outcome, gaps }, context);
}

/** Without a lock file Yarn writes a message, and counts no package. */
function scannedNothing(line: unknown, context: ParseContext): boolean {
  const packages = numberAt(recordAt(line, 'data'), 'totalDependencies');
  const isWithoutLock = /no lockfile/i.test((stringAt(line, 'data') ?? '').slice(0, 200));
  if (packages !== 0 && !isWithoutLock) return false;
  context.warn('Yarn found no package to check: this run has no results, so it closes nothing.');
  return true;
}

function readLine(line: unknown, pointer: string, context: ParseContext): ReportFinding[] | null {
  const record = asRecord(line);
  if (record !== null && isTreeLine(record)) return readTree(record, pointer, context);
  const data = recordAt(record, 'data');
  const advisory = recordAt(data, 'advisory');
  if (advisory === null) return null;
  const resolution = recordAt(data, 'resolution');
  const key = stringAt(resolution, 'id') ?? '';
  return readAdvisory(key, advisory, pointer, context, stringAt(resolution, 'path'));
}

/** Version 4: the package, its versions in the project, and the packages that depend on it. */
function readTree(record: JsonRecord, pointer: string, context: ParseContext): ReportFinding[] | null {
  const children = recordAt(record, 'children');
  const number = stringAt(children, 'ID');
  if (number?.endsWith('(deprecation)')) {
    context.warn('Packages that are deprecated are counted and are no findings.');
    return [];
  }
  const name = stringAt(record, 'value');
  const range = stringAt(children, 'Vulnerable Versions') ?? '';
  const versions = new Set<string | null>(stringsAt(children, 'Tree Versions'));
  if (versions.size === 0) versions.add(null);
  context.addLocations(versions.size, pointer);
  const dependents = stringsAt(children, 'Dependents').slice(0, 50).map(dependentName);
  const row = {
    title: stringAt(children, 'Issue'),
    url: stringAt(children, 'URL'),
    severity: stringAt(children, 'Severity'),
  };
  const findings: ReportFinding[] = [];
  for (const version of versions) {
    const own = version === null ? (name ?? '') : `${name}@${version}`;
    const facts = {
      number,
      github: null,
      cves: [],
      packageName: name,
      description: range === '' ? '' : `Vulnerable versions: ${range}`,
      fixedVersions: vulnerableUntil(range),
      references: '',
      remediation: null,
      dependencyPaths: dependents.map((dependent) => [dependent, own]),
    };
    const finding = npmFinding(row, facts, version, pointer, context);
    if (finding === null) return null;
    findings.push(finding);
  }
  if (findings.length > 1) for (const finding of findings) finding.sharedRow = pointer;
  return findings;
}

/** `rake@virtual:0a1b#npm:1.0.0` is `rake@1.0.0`; a workspace has no version. */
function dependentName(locator: string): string {
  const at = locator.indexOf('@', 1);
  if (at === -1) return locator;
  const reference = locator.slice(at + 1).replace(/^virtual:[^#]*#/, '');
  const version = /^(?:npm:)?([0-9].*)$/.exec(reference)?.[1];
  return version === undefined ? locator.slice(0, at) : `${locator.slice(0, at)}@${version}`;
}
