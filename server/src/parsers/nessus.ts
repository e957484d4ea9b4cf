/**
 * Owns the export of Nessus and Tenable, `.nessus` (NessusClientData_v2). Each `ReportItem` is a row: one plug-in on one
 * host and port. Types: plug-ins about web applications are `dast`, all others `other`, because a host is neither a
 * repository's package nor its image. The policy of the scan is not read, because it may hold credentials.
 */
import { type Severity, severities } from '../domain/packed-state.ts';
import type { Format } from './format.ts';
import { cvssOf } from './reading/cvss.ts';
import type { ReportDocument } from './reading/decode.ts';
import { newEvidence } from './reading/evidence.ts';
import {
  advisoriesIn,
  cweOf,
  newFinding,
  newRun,
  severityOfLabel,
  severityOfScore,
} from './reading/finding.ts';
import { hostLocation } from './reading/host-locations.ts';
import { asInteger, asNumber } from './reading/json.ts';
import type { ParseContext } from './reading/limits.ts';
import { stableCategory } from './reading/stable-category.ts';
import { cleanName, safeCode, safeLinks, safeText, safeTitle, timestampOfSeconds } from './reading/text.ts';
import { addressesIn } from './reading/web-locations.ts';
import { attributeOf, childrenOf, readXml, textOf, type XmlElement, xmlRoot } from './reading/xml.ts';
import type { Report, ReportFinding, Unreadable } from './report.ts';

export const nessus: Format = {
  name: 'nessus',
  marks: ['NessusClientData_v2', 'ReportHost', 'ReportItem'],
  recognises,
  parse,
};

function recognises({ json, text }: ReportDocument): boolean {
  return json === undefined && xmlRoot(text)?.name === 'NessusClientData_v2';
}

function parse({ text }: ReportDocument, context: ParseContext): Report {
  const findings: ReportFinding[] = [];
  const unreadable: Unreadable[] = [];
  const scan: Scan = { name: null, version: null, endedAt: null, hosts: 0, hasUnfinishedHosts: false };
  let host: string | null = null;
  readXml(text, context, {
    row: ['HostProperties', 'ReportItem'],
    onOpen: (element) => {
      if (element.name === 'Report') scan.name ??= attributeOf(element, 'name');
      if (element.name !== 'ReportHost') return;
      scan.hosts++;
      host = attributeOf(element, 'name');
    },
    onRow: (element, pointer) => {
      if (element.name === 'HostProperties') {
        const address = readHost(element, scan);
        host ??= address;
        return;
      }
      context.addRows(1, pointer);
      const row = readItem(element, host, pointer, context);
      scan.version ??= versionIn(element);
      if ('skip' in row) context.warn(row.skip);
      else if ('unreadable' in row) unreadable.push({ pointer, reason: row.unreadable });
      else findings.push(row);
    },
  });
  if (scan.hosts === 0) {
    context.warn('Nessus reached no host: this run shows nothing, and nothing is closed by it.');
  }
  if (scan.hasUnfinishedHosts) {
    context.warn('Nessus did not finish some hosts: what this run does not show stays open.');
  }
  return {
    format: nessus.name,
    read: context.rows,
    runs: [
      newRun({
        tool: 'nessus',
        toolVersion: scan.version === null ? null : cleanName(scan.version, context),
        category: scan.name === null ? '' : stableCategory(cleanName(scan.name, context)),
        ranAt: scan.endedAt,
        outcome: scan.hosts === 0 ? 'scanned_nothing' : scan.hasUnfinishedHosts ? 'failed' : 'succeeded',
        showsScan: scan.hosts > 0,
        findings,
      }),
    ],
    unreadable,
    statements: [],
    warnings: context.warnings,
  };
}

interface Scan {
  /** The name that a person gave the scan. */
  name: string | null;
  version: string | null;
  /** The time when the last host was finished. */
  endedAt: string | null;
  hosts: number;
  hasUnfinishedHosts: boolean;
}

/** Reads the times of a host, and gives its address for a host without a name. */
function readHost(properties: XmlElement, scan: Scan): string | null {
  const tags = new Map<string, string>();
  for (const tag of childrenOf(properties, 'tag')) {
    const name = attributeOf(tag, 'name');
    if (name !== null && !tags.has(name)) tags.set(name, tag.text.trim());
  }
  const endedAt = timestampOfSeconds(asNumber(tags.get('HOST_END_TIMESTAMP')));
  if (endedAt !== null && (scan.endedAt === null || endedAt > scan.endedAt)) scan.endedAt = endedAt;
  if (tags.has('HOST_START') && !tags.has('HOST_END') && endedAt === null) scan.hasUnfinishedHosts = true;
  return tags.get('host-fqdn') ?? tags.get('host-ip') ?? null;
}

/** The plug-in "Nessus Scan Information" (19506) writes the scanner's version. */
function versionIn(item: XmlElement): string | null {
  if (attributeOf(item, 'pluginID') !== '19506') return null;
  const output = textOf(item, 'plugin_output')?.slice(0, 4096) ?? '';
  return /Nessus version : ([0-9][0-9.]{0,20})/.exec(output)?.[1] ?? null;
}

type Row = ReportFinding | { unreadable: string } | { skip: string };

