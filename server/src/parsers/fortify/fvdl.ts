/**
 * Reads the results of Static Code Analyzer (`audit.fvdl`). Vulnerabilities come before the pools that they refer to
 * (nodes, snippets, rules, descriptions), so of each only what a finding needs is kept until the end of the document.
 */
import type { Severity } from '../../domain/packed-state.ts';
import { evidenceLimits, withoutMiddle } from '../reading/evidence.ts';
import { newRun } from '../reading/finding.ts';
import { asInteger, asNumber } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { repositoryPath } from '../reading/paths.ts';
import { cleanName, safeLinks } from '../reading/text.ts';
import { attributeOf, childOf, childrenOf, readXml, textOf, type XmlElement } from '../reading/xml.ts';
import type { Run } from '../report.ts';
import type { Audit } from './audit.ts';
import { fillTemplate } from './descriptions.ts';
import { IssueList, type IssueLocation, type IssueSnippet, type IssueStep, issueSnippet } from './issues.ts';
import { cwesIn } from './report-xml.ts';
import { type TraceNode, type TraceStep, traceNodeOf, traceOf } from './traces.ts';

interface Vulnerability {
  pointer: string;
  classId: string | null;
  category: string | null;
  instance: string | null;
  confidence: number | null;
  /** Facts about the instance. They come before those of the rule. */
  groups: ReadonlyMap<string, string>;
  names: ReadonlyMap<string, string>;
  trace: TraceStep[];
}

interface RuleTexts {
  abstract: string;
  help: string | null;
  remediation: string | null;
  links: string[];
}

interface Rule {
  groups: ReadonlyMap<string, string>;
  cwes: string[];
}

interface Results {
  version: string | null;
  files: number | null;
  /** The directory of the checkout, which some paths begin with. */
  base: string | null;
  vulnerabilities: Vulnerability[];
  nodes: Map<string, TraceNode>;
  /** Node → its path, relative to the repository's root. */
  paths: Map<TraceNode, string | null>;
  snippets: Map<string, IssueSnippet>;
  rules: Map<string, Rule>;
  texts: Map<string, RuleTexts>;
}

export function readFvdl(text: string, prefix: string, audit: Audit, context: ParseContext): Run {
  const results = readResults(text, prefix, context);
  const issues = new IssueList();
  for (const vulnerability of results.vulnerabilities) {
    if (addIssue(vulnerability, results, audit, issues, context)) continue;
    const { pointer } = vulnerability;
    context.addUnreadable(pointer, 'The vulnerability has neither a class nor a type.');
  }
  if (results.files === 0) {
    context.warn('Fortify scanned no file: this run has no results, so it closes nothing.');
  }
  return newRun({
    tool: 'fortify',
    toolVersion: cleanName(results.version, context),
    outcome: results.files === 0 ? 'scanned_nothing' : 'succeeded',
    showsScan: (results.files ?? 0) > 0,
    findings: issues.findings,
  });
}

// Pools are read by their members, so that no pool is a tree in memory.
const rows = [
  ...['NumberFiles', 'SourceBasePath', 'Vulnerability', 'Node', 'Description', 'Snippet'],
  ...['EngineVersion', 'Rule'],
];

function readResults(text: string, prefix: string, context: ParseContext): Results {
  const results: Results = {
    version: null,
    files: null,
    base: null,
    vulnerabilities: [],
    nodes: new Map(),
    paths: new Map(),
    snippets: new Map(),
    rules: new Map(),
    texts: new Map(),
  };
  readXml(text, context, {
    row: rows,
    onRow: (element, path) => {
      if (element.name !== 'Vulnerability') {
        readFact(element, results);
        return;
      }
      const pointer = `${prefix}${path}`;
      context.addRows(1, pointer);
      results.vulnerabilities.push(vulnerabilityOf(element, pointer));
    },
  });
  return results;
}

function readFact(element: XmlElement, results: Results): void {
  const text = element.text.trim();
  const id = attributeOf(element, 'id');
  const classId = attributeOf(element, 'classID');
  if (element.name === 'EngineVersion') results.version ??= text;
  else if (element.name === 'NumberFiles') results.files ??= asInteger(text, 0);
  else if (element.name === 'SourceBasePath') results.base ??= text.replaceAll('\\', '/');
  else if (element.name === 'Description' && classId !== null) results.texts.set(classId, textsOf(element));
  else if (id === null) return;
  else if (element.name === 'Node') results.nodes.set(id, traceNodeOf(element));
  else if (element.name === 'Snippet') results.snippets.set(id, snippetOf(element));
  else if (element.name === 'Rule') results.rules.set(id, ruleOf(element));
}

function snippetOf(element: XmlElement): IssueSnippet {
  const text = (childOf(element, 'Text')?.text ?? '').replace(/\r?\n$|\r$/, '');
  return issueSnippet(text, asInteger(textOf(element, 'StartLine'), 1));
}

function ruleOf(element: XmlElement): Rule {
  const groups = groupsOf(element);
  return { groups, cwes: cwesIn([groups.get('altcategoryCWE') ?? '']) };
}

