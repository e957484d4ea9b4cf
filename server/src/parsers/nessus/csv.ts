/**
 * Reads the CSV of Nessus, Tenable Vulnerability Management (both exports), Security Center and Web App Scanning. They
 * name the same columns differently, and people choose which columns there are. Nessus writes a row for each CVE of a
 * plug-in, so the rows of one result become one finding, as in `.nessus`.
 */
import { createHash } from 'node:crypto';
import { type Severity, severities } from '../../domain/packed-state.ts';
import { readCsv, readCsvHeader } from '../reading/csv.ts';
import { cwesOf, severityOfLabel, severityOfScore } from '../reading/finding.ts';
import { asInteger, type JsonRecord, stringAt } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { safeText } from '../reading/text.ts';
import type { ReportFinding } from '../report.ts';
import { cvssOfVersions, findingOf, type PluginResult } from './findings.ts';
import { localCheckGaps, newScan, type Scan, versionIn } from './scan.ts';

/** The names of one column in the exports, the most telling first. */
const columns = {
  plugin: ['plugin id', 'plugin', 'definition.id'],
  name: ['name', 'plugin name', 'definition.name'],
  family: ['plugin family', 'family', 'definition.family'],
  // The severity that the product shows comes before the risk of the plug-in.
  severity: ['severity', 'risk', 'definition.severity', 'risk factor'],
  host: [
    ...['url', 'host', 'dns name', 'fqdn', 'asset.display_fqdn', 'asset.host_name', 'asset.name'],
    ...['ip address', 'asset.display_ipv4_address', 'asset.display_ipv6_address', 'netbios name', 'netbios'],
  ],
  port: ['port'],
  protocol: ['protocol'],
  parameter: ['input name', 'input_name'],
  cve: ['cve', 'definition.cve'],
  cwe: ['cwe', 'definition.cwe'],
  references: ['cross references', 'xref', 'definition.references'],
  synopsis: ['synopsis', 'definition.synopsis'],
  description: ['description', 'definition.description'],
  solution: ['solution', 'steps to remediate', 'definition.solution'],
  links: ['see also', 'definition.see_also'],
  output: ['plugin output', 'plugin text', 'output'],
  state: ['vulnerability state', 'state'],
  modification: ['modification', 'risk_modified'],
  comment: ['accept risk comment', 'recast_reason'],
  exploited: ['exploited by nessus', 'definition.exploited_by_nessus'],
} satisfies Record<string, string[]>;

const cvssColumns: readonly { score: string[]; vector: string[] }[] = [
  {
    score: ['cvss v4.0 base score', 'cvss v4 base score', 'cvss4 base score', 'definition.cvss4.base_score'],
    vector: ['cvss v4.0 vector', 'cvss v4 vector', 'cvss4 vector', 'definition.cvss4.base_vector'],
  },
  {
    score: [
      ...['cvss v3.0 base score', 'cvss v3 base score', 'cvss3 base score', 'cvssv3'],
      'definition.cvss3.base_score',
    ],
    vector: ['cvss v3.0 vector', 'cvss v3 vector', 'cvss3 vector', 'definition.cvss3.base_vector'],
  },
  {
    score: [
      ...['cvss v2.0 base score', 'cvss v2 base score', 'cvss base score', 'cvss'],
      'definition.cvss2.base_score',
    ],
    vector: ['cvss v2.0 vector', 'cvss v2 vector', 'cvss vector', 'definition.cvss2.base_vector'],
  },
];

/** A plug-in, its severity and a host are in every useful export, independent of the other chosen columns. */
export function isNessusCsv(text: string): boolean {
  const names = readCsvHeader(text)?.header ?? [];
  const hasOne = (column: readonly string[]): boolean => column.some((name) => names.includes(name));
  const isOfPlugins =
    hasOne(['plugin id', 'definition.id']) || (names.includes('plugin') && names.includes('plugin name'));
  return isOfPlugins && hasOne(columns.severity) && hasOne(columns.host);
}

export function readNessusCsv(text: string, context: ParseContext): Scan {
  const scan = newScan();
  const results = new Map<string, Result>();
  readCsv(text, context, (row, pointer) => {
    context.addRows(1, pointer);
    scan.showsHosts = true;
    const plugin = cell(row, 'plugin');
    scan.version ??= versionIn(plugin, outputOf(row));
    scan.gaps.push(...localCheckGaps(plugin, cell(row, 'host')));
    const finding = readRow(row, pointer, context);
    if ('skip' in finding) {
      context.warn(finding.skip);
      return;
    }
    if ('unreadable' in finding) {
      context.addUnreadable(pointer, finding.unreadable);
      return;
    }
    const key = keyOf(row, finding);
    const known = results.get(key);
    if (known === undefined) {
      results.set(key, { finding, merged: null });
      return;
    }
    context.warn('Rows about the same plug-in, host and port are one finding.');
    addRow(known, finding);
  });
  for (const result of results.values()) scan.findings.push(mergedFinding(result));
  return scan;
}

/** The first row of a result; `merged` has the lists of all its rows if there are several. */
interface Result {
  finding: ReportFinding;
  merged: { relatedAdvisories: Set<string>; cwes: Set<string> } | null;
}

/** Rows of one result have the same output. A plug-in with another output found something else on the same port. */
function keyOf(row: JsonRecord, { rule, path, code }: ReportFinding): string {
  const output = createHash('sha256')
    .update(outputOf(row) ?? '')
    .digest('base64');
  return JSON.stringify([rule, path, code, output]);
}

