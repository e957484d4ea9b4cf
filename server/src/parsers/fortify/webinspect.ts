/**
 * Reads WebInspect's XML: the list of issues of newer versions (`Scan`), and the older one by sessions (`Sessions`).
 * Requests and responses are not stored, because they hold sessions and personal data.
 */
import { severities } from '../../domain/packed-state.ts';
import { withoutCredentials } from '../reading/credentials.ts';
import { newEvidence } from '../reading/evidence.ts';
import { cwesOf, newFinding, newRun } from '../reading/finding.ts';
import { htmlText } from '../reading/html-text.ts';
import { asInteger } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { stableCategory } from '../reading/stable-category.ts';
import { cleanName, safeCode, safeLinks, safeText, safeTitle } from '../reading/text.ts';
import { addressesIn, webLocation } from '../reading/web-locations.ts';
import {
  attributeOf,
  childOf,
  childrenOf,
  readXml,
  textOf,
  type XmlElement,
  xmlRoot,
} from '../reading/xml.ts';
import type { ReportFinding, Run } from '../report.ts';

/** Other tools have such roots too, so one of WebInspect's own elements must be near the top. */
export function isWebInspect(text: string): boolean {
  const root = xmlRoot(text)?.name;
  const head = text.slice(0, 65_536);
  if (root === 'Scan') return /<(?:PolicyName|CheckTypeID)\b/.test(head) && /<Issues\b/.test(head);
  return root === 'Sessions' && /<(?:AttackParamDescriptor|CheckTypeID|VulnerabilityID)\b/.test(head);
}

export function readWebInspect(text: string, prefix: string, context: ParseContext): Run {
  const findings: ReportFinding[] = [];
  let name: string | null = null;
  const add = (issue: XmlElement, session: XmlElement, pointer: string): void => {
    context.addRows(1, pointer);
    const finding = readIssue(issue, session, pointer, context);
    if (finding !== null) findings.push(finding);
    else context.addUnreadable(pointer, 'The issue has neither a number nor a name.');
  };
  readXml(text, context, {
    row: ['Name', 'Session', 'Issue'],
    onRow: (element, path) => {
      const pointer = `${prefix}${path}`;
      if (element.name === 'Name') name ??= element.text.trim();
      else if (element.name === 'Issue') add(element, element, pointer);
      else {
        const issues = childrenOf(childOf(element, 'Issues'), 'Issue');
        for (const [index, issue] of issues.entries()) {
          add(issue, element, `${pointer}/Issues/Issue[${index + 1}]`);
        }
      }
    },
  });
  return newRun({
    tool: 'webinspect',
    category: name === null ? '' : stableCategory(cleanName(name, context)),
    findings,
  });
}

function readIssue(
  issue: XmlElement,
  session: XmlElement,
  pointer: string,
  context: ParseContext,
): ReportFinding | null {
  const name = textOf(issue, 'Name');
  const rule = cleanName(textOf(issue, 'VulnerabilityID') ?? name ?? '', context);
  if (rule === '') return null;
  const sections = sectionsOf(issue);
  const section = (...names: string[]): string =>
    withoutCredentials(
      names
        .map((title) => htmlText(sections.get(title) ?? ''))
        .filter((part) => part !== '')
        .join('\n\n'),
    );
  return newFinding({
    pointer,
    type: 'dast',
    // The number counts from 0 for information to 4 for critical.
    severity: severities[(asInteger(textOf(issue, 'Severity'), 0) ?? -1) + 1] ?? 'unknown',
    title: safeTitle(name ?? '', context) || rule,
    description: safeText(section('Summary'), context),
    rule,
    cwes: weaknessesOf(issue),
    path: webLocation(textOf(session, 'URL') ?? textOf(session, 'Host') ?? ''),
    code: safeCode(textOf(session, 'AttackParamDescriptor'), context),
    links: safeLinks(addressesIn(sections.get('Reference Info') ?? '')),
    evidence: newEvidence(
      { help: section('Implication', 'Execution'), remediation: section('Fix') },
      context,
    ),
  });
}

function sectionsOf(issue: XmlElement): ReadonlyMap<string, string> {
  const sections = childrenOf(issue, 'ReportSection');
  return new Map(
    sections.map((section) => [textOf(section, 'Name') ?? '', textOf(section, 'SectionText') ?? '']),
  );
}

function weaknessesOf(issue: XmlElement): string[] {
  const classes = childrenOf(childOf(issue, 'Classifications'), 'Classification');
  const written = classes.filter((entry) => attributeOf(entry, 'kind')?.toUpperCase() === 'CWE');
  return cwesOf(written.map((entry) => attributeOf(entry, 'identifier') ?? entry.text));
}
