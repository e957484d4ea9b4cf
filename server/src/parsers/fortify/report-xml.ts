/**
 * Reads the XML of Fortify's reports (ReportDefinition), which are filled templates: issues are listed in groups, below
 * the texts of the group's category. A report that lists only a part of the issues closes nothing.
 */
import { cwesOf, newRun, severityOfLabel } from '../reading/finding.ts';
import { asInteger } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { repositoryPath } from '../reading/paths.ts';
import { plainText } from '../reading/plain-text.ts';
import { cleanName } from '../reading/text.ts';
import { attributeOf, childOf, childrenOf, readXml, textOf, type XmlElement } from '../reading/xml.ts';
import type { Run } from '../report.ts';
import { auditDecisionOf } from './audit.ts';
import { type Issue, IssueList, type IssueLocation, type IssueStep, issueSnippet } from './issues.ts';

interface Texts {
  help: string | null;
  remediation: string | null;
}

/** The facts that the report states about itself. */
interface Facts {
  version: string | null;
  total: number | null;
  files: number | null;
  isTemplate: boolean;
}

export function readFortifyXml(text: string, context: ParseContext): Run {
  const issues = new IssueList();
  const facts: Facts = { version: null, total: null, files: null, isTemplate: false };
  const groups = new GroupCheck();
  let texts: Texts = { help: null, remediation: null };
  readXml(text, context, {
    row: ['Text', 'MajorAttributeSummary', 'Issue'],
    onOpen: (element) => {
      if (element.name === 'IssueListing') groups.openListing(element);
      if (element.name !== 'GroupingSection') return;
      groups.openGroup(element);
      texts = { help: null, remediation: null };
    },
    onRow: (element, pointer) => {
      if (element.name === 'Text') {
        readFacts(element.text, facts);
      } else if (element.name === 'MajorAttributeSummary') {
        texts = textsOf(element);
      } else {
        context.addRows(1, pointer);
        groups.addIssue();
        if (issues.add(issueOf(element, texts, pointer, context), context)) return;
        context.addUnreadable(pointer, 'The issue has neither a rule nor a category.');
      }
    },
  });
  const isPart = groups.isCut() || (facts.total ?? 0) > issues.findings.length + context.unreadable.length;
  if (facts.isTemplate) {
    context.warn('The file is the template of a report: this run has no results, so it closes nothing.');
  } else if (isPart) {
    context.warn(
      'The report lists only a part of the issues: vulnerabilities that it does not show stay open.',
    );
  }
  return newRun({
    tool: 'fortify',
    toolVersion: cleanName(facts.version, context),
    outcome: facts.isTemplate ? 'scanned_nothing' : isPart ? 'failed' : 'succeeded',
    showsScan: !facts.isTemplate && (facts.files ?? 0) > 0,
    findings: issues.findings,
  });
}

/** A listing may be limited to some issues of each group. The group still says how many it has. */
class GroupCheck {
  #isLimited = false;
  #count = 0;
  #listed = 0;
  #isCut = false;

  openListing(listing: XmlElement): void {
    this.isCut();
    this.#count = 0;
    this.#isLimited =
      attributeOf(listing, 'listing') === 'true' && asInteger(attributeOf(listing, 'limit'), 1) !== null;
  }

  openGroup(group: XmlElement): void {
    this.isCut();
    this.#count = asInteger(attributeOf(group, 'count'), 0) ?? 0;
    this.#listed = 0;
  }

  addIssue(): void {
    this.#listed++;
  }

  isCut(): boolean {
    this.#isCut ||= this.#isLimited && this.#count > this.#listed;
    return this.#isCut;
  }
}

/** The sections of the report are sentences of its template, filled in by Fortify. */
function readFacts(text: string, facts: Facts): void {
  const head = text.slice(0, 4096);
  const number = (pattern: RegExp): number | null =>
    asInteger(pattern.exec(head)?.[1]?.replaceAll(',', '') ?? null, 0);
  facts.version ??= /SCA Engine version: ([0-9][0-9.]{0,30})/.exec(head)?.[1] ?? null;
  facts.total ??= number(/The scan found ([0-9,]{1,12}) issues?\b/);
  facts.files ??= number(/Number of Files: ([0-9,]{1,12})/);
  facts.isTemplate ||= head.includes('$TOTAL_FINDINGS$');
}

function textsOf(summary: XmlElement): Texts {
  const texts = new Map(
    childrenOf(summary, 'MetaInfo').map((info) => [textOf(info, 'Name'), textOf(info, 'Value')]),
  );
  const plain = (name: string): string | null => {
    const text = texts.get(name) ?? null;
    return text === null ? null : plainText(text);
  };
  return { help: plain('Explanation'), remediation: plain('Recommendations') };
}

function issueOf(issue: XmlElement, texts: Texts, pointer: string, context: ParseContext): Issue {
  const abstract = textOf(issue, 'Abstract');
  return {
    pointer,
    instance: attributeOf(issue, 'iid'),
    rule: attributeOf(issue, 'ruleID'),
    category: textOf(issue, 'Category'),
    severity: severityOfLabel(textOf(issue, 'Friority') ?? textOf(issue, 'Folder')),
    abstract: abstract === null ? null : plainText(abstract),
    location: locationOf(childOf(issue, 'Primary')),
    dataFlow: flowOf(issue),
    cwes: cwesIn(childrenOf(issue, 'ExternalCategory').map(({ text }) => text)),
    links: [],
    ...texts,
    decision: auditDecisionOf(
      analysisOf(issue),
      attributeOf(issue, 'suppressed') === 'true',
      commentOf(issue),
      context,
    ),
  };
}

/** The snippet begins two lines above the location, or at the top of the file. */
const linesAbove = 2;

function locationOf(location: XmlElement | null): IssueLocation | null {
  if (location === null) return null;
  const line = asInteger(textOf(location, 'LineStart'), 1);
  const snippet = childOf(location, 'Snippet')?.text ?? '';
  const firstLine = line === null ? null : Math.max(1, line - linesAbove);
  return {
    path: pathOf(location),
    line,
    snippet: snippet.trim() === '' ? null : issueSnippet(snippet, firstLine),
  };
}

function pathOf(location: XmlElement | null): string | null {
  return repositoryPath(textOf(location, 'FilePath') ?? textOf(location, 'FileName'));
}

/** The report shows where the data comes from, and the location itself. */
function flowOf(issue: XmlElement): IssueStep[] {
  const source = childOf(issue, 'Source');
  const steps = source === null ? [] : [source, childOf(issue, 'Primary')];
  return steps.map((step) => ({
    path: pathOf(step),
    line: asInteger(textOf(step, 'LineStart'), 1),
    text: textOf(step, 'TargetFunction'),
  }));
}

/** `CWE ID 79, CWE ID 80` */
export function cwesIn(texts: readonly string[]): string[] {
  const found = texts.flatMap((text) => [...text.slice(0, 4096).matchAll(/\bCWE ID ([0-9]{1,6})/gi)]);
  return cwesOf(found.map(([, number = '']) => number));
}

function analysisOf(issue: XmlElement): string | null {
  const tag = childrenOf(issue, 'Tag').find((candidate) => textOf(candidate, 'Name') === 'Analysis');
  return textOf(tag ?? null, 'Value');
}

function commentOf(issue: XmlElement): string | null {
  const comments = childrenOf(issue, 'Comment').map((comment) => textOf(comment, 'Comment'));
  return comments.findLast((text) => text !== null) ?? null;
}