/** The merged values must not depend on the order of the rows. */
function addRow(result: Result, row: ReportFinding): void {
  const known = result.finding;
  result.merged ??= {
    relatedAdvisories: new Set(known.relatedAdvisories),
    cwes: new Set(known.cwes),
  };
  for (const id of row.relatedAdvisories) result.merged.relatedAdvisories.add(id);
  for (const cwe of row.cwes) result.merged.cwes.add(cwe);
  if ((row.cvss?.score ?? -1) > (known.cvss?.score ?? -1)) known.cvss = row.cvss;
  if (severities.indexOf(row.severity) > severities.indexOf(known.severity)) known.severity = row.severity;
}

function mergedFinding({ finding, merged }: Result): ReportFinding {
  if (merged === null) return finding;
  return {
    ...finding,
    relatedAdvisories: [...merged.relatedAdvisories].sort(),
    cwes: [...merged.cwes].sort(),
  };
}

function cell(row: JsonRecord, column: keyof typeof columns): string | null {
  return first(row, columns[column]);
}

function first(row: JsonRecord, names: readonly string[]): string | null {
  for (const name of names) {
    const text = stringAt(row, name);
    if (text !== null && !/^(?:N\/A|null)$/i.test(text)) return text;
  }
  return null;
}

type Row = ReportFinding | { unreadable: string } | { skip: string };

function readRow(row: JsonRecord, pointer: string, context: ParseContext): Row {
  const written = cell(row, 'severity')?.toUpperCase() ?? null;
  if (written === 'PASSED') return { skip: 'Compliance checks that passed are counted and are no findings.' };
  if (/^fixed$/i.test(cell(row, 'state') ?? '')) {
    return { skip: 'Vulnerabilities that are fixed are counted and are no findings.' };
  }
  const cvss = cvssOfVersions(
    cvssColumns.map(({ score, vector }) => ({
      score: first(row, score),
      vector: vectorOf(first(row, vector)),
    })),
  );
  const plugin = cell(row, 'plugin');
  const description = cell(row, 'description');
  const result: PluginResult = {
    // The rest of a row with a line break outside quotes is a row without a number.
    plugin: plugin !== null && /^[0-9]{1,10}$/.test(plugin) ? plugin : null,
    name: cell(row, 'name'),
    check: isCompliance(written) ? checkIn(description ?? '') : null,
    family: cell(row, 'family'),
    severity: severityOf(written, cvss?.score ?? null),
    cvss,
    cves: [cell(row, 'cve') ?? ''],
    cwes: weaknessesOf(row),
    texts: [cell(row, 'synopsis'), description],
    output: outputOf(row),
    solution: cell(row, 'solution'),
    links: [cell(row, 'links') ?? ''],
    host: cell(row, 'host'),
    port: cell(row, 'port'),
    protocol: cell(row, 'protocol'),
    parameter: cell(row, 'parameter'),
    suppression: suppressionOf(row, context),
    isExploited: /^(?:true|yes)$/i.test(cell(row, 'exploited') ?? ''),
  };
  return findingOf(result, pointer, context);
}

/** The results of an audit file have words of their own in the column of the risk. */
const severitiesOfResults: ReadonlyMap<string, Severity> = new Map([
  ['FAILED', 'high'],
  ['WARNING', 'medium'],
  ['ERROR', 'unknown'],
]);

function isCompliance(written: string | null): boolean {
  return severitiesOfResults.has(written ?? '');
}

/** The description of a result begins with `"1.1 Lock the shed" : [FAILED]`. */
function checkIn(description: string): string | null {
  return /^"?([^\n]{1,400}?)"? ?: ?\[(?:FAILED|WARNING|ERROR)\]/.exec(description)?.[1] ?? null;
}

/** A number counts from 0 for information to 4 for critical. */
function severityOf(written: string | null, score: number | null): Severity {
  const ofResult = severitiesOfResults.get(written ?? '');
  if (ofResult !== undefined) return ofResult;
  const number = asInteger(written, 0);
  const shown = number === null ? severityOfLabel(written) : (severities[number + 1] ?? 'unknown');
  return shown === 'unknown' ? (severityOfScore(score) ?? 'unknown') : shown;
}

/**
 * Security Center leaves out the version of a vector. Only vectors of version 3 have privileges and no attack
 * requirements.
 */
function vectorOf(vector: string | null): string | null {
  return vector !== null && /^AV:.*\/PR:/.test(vector) && !/\/AT:/.test(vector)
    ? `CVSS:3.0/${vector}`
    : vector;
}

function weaknessesOf(row: JsonRecord): string[] {
  const listed = (cell(row, 'cwe') ?? '').slice(0, 4096).split(/[\s,;]+/);
  const referenced = (cell(row, 'references') ?? '')
    .slice(0, 65_536)
    .matchAll(/\bCWE ?[:#-] ?([0-9]{1,6})/gi);
  return cwesOf([...listed, ...Array.from(referenced, ([, number = '']) => number)]);
}

/** Tenable writes an apostrophe before a text that a spreadsheet could take for a formula. */
function outputOf(row: JsonRecord): string | null {
  const output = cell(row, 'output')
    ?.replace(/^'(?=[\s=+@-])/, '')
    .replace(/^Plugin Output:/, '')
    .trim();
  return output === undefined || output === '' ? null : output;
}

/** A person accepted the risk in Tenable. A risk with another severity is only recast. */
function suppressionOf(row: JsonRecord, context: ParseContext): ReportFinding['suppression'] {
  const comment = stringAt(row, 'accept risk comment');
  const isAccepted = /^accepted$/i.test(cell(row, 'modification') ?? '') || comment !== null;
  if (!isAccepted) return null;
  const reason = cell(row, 'comment') ?? 'The risk is accepted in Tenable.';
  return { by: 'file', reason: safeText(reason, context), expiresAt: null };
}
