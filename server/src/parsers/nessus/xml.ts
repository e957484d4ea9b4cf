/**
 * Reads `.nessus` (NessusClientData_v2). Each `ReportItem` is a row: one plug-in on one host and port. The policy of
 * the scan is not read, because it may hold credentials.
 */
import { type Severity, severities } from '../../domain/packed-state.ts';
import { cwesOf, severityOfLabel, severityOfScore } from '../reading/finding.ts';
import { asInteger, asNumber } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { type NoFinding, takeRow } from '../reading/rows.ts';
import { attributeOf, childrenOf, readXml, textOf, type XmlElement } from '../reading/xml.ts';
import type { ReportFinding } from '../report.ts';
import { cvssOfVersions, findingOf } from './findings.ts';
import { localCheckGaps, newScan, type Scan, versionIn } from './scan.ts';

export function readNessusXml(text: string, context: ParseContext): Scan {
  const scan = newScan();
  let host: string | null = null;
  readXml(text, context, {
    row: ['HostProperties', 'ReportItem'],
    onOpen: (element) => {
      if (element.name === 'Report') scan.name ??= attributeOf(element, 'name');
      if (element.name !== 'ReportHost') return;
      scan.showsHosts = true;
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
      const plugin = attributeOf(element, 'pluginID');
      scan.version ??= versionIn(plugin, textOf(element, 'plugin_output'));
      scan.gaps.push(...localCheckGaps(plugin, host));
      takeRow(row, pointer, scan.findings, context);
    },
  });
  return scan;
}

/** Reads whether the host was finished, and gives its address for a host without a name. */
function readHost(properties: XmlElement, scan: Scan): string | null {
  const tags = new Map<string, string>();
  for (const tag of childrenOf(properties, 'tag')) {
    const name = attributeOf(tag, 'name');
    if (name !== null && !tags.has(name)) tags.set(name, tag.text.trim());
  }
  const hasEnded = tags.has('HOST_END') || (asNumber(tags.get('HOST_END_TIMESTAMP')) ?? 0) > 0;
  if (tags.has('HOST_START') && !hasEnded) scan.hasUnfinishedHosts = true;
  return tags.get('host-fqdn') ?? tags.get('host-ip') ?? null;
}

function readItem(
  item: XmlElement,
  host: string | null,
  pointer: string,
  context: ParseContext,
): ReportFinding | NoFinding {
  const result = textOf(item, 'compliance-result')?.toUpperCase() ?? null;
  if (result === 'PASSED') return { skip: 'Compliance checks that passed are counted and are no findings.' };
  // The newest version comes first.
  const cvss = cvssOfVersions(
    ['cvss4', 'cvss3', 'cvss'].map((version) => ({
      score: textOf(item, `${version}_base_score`),
      vector: textOf(item, `${version}_vector`),
    })),
  );
  const textsOf = (name: string): string[] => childrenOf(item, name).map(({ text }) => text);
  return findingOf(
    {
      plugin: attributeOf(item, 'pluginID'),
      name: attributeOf(item, 'pluginName') ?? textOf(item, 'plugin_name'),
      check: textOf(item, 'compliance-check-name'),
      family: attributeOf(item, 'pluginFamily'),
      severity: severityOf(item, cvss?.score ?? null),
      cvss,
      cves: textsOf('cve'),
      cwes: cwesOf(textsOf('cwe')),
      texts: [textOf(item, 'synopsis'), textOf(item, 'description') ?? textOf(item, 'compliance-info')],
      output: textOf(item, 'plugin_output') ?? textOf(item, 'compliance-actual-value'),
      solution: textOf(item, 'solution') ?? textOf(item, 'compliance-solution'),
      links: [...textsOf('see_also'), ...textsOf('compliance-see-also')],
      host,
      port: attributeOf(item, 'port'),
      protocol: attributeOf(item, 'protocol'),
      parameter: null,
      suppression: null,
      isExploited: textOf(item, 'exploited_by_nessus')?.toLowerCase() === 'true',
    },
    pointer,
    context,
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
