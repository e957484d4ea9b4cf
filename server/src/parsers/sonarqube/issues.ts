/**
 * The reading of one issue or hotspot of SonarQube. Bugs and code smells are findings of the type `other`. The key of
 * an issue is no fingerprint, because each branch has its own; the hash of the line is the same on all.
 */
import { type Severity, severities, type VulnerabilityType } from '../../domain/packed-state.ts';
import { newEvidence } from '../reading/evidence.ts';
import { cwesOf, newFinding } from '../reading/finding.ts';
import { arrayAt, integerAt, type JsonRecord, recordAt, stringAt, stringsAt } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { repositoryPath } from '../reading/paths.ts';
import { plainText } from '../reading/plain-text.ts';
import type { NoFinding } from '../reading/rows.ts';
import { cleanName, safeLinks, safeText, safeTitle } from '../reading/text.ts';
import { isFingerprint } from '../reading/tools.ts';
import type { ReportFinding } from '../report.ts';

/** The context of the issues: components and rules, which the report lists beside them. */
export interface RowContext {
  /** The paths of components by their keys; null for a project, which has none. */
  paths: ReadonlyMap<string, string | null>;
  rules: ReadonlyMap<string, JsonRecord>;
  /** The help of the rules that were needed so far, because all issues of a rule share it. */
  help: Map<string, string | null>;
  /** The project's key if the report names one for all rows. */
  project: string | null;
}

type IssueRow = ReportFinding | NoFinding;

export function isHotspot(row: JsonRecord): boolean {
  return ['vulnerabilityProbability', 'securityCategory'].some((key) => stringAt(row, key) !== null);
}

export function sonarRuleOf(row: JsonRecord): string | null {
  return stringAt(row, 'rule') ?? stringAt(row, 'ruleKey') ?? stringAt(recordAt(row, 'rule'), 'key');
}

export function readSonarQubeIssue(
  row: JsonRecord,
  pointer: string,
  rowContext: RowContext,
  context: ParseContext,
): IssueRow {
  const key = sonarRuleOf(row);
  const message = stringAt(row, 'message');
  if (key === null && message === null) return { unreadable: 'The row has neither a rule nor a message.' };
  const review = reviewOf(row, context);
  if (review === 'closed') {
    return { skip: 'Issues that are closed or fixed in SonarQube are counted and are no findings.' };
  }
  const rule = cleanName(key ?? '', context);
  const about = rowContext.rules.get(key ?? '') ?? recordAt(row, 'rule');
  const name = stringAt(about, 'name') ?? stringAt(row, 'description');
  const help = helpOf(key, about, rowContext);
  const hash = stringAt(row, 'hash');
  return newFinding({
    pointer,
    type: typeOf(row),
    severity: severityOf(row, about),
    title: safeTitle(message ?? name ?? '', context) || rule || 'Finding without a rule',
    description: safeText([name, message].filter((text) => text !== null).join('\n\n'), context),
    rule,
    cwes: weaknessesOf(row, about, help),
    path: pathOf(stringAt(row, 'component') ?? componentKey(row), row, rowContext),
    line: integerAt(row, 'line', 1) ?? integerAt(recordAt(row, 'textRange'), 'startLine', 1),
    fingerprint:
      hash !== null && isFingerprint(hash)
        ? { scheme: 'sonarqube-line-hash', value: hash.trim(), pathFree: false }
        : null,
    links: safeLinks([stringAt(row, 'link')]),
    suppression: review,
    evidence: newEvidence(
      {
        help,
        dataFlow: dataFlowOf(row, rowContext),
        remediation: plainText(stringAt(about, 'fixRecommendations') ?? '') || null,
      },
      context,
    ),
  });
}

function typeOf(row: JsonRecord): VulnerabilityType {
  if (isHotspot(row)) return 'sast';
  const type = stringAt(row, 'type');
  const qualities = arrayAt(row, 'impacts').map((impact) => stringAt(impact, 'softwareQuality'));
  if (type === null && qualities.length === 0) return 'sast';
  const isSecurity =
    type === 'VULNERABILITY' || type === 'SECURITY_HOTSPOT' || qualities.includes('SECURITY');
  return isSecurity ? 'sast' : 'other';
}

/** SonarQube's own mapping of its older severities, and those of hotspots and impacts. */
const severityOfWord: ReadonlyMap<string, Severity> = new Map([
  ['BLOCKER', 'critical'],
  ['CRITICAL', 'high'],
  ['HIGH', 'high'],
  ['MAJOR', 'medium'],
  ['MEDIUM', 'medium'],
  ['MINOR', 'low'],
  ['LOW', 'low'],
  ['INFO', 'info'],
]);