function textsOf(description: XmlElement): RuleTexts {
  const filled = (name: string): string | null => {
    const template = textOf(description, name);
    return template === null ? null : fillTemplate(template, new Map());
  };
  return {
    abstract: textOf(description, 'Abstract') ?? '',
    help: filled('Explanation'),
    remediation: filled('Recommendations'),
    links: safeLinks(
      childrenOf(childOf(description, 'References'), 'Reference').map((reference) =>
        textOf(reference, 'Source'),
      ),
    ),
  };
}

/** The facts of a rule or an instance: `Impact`, `Probability`, `altcategoryCWE`. */
function groupsOf(element: XmlElement): ReadonlyMap<string, string> {
  const groups = childrenOf(childOf(element, 'MetaInfo'), 'Group');
  return new Map(groups.map((group) => [attributeOf(group, 'name') ?? '', group.text.trim()]));
}

function vulnerabilityOf(element: XmlElement, pointer: string): Vulnerability {
  const classInfo = childOf(element, 'ClassInfo');
  const instanceInfo = childOf(element, 'InstanceInfo');
  const type = textOf(classInfo, 'Type');
  const subtype = textOf(classInfo, 'Subtype');
  const unified = childOf(childOf(element, 'AnalysisInfo'), 'Unified');
  const definitions = childrenOf(childOf(unified, 'ReplacementDefinitions'), 'Def');
  return {
    pointer,
    classId: textOf(classInfo, 'ClassID'),
    category: type !== null && subtype !== null ? `${type}: ${subtype}` : type,
    instance: textOf(instanceInfo, 'InstanceID'),
    confidence: asNumber(textOf(instanceInfo, 'Confidence')),
    groups: instanceInfo === null ? new Map() : groupsOf(instanceInfo),
    names: new Map(
      definitions.map((definition) => [
        attributeOf(definition, 'key') ?? '',
        attributeOf(definition, 'value')?.slice(0, 500) ?? '',
      ]),
    ),
    trace: traceOf(element),
  };
}

function addIssue(
  vulnerability: Vulnerability,
  results: Results,
  audit: Audit,
  issues: IssueList,
  context: ParseContext,
): boolean {
  const { classId, instance, names } = vulnerability;
  const texts = results.texts.get(classId ?? '');
  const steps = vulnerability.trace.map(({ node, reference, isDefault }) => ({
    node: node ?? results.nodes.get(reference ?? '') ?? null,
    isDefault,
  }));
  const nodes = steps.map(({ node }) => node).filter((node) => node !== null);
  const shown = steps.find(({ isDefault }) => isDefault)?.node ?? nodes.at(-1) ?? null;
  const rule = results.rules.get(classId ?? '');
  const abstract = texts === undefined ? '' : fillTemplate(texts.abstract.slice(0, 4000), names);
  return issues.add(
    {
      pointer: vulnerability.pointer,
      instance,
      rule: classId,
      category: vulnerability.category,
      severity: severityOf(vulnerability, rule?.groups),
      abstract: abstract === '' ? null : abstract,
      location: shown === null ? null : locationOf(shown, results),
      dataFlow:
        nodes.length < 2
          ? []
          : withoutMiddle(nodes, evidenceLimits.steps).map((node) => stepOf(node, results)),
      cwes: rule?.cwes ?? [],
      links: texts?.links ?? [],
      help: texts?.help ?? null,
      remediation: texts?.remediation ?? null,
      decision: audit.get(instance ?? '') ?? { suppression: null, exploitable: false },
    },
    context,
  );
}

/**
 * Fortify's priority order, as its guide says: the impact, and the likelihood of accuracy, confidence and probability,
 * each from 0 to 5 and high from the middle. Without these values nothing says how severe it is.
 */
function severityOf(
  { groups, confidence }: Vulnerability,
  rule: ReadonlyMap<string, string> | undefined,
): Severity {
  const value = (name: string): number | null => asNumber(groups.get(name) ?? rule?.get(name) ?? null);
  const impact = value('Impact');
  const accuracy = value('Accuracy');
  const probability = value('Probability');
  if (impact === null || accuracy === null || probability === null || confidence === null) return 'unknown';
  const isLikely = (accuracy * confidence * probability) / 25 >= 2.5;
  if (impact >= 2.5) return isLikely ? 'critical' : 'high';
  return isLikely ? 'medium' : 'low';
}

function locationOf(node: TraceNode, results: Results): IssueLocation {
  const snippet = results.snippets.get(node.snippet ?? '') ?? null;
  return { path: pathOf(node, results), line: node.line, snippet };
}

function stepOf(node: TraceNode, results: Results): IssueStep {
  return { path: pathOf(node, results), line: node.line, text: node.text };
}

/** Paths are relative to the directory of the checkout, but some are written whole. */
function pathOf(node: TraceNode, { base, paths }: Results): string | null {
  const known = paths.get(node);
  if (known !== undefined) return known;
  const slashed = node.path?.replaceAll('\\', '/') ?? null;
  const isBelow = slashed !== null && base !== null && base !== '' && slashed.startsWith(`${base}/`);
  const path = repositoryPath(isBelow ? slashed.slice(base.length + 1) : slashed);
  paths.set(node, path);
  return path;
}
