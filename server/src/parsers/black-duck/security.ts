/**
 * Reads the CSV of security risks: a row for each vulnerability of each component. Older versions call the component a
 * project and its origin a channel.
 */
import { advisoryTitle } from '../reading/advisory-title.ts';
import { readCsv, readCsvHeader } from '../reading/csv.ts';
import { cvssOf, severityOf } from '../reading/cvss.ts';
import { cwesOf, newFinding, sortAdvisories } from '../reading/finding.ts';
import { type JsonRecord, numberAt, stringAt } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { typeOfPackage } from '../reading/packages.ts';
import type { NoFinding } from '../reading/rows.ts';
import { cleanName, safeLinks, safeText } from '../reading/text.ts';
import type { ReportFinding, ReportPackage } from '../report.ts';
import { packageOfOrigin } from './origins.ts';
import { componentIds, type SourcePaths } from './sources.ts';

export function securityRisksIn(text: string): boolean {
  const header = readCsvHeader(text)?.header ?? [];
  return (
    ['vulnerability id', 'remediation status', 'security risk'].every((name) => header.includes(name)) &&
    (header.includes('component name') || header.includes('project name'))
  );
}

type Row = ReportFinding[] | NoFinding;

/** Counts each row and passes its content on. `prefix` is the pointer of the file in an archive. */
export function readSecurityRisks(
  text: string,
  prefix: string,
  paths: SourcePaths,
  context: ParseContext,
  onRow: (row: Row, pointer: string) => void,
): void {
  readCsv(text, context, (cells, number) => {
    const pointer = `${prefix}${number}`;
    context.addRows(1, pointer);
    onRow(readRow(cells, pointer, paths, context), pointer);
  });
}

function readRow(row: JsonRecord, pointer: string, paths: SourcePaths, context: ParseContext): Row {
  const ids = idsOf(row, context);
  const named = packageOf(row, context);
  const [id] = ids;
  if (id === undefined) return { unreadable: 'The row has no id of a vulnerability.' };
  const status = statusOf(row);
  if (goneStatuses.has(status)) {
    return {
      skip: 'Vulnerabilities that are patched, mitigated or remediated are counted and are no findings.',
    };
  }
  const { same, related } = sortAdvisories(id, ids.slice(1));
  const cvss = cvssOf(numberAt(row, 'base score'), null);
  const description = stringAt(row, 'description');
  const locations = paths.of(componentIds(row), context);
  context.addLocations(locations.length - 1, pointer);
  const shared = newFinding({
    pointer,
    type: typeOfPackage(named),
    severity: severityOf(stringAt(row, 'security risk'), cvss?.score ?? null),
    title: advisoryTitle({ summary: null, description }, id, named?.name ?? null, context),
    description: safeText(description, context),
    rule: id,
    advisories: same,
    relatedAdvisories: related,
    package: named,
    cvss,
    cwes: cwesIn(stringAt(row, 'cwe ids') ?? ''),
    links: safeLinks([stringAt(row, 'url')]),
    suppression: suppressionOf(row, status, context),
    exploitable: /^true$/i.test(stringAt(row, 'reachable') ?? ''),
    sharedRow: locations.length > 1 ? pointer : null,
  });
  return locations.length === 0 ? [shared] : locations.map((path) => ({ ...shared, path }));
}

/**
 * `CVE-2031-0001 (BDSA-2031-0002)` names the same vulnerability twice. The bare numbers of VulnDB get the name of their
 * source, because other tools number their advisories too.
 */
function idsOf(row: JsonRecord, context: ParseContext): string[] {
  const written = cleanName(stringAt(row, 'vulnerability id') ?? '', context);
  if (written === '') return [];
  const known = written.match(/\b(?:CVE-[0-9]{4}-[0-9]{4,9}|BDSA-[0-9]{4}-[0-9]{1,9})\b/gi);
  if (known !== null) return [...new Set(known.map((id) => id.toUpperCase()))];
  const isNumber = /^[0-9]+$/.test(written);
  const source = stringAt(row, 'vulnerability source')?.toUpperCase() ?? '';
  return [isNumber && source !== '' ? cleanName(`${source}-${written}`, context) : written];
}

/** The columns of newer versions come first. */
function packageOf(row: JsonRecord, context: ParseContext): ReportPackage | null {
  const cell = (...columns: string[]): string | null =>
    columns.map((column) => stringAt(row, column)).find((text) => text !== null) ?? null;
  return packageOfOrigin(
    {
      origin: cell('component origin name', 'channel version origin'),
      originId: cell('component origin id', 'channel version origin id'),
      originVersion: cell('component origin version name', 'channel version origin name'),
      component: cell('component name', 'project name'),
      version: cell('component version name', 'version'),
    },
    context,
  );
}

function cwesIn(text: string): string[] {
  return cwesOf(text.slice(0, 4096).match(/\bCWE-[0-9]{1,6}/gi) ?? []);
}

/** Reports write `REMEDIATION_COMPLETE` or `Remediation Complete`. */
function statusOf(row: JsonRecord): string {
  return (stringAt(row, 'remediation status') ?? '').toUpperCase().replace(/[\s-]+/g, '_');
}

const goneStatuses: ReadonlySet<string> = new Set(['PATCHED', 'MITIGATED', 'REMEDIATION_COMPLETE']);

/** Statuses that Black Duck leaves out of its own calculation of risk, with their meanings. */
const dismissals: ReadonlyMap<string, string> = new Map([
  ['IGNORED', 'Ignored in Black Duck.'],
  ['DUPLICATE', 'A duplicate in Black Duck.'],
  ['NOT_AFFECTED', 'Not affected, by Black Duck.'],
  ['KNOWN_NOT_AFFECTED', 'Not affected, by Black Duck.'],
]);

function suppressionOf(row: JsonRecord, status: string, context: ParseContext): ReportFinding['suppression'] {
  const meaning = dismissals.get(status);
  if (meaning === undefined) return null;
  const reason = stringAt(row, 'remediation comment') ?? stringAt(row, 'status justification') ?? meaning;
  return { by: 'file', reason: safeText(reason, context), expiresAt: null };
}