function severityOf(row: JsonRecord, about: JsonRecord | null): Severity {
  const words = [
    stringAt(row, 'severity'),
    stringAt(row, 'vulnerabilityProbability') ?? stringAt(about, 'vulnerabilityProbability'),
  ];
  for (const word of words) {
    const severity = severityOfWord.get((word ?? '').trim().toUpperCase());
    if (severity !== undefined) return severity;
  }
  const impacts = arrayAt(row, 'impacts').map((impact) =>
    severityOfWord.get((stringAt(impact, 'severity') ?? '').toUpperCase()),
  );
  return severities.findLast((severity) => impacts.includes(severity)) ?? 'unknown';
}

const reviews: ReadonlyMap<string, string> = new Map([
  ['FALSE_POSITIVE', 'Marked as a false positive in SonarQube.'],
  ['WONTFIX', 'Accepted in SonarQube: it will not be fixed.'],
  ['ACCEPTED', 'Accepted in SonarQube: it will not be fixed.'],
  ['SAFE', 'Reviewed as safe in SonarQube.'],
]);
const closedStates = new Set(['FIXED', 'REMOVED', 'CLOSED', 'RESOLVED', 'REVIEWED']);

/** A hotspot that is acknowledged is a risk that nobody has fixed, so it stays open. */
function reviewOf(row: JsonRecord, context: ParseContext): 'closed' | ReportFinding['suppression'] {
  const state = stringAt(row, 'resolution') ?? stringAt(row, 'issueStatus') ?? stringAt(row, 'status') ?? '';
  const word = state.trim().toUpperCase().replaceAll('-', '_');
  if (closedStates.has(word)) return 'closed';
  const reason = reviews.get(word);
  if (reason === undefined) return null;
  const comments = [...arrayAt(row, 'comments'), ...arrayAt(row, 'comment')];
  const comment = stringAt(comments.at(-1), 'markdown');
  return {
    by: 'file',
    reason: safeText(comment === null ? reason : `${reason} ${comment}`, context),
    expiresAt: null,
  };
}

function componentKey(row: JsonRecord): string | null {
  const component = recordAt(row, 'component');
  return stringAt(component, 'path') ?? stringAt(component, 'key');
}

/** A component's key is the project's, a colon, and the path. sonar-report writes the path alone. */
function pathOf(component: string | null, row: JsonRecord, { paths, project }: RowContext): string | null {
  if (component === null || component === (stringAt(row, 'project') ?? project)) return null;
  const path = paths.get(component);
  if (path !== undefined) return repositoryPath(path);
  return repositoryPath(component.slice(component.lastIndexOf(':') + 1));
}

/** SonarQube lists the steps of a flow from the sink to the source. A flow of one location only explains. */
function dataFlowOf(
  row: JsonRecord,
  rowContext: RowContext,
): { path: string | null; line: number | null; text: string | null }[] {
  const flow = arrayAt(row, 'flows')
    .map((one) => arrayAt(one, 'locations'))
    .find((locations) => locations.length > 1);
  return (flow ?? []).toReversed().map((location) => ({
    path: pathOf(stringAt(location, 'component') ?? stringAt(row, 'component'), row, rowContext),
    line: integerAt(recordAt(location, 'textRange'), 'startLine', 1),
    text: stringAt(location, 'msg'),
  }));
}

/** Longer than any rule of SonarQube, with its markup. */
const maxHelp = 65_536;

function helpOf(key: string | null, about: JsonRecord | null, { help }: RowContext): string | null {
  const known = help.get(key ?? '');
  if (known !== undefined) return known;
  const parts = ['htmlDesc', 'riskDescription', 'vulnerabilityDescription'].map((name) =>
    stringAt(about, name),
  );
  const texts = parts.map((part) => plainText((part ?? '').slice(0, maxHelp))).filter((part) => part !== '');
  const text = texts.length === 0 ? null : texts.join('\n\n');
  if (key !== null) help.set(key, text);
  return text;
}

function weaknessesOf(row: JsonRecord, about: JsonRecord | null, help: string | null): string[] {
  const standards = [...stringsAt(about, 'securityStandards'), ...stringsAt(row, 'tags')].filter((text) =>
    /^cwe[:-][0-9]/i.test(text),
  );
  const inHelp = (help ?? '').slice(0, 65_536).match(/CWE-[1-9][0-9]{0,4}(?![0-9])/g) ?? [];
  return cwesOf([...standards, ...inHelp]).slice(0, 20);
}