function readItem(item: XmlElement, host: string | null, pointer: string, context: ParseContext): Row {
  const plugin = attributeOf(item, 'pluginID');
  const check = textOf(item, 'compliance-check-name');
  const name = check ?? attributeOf(item, 'pluginName') ?? textOf(item, 'plugin_name');
  if (plugin === null && name === null) return { unreadable: 'The item has neither a plug-in nor a name.' };
  const result = textOf(item, 'compliance-result')?.toUpperCase() ?? null;
  if (result === 'PASSED') return { skip: 'Compliance checks that passed are counted and are no findings.' };
  // One plug-in makes all checks of an audit file, so the check's name tells them apart.
  const rule = cleanName([plugin, check].filter((part) => part !== null).join(': ') || (name ?? ''), context);
  const cves = childrenOf(item, 'cve').flatMap(({ text }) => advisoriesIn(text));
  const cvss = cvssIn(item);
  const explanation = textOf(item, 'description') ?? textOf(item, 'compliance-info');
  const output = textOf(item, 'plugin_output') ?? textOf(item, 'compliance-actual-value');
  const texts = [textOf(item, 'synopsis'), explanation];
  return newFinding({
    pointer,
    type: isAboutWeb(attributeOf(item, 'pluginFamily')) ? 'dast' : 'other',
    severity: severityOf(item, cvss?.score ?? null),
    title: safeTitle(name ?? '', context) || rule || 'Plug-in without a name',
    description: safeText(texts.filter((part) => part !== null).join('\n\n'), context),
    rule,
    relatedAdvisories: [...new Set(cves)],
    fixedVersions: fixedVersionsIn(output ?? '', context),
    cvss,
    cwes: [
      ...new Set(
        childrenOf(item, 'cwe')
          .map(({ text }) => cweOf(text))
          .filter((cwe) => cwe !== null),
      ),
    ],
    path: host === null ? null : hostLocation(host, asInteger(attributeOf(item, 'port'), 1)),
    code: safeCode(protocolOf(item), context),
    links: safeLinks(
      ['see_also', 'compliance-see-also'].flatMap((key) =>
        childrenOf(item, key).flatMap(({ text }) => addressesIn(text)),
      ),
    ),
    // An exploit that exists says nothing about this host; one that Nessus used does.
    exploitable: textOf(item, 'exploited_by_nessus')?.toLowerCase() === 'true',
    evidence: newEvidence(
      {
        snippet:
          output === null
            ? null
            : { text: withoutCredentials(output), firstLine: null, markedFrom: null, markedTo: null },
        remediation: textOf(item, 'solution') ?? textOf(item, 'compliance-solution'),
      },
      context,
    ),
  });
}

/** Web application scans have families of their own, such as "Cross Site Scripting" and "Injection". */
function isAboutWeb(family: string | null): boolean {
  return /^(?:CGI abuses|Web (?:Servers|Applications?)|Cross Site |(?:Code |SQL )?Injection$|HTTP Security Header)/i.test(
    family ?? '',
  );
}

/** The number is the severity that Nessus shows, from 0 to 4. It knows the version of CVSS that the scan was set to. */
function severityOf(item: XmlElement, score: number | null): Severity {
  const number = asInteger(attributeOf(item, 'severity'), 0);
  const shown = number === null ? undefined : severities[number + 1];
  if (shown !== undefined) return shown;
  const risk = severityOfLabel(textOf(item, 'risk_factor'));
  return risk === 'unknown' ? (severityOfScore(score) ?? 'unknown') : risk;
}

/** Gives the score of the newest version. Old vectors begin with `CVSS2#`. */
function cvssIn(item: XmlElement): ReportFinding['cvss'] {
  for (const version of ['cvss4', 'cvss3', 'cvss']) {
    const score = asNumber(textOf(item, `${version}_base_score`));
    const vector = textOf(item, `${version}_vector`)?.replace(/^CVSS2#/i, '') ?? null;
    const cvss = score === 0 ? null : cvssOf(score, vector);
    if (cvss !== null) return cvss;
  }
  return null;
}

/** A plug-in may answer for the same number of a port with TCP and UDP. TCP is the usual one and is not written. */
function protocolOf(item: XmlElement): string | null {
  const protocol = attributeOf(item, 'protocol')?.toLowerCase() ?? null;
  return protocol === 'tcp' ? null : protocol;
}

/** Plug-ins write `Fixed version : 1.2.3`, one line for each installed version. */
function fixedVersionsIn(output: string, context: ParseContext): string[] {
  const found = output
    .slice(0, 65_536)
    .matchAll(/^[ \t]{0,20}Fixed version[ \t]{0,20}:[ \t]{0,20}([^\s/,;]{1,100})/gim);
  return [...new Set(Array.from(found, ([, version]) => cleanName(version ?? '', context)))].slice(0, 20);
}

/** Plug-ins that try default accounts write what let them in. */
function withoutCredentials(output: string): string {
  return output.replace(
    /((?:pass(?:word|wd|phrase)?|pwd|secret|token|community(?: (?:name|string))?)[ \t]{0,20}[:=][ \t]{0,20})\S[^\n]*/gi,
    '$1[redacted]',
  );
}
