/**
 * The XML of Burp Suite's scanner. Each `issue` is a row and one finding. Requests, responses and the events of the
 * Collaborator are not stored, because they hold sessions and personal data. Every report of Burp begins with a
 * document type, which is skipped.
 */
import type { Severity } from '../domain/packed-state.ts';
import type { Format } from './format.ts';
import { withoutCredentials } from './reading/credentials.ts';
import type { ReportDocument } from './reading/decode.ts';
import { newEvidence } from './reading/evidence.ts';
import { cwesOf, newFinding, newRun, severityOfLabel } from './reading/finding.ts';
import { htmlText } from './reading/html-text.ts';
import type { ParseContext } from './reading/limits.ts';
import { newReport } from './reading/rows.ts';
import { cleanName, safeCode, safeLinks, safeText, safeTitle } from './reading/text.ts';
import { addressesIn, webLocation } from './reading/web-locations.ts';
import {
  attributeOf,
  childOf,
  childrenOf,
  readXml,
  textOf,
  type XmlElement,
  xmlRoot,
} from './reading/xml.ts';
import type { Report, ReportFinding } from './report.ts';

export const burp: Format = {
  name: 'burp',
  marks: ['burpVersion', 'exportTime', 'issues'],
  recognises,
  parse,
};

/** Other tools call their root "issues" as well, so Burp's attributes or its document type must be there. */
function recognises({ json, text }: ReportDocument): boolean {
  if (json !== undefined || xmlRoot(text)?.name !== 'issues') return false;
  return /<issues\s[^<>]{0,1000}\bburpVersion\s*=|<!ELEMENT\s+issues\s/.test(text.slice(0, 65_536));
}

function parse({ text }: ReportDocument, context: ParseContext): Report {
  const findings: ReportFinding[] = [];
  let version: string | null = null;
  readXml(text, context, {
    row: 'issue',
    skipsDocumentType: true,
    onRoot: (root) => {
      version = attributeOf(root, 'burpVersion');
    },
    onRow: (issue, pointer) => {
      context.addRows(1, pointer);
      const finding = readIssue(issue, pointer, context);
      if (finding !== null) findings.push(finding);
      else context.addUnreadable(pointer, 'The issue has neither a type nor a name.');
    },
  });
  return newReport(burp.name, context, [
    newRun({
      tool: 'burp',
      toolVersion: cleanName(version, context),
      findings,
    }),
  ]);
}

function readIssue(issue: XmlElement, pointer: string, context: ParseContext): ReportFinding | null {
  const name = textOf(issue, 'name');
  const rule = ruleOf(textOf(issue, 'type'), name, context);
  if (rule === '') return null;
  const detail = textsOf(issue, ['issueDetail', 'issueDetailItems']);
  const background = textsOf(issue, ['issueBackground']);
  const written = textOf(issue, 'severity');
  return newFinding({
    pointer,
    type: 'dast',
    severity: severityOf(written),
    title: safeTitle(htmlText(name ?? ''), context) || rule,
    description: safeText(withoutCredentials(detail || background), context),
    rule,
    cwes: cwesIn(textOf(issue, 'vulnerabilityClassifications') ?? ''),
    path: pathOf(issue),
    code: insertionPointOf(issue, context),
    links: safeLinks(addressesIn(textOf(issue, 'references') ?? '')),
    suppression: /^false[ _-]?positive$/i.test(written ?? '')
      ? { by: 'file', reason: 'Marked as a false positive in Burp.', expiresAt: null }
      : null,
    evidence: newEvidence(
      {
        dataFlow: flowOf(issue),
        help: background,
        remediation: withoutCredentials(textsOf(issue, ['remediationDetail', 'remediationBackground'])),
      },
      context,
    ),
  });
}

/** The type of all issues that an extension adds (0x08000000). Their names alone tell them apart. */
const extensionType = '134217728';

function ruleOf(type: string | null, name: string | null, context: ParseContext): string {
  const usesName = type === null || (type === extensionType && name !== null);
  return cleanName((usesName ? htmlText(name ?? '') : type) ?? '', context);
}

function severityOf(written: string | null): Severity {
  return /^information$/i.test(written ?? '') ? 'info' : severityOfLabel(written);
}

/** Returns the plain text of the children with these names, or of their items. */
function textsOf(issue: XmlElement, names: readonly string[]): string {
  const texts = names.flatMap((name) => {
    const element = childOf(issue, name);
    const items = element?.children.map((item) => `- ${htmlText(item.text)}`) ?? [];
    return [htmlText(element?.text ?? ''), items.join('\n')];
  });
  return texts.filter((text) => text !== '').join('\n\n');
}

function cwesIn(html: string): string[] {
  return cwesOf(html.slice(0, 65_536).match(/\bCWE-[0-9]{1,6}/gi) ?? []);
}

/** Returns the address of the host with the path of the request, without its query. */
function pathOf(issue: XmlElement): string | null {
  const host = textOf(issue, 'host') ?? attributeOf(childOf(issue, 'host'), 'ip');
  const path = textOf(issue, 'path') ?? locationOf(issue).path ?? '';
  if (/^https?:\/\//i.test(path)) return webLocation(path);
  const parts = [host?.replace(/\/+$/, '') ?? '', path.replace(/^(?!\/|$)/, '/')];
  return webLocation(parts.join(''));
}

/** Returns the part of the request that carries the attack: `location` is `/search [q parameter]`. */
function insertionPointOf(issue: XmlElement, context: ParseContext): string | null {
  return safeCode(locationOf(issue).point, context);
}

function locationOf(issue: XmlElement): { path: string | null; point: string | null } {
  const location = textOf(issue, 'location')?.slice(0, 8192) ?? '';
  const start = location.endsWith(']') ? location.indexOf(' [') : -1;
  if (start === -1) return { path: location, point: null };
  return { path: location.slice(0, start), point: location.slice(start + 2, -1) };
}

/** Issues of JavaScript name the source of the data and its sink. */
function flowOf(issue: XmlElement): { path: null; line: null; text: string }[] {
  const analyses = ['staticAnalysis', 'dynamicAnalysis'].flatMap((name) => childrenOf(issue, name));
  const texts = ['source', 'sink'].map((name) => htmlText(textOf(analyses[0] ?? null, name) ?? ''));
  return texts.filter((text) => text !== '').map((text) => ({ path: null, line: null, text }));
}
