/**
 * Nmap's XML. A row is an open port, which is a fact and no weakness, so it is `info`. The script "vulners" adds the
 * vulnerabilities of the software that answered. Nmap writes a document type, which is skipped; the style sheet that it
 * names is never fetched.
 */
import type { Format } from './format.ts';
import { cvssOf } from './reading/cvss.ts';
import type { ReportDocument } from './reading/decode.ts';
import { newEvidence } from './reading/evidence.ts';
import { advisoriesIn, newFinding, newRun, severityOfScore } from './reading/finding.ts';
import { hostLocation } from './reading/host-locations.ts';
import { asInteger, asNumber } from './reading/json.ts';
import type { ParseContext } from './reading/limits.ts';
import { newReport } from './reading/rows.ts';
import { cleanName, safeCode, safeText, safeTitle } from './reading/text.ts';
import { attributeOf, childOf, childrenOf, readXml, type XmlElement, xmlRoot } from './reading/xml.ts';
import type { Report, ReportFinding } from './report.ts';

export const nmap: Format = {
  name: 'nmap',
  marks: ['nmaprun', 'scaninfo', 'runstats'],
  recognises,
  parse,
};

function recognises({ json, text }: ReportDocument): boolean {
  return json === undefined && xmlRoot(text)?.name === 'nmaprun';
}

function parse({ text }: ReportDocument, context: ParseContext): Report {
  const findings: ReportFinding[] = [];
  let version: string | null = null;
  let hostsUp = 0;
  let hasFailed = false;
  const unfinished: string[] = [];
  readXml(text, context, {
    row: ['host', 'finished'],
    skipsDocumentType: true,
    onRoot: (root) => {
      version = attributeOf(root, 'version');
    },
    onRow: (element, pointer) => {
      if (element.name === 'finished') {
        hasFailed = attributeOf(element, 'exit') === 'error';
        return;
      }
      if (attributeOf(childOf(element, 'status'), 'state') !== 'down') hostsUp++;
      const host = nameOf(element);
      if (attributeOf(element, 'timedout') === 'true') unfinished.push(host ?? 'a host without a name');
      for (const [index, port] of childrenOf(childOf(element, 'ports'), 'port').entries()) {
        if (attributeOf(childOf(port, 'state'), 'state') !== 'open') continue;
        const at = `${pointer}/ports[1]/port[${index + 1}]`;
        context.addRows(1, at);
        const found = readPort(port, host, at, context);
        if (found === null) context.addUnreadable(at, 'The host or the port has no address.');
        else for (const finding of found) findings.push(finding);
      }
    },
  });
  if (hostsUp === 0) {
    context.warn('Nmap reached no host: this run has no results, so it closes nothing.');
  }
  if (unfinished.length > 0) {
    const names = cleanName(unfinished.slice(0, 10).join(', '), context);
    const more = unfinished.length > 10 ? ' and more' : '';
    context.warn(
      `Nmap did not finish ${names}${more}: vulnerabilities that this run does not show stay open.`,
    );
  }
  return newReport(nmap.name, context, [
    newRun({
      tool: 'nmap',
      toolVersion: cleanName(version, context),
      outcome:
        hasFailed || unfinished.length > 0 ? 'failed' : hostsUp === 0 ? 'scanned_nothing' : 'succeeded',
      showsScan: hostsUp > 0,
      findings,
    }),
  ]);
}

/** The name that a person gave to Nmap comes first. Names that the network gives may change from scan to scan. */
function nameOf(host: XmlElement): string | null {
  const names = childrenOf(childOf(host, 'hostnames'), 'hostname');
  const given = names.find((name) => attributeOf(name, 'type') === 'user');
  const address = childrenOf(host, 'address').find((each) => attributeOf(each, 'addrtype') !== 'mac');
  return (
    attributeOf(given ?? null, 'name') ??
    attributeOf(address ?? null, 'addr') ??
    attributeOf(names[0] ?? null, 'name')
  );
}

function readPort(
  port: XmlElement,
  host: string | null,
  pointer: string,
  context: ParseContext,
): ReportFinding[] | null {
  const number = asInteger(attributeOf(port, 'portid'), 0);
  if (host === null || number === null) return null;
  const protocol = attributeOf(port, 'protocol')?.toLowerCase() ?? 'tcp';
  const service = childOf(port, 'service');
  const name = attributeOf(service, 'name');
  const path = hostLocation(host, number);
  const title = `Open port ${number}/${protocol}${name === null ? '' : `: ${name}`}`;
  const product = ['product', 'version', 'extrainfo'].map((key) => attributeOf(service, key));
  const open = newFinding({
    pointer,
    type: 'other',
    severity: 'info',
    title: safeTitle(title, context),
    description: safeText(product.filter((part) => part !== null).join(' '), context),
    rule: 'open-port',
    path,
    // TCP is the usual protocol and is not written.
    code: protocol === 'tcp' ? null : safeCode(protocol, context),
    evidence: scriptsOf(port, context),
  });
  const vulnerabilities = childrenOf(port, 'script')
    .filter((script) => attributeOf(script, 'id') === 'vulners')
    .flatMap((script) => childrenOf(script, 'table'))
    .flatMap((software) => vulnerabilitiesOf(software, { pointer, path }, context));
  context.addLocations(vulnerabilities.length, pointer);
  return [open, ...vulnerabilities];
}

/** The output of the scripts about the service, without the lists that become findings. */
function scriptsOf(port: XmlElement, context: ParseContext): ReportFinding['evidence'] {
  const lines = childrenOf(port, 'script')
    .filter((script) => attributeOf(script, 'id') !== 'vulners')
    .map((script) => `${attributeOf(script, 'id') ?? 'script'}: ${attributeOf(script, 'output') ?? ''}`);
  if (lines.length === 0) return null;
  const snippet = { text: lines.join('\n'), firstLine: null, markedFrom: null, markedTo: null };
  return newEvidence({ snippet }, context);
}

/** The script lists the vulnerabilities of one CPE, and exploits of them, which are no further vulnerabilities. */
function vulnerabilitiesOf(
  software: XmlElement,
  location: Pick<ReportFinding, 'pointer' | 'path'>,
  context: ParseContext,
): ReportFinding[] {
  const cpe = attributeOf(software, 'key');
  return childrenOf(software, 'table').flatMap((row) => {
    const value = (key: string): string | null =>
      childrenOf(row, 'elem')
        .find((elem) => attributeOf(elem, 'key') === key)
        ?.text.trim() ?? null;
    const id = value('id');
    if (id === null || id === '' || value('is_exploit') === 'true') return [];
    const rule = cleanName(id, context);
    if (rule === '') return [];
    const score = asNumber(value('cvss'));
    return newFinding({
      ...location,
      type: 'other',
      severity: severityOfScore(score === 0 ? null : score) ?? 'unknown',
      title: safeTitle(cpe === null ? rule : `${rule} in ${cpe.replace(/^cpe:\/?/, '')}`, context) || rule,
      rule,
      relatedAdvisories: advisoriesIn(rule),
      cvss: score === 0 ? null : cvssOf(score, null),
      code: safeCode(softwareOf(cpe), context),
    });
  });
}

/** The software without its version, so that another version with the same vulnerability is the same one. */
function softwareOf(cpe: string | null): string | null {
  return cpe?.split(':').slice(0, 4).join(':') ?? null;
}
