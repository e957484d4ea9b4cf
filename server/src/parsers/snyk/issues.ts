/**
 * The export of Snyk's issues API (REST): issues of all products in one list. Each location of an issue is a finding.
 * Resolved issues are counted and are no findings, and ignored ones are suppressed.
 */
import { severities, types, type VulnerabilityType } from '../../domain/packed-state.ts';
import { cvssOf } from '../reading/cvss.ts';
import { newEvidence } from '../reading/evidence.ts';
import {
  cwesOf,
  type KnownFields,
  newFinding,
  newRun,
  severityOfLabel,
  sortAdvisories,
} from '../reading/finding.ts';
import { leftOut } from '../reading/gaps.ts';
import {
  arrayAt,
  asRecord,
  field,
  integerAt,
  type JsonRecord,
  numberAt,
  recordAt,
  stringAt,
} from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { packageOfName, plainVersion, typeOfPackage } from '../reading/packages.ts';
import { outcomeOfPage } from '../reading/pages.ts';
import { normalisePath, repositoryPath } from '../reading/paths.ts';
import { cleanName, safeCode, safeLinks, safeText, safeTitle } from '../reading/text.ts';
import type { Gap, ReportFinding, Run } from '../report.ts';
import { ecosystemOfId, licenseOf } from './names.ts';

/** The envelope is JSON:API, and only issues are known in it. */
export function isIssueExport(json: unknown): boolean {
  const rows = field(json, 'data');
  if (!Array.isArray(rows) || recordAt(json, 'jsonapi') === null) return false;
  const first: unknown = rows.find((row) => asRecord(row) !== null);
  return first === undefined || stringAt(first, 'type') === 'issue';
}

const toolsByType: Readonly<Record<string, string>> = {
  package_vulnerability: 'snyk-open-source',
  license: 'snyk-open-source',
  code: 'snyk-code',
  config: 'snyk-iac',
  cloud: 'snyk-iac',
};

export function parseIssues(json: unknown, context: ParseContext): Run[] {
  const rows = arrayAt(json, 'data');
  context.addRows(rows.length, '/data');
  const byTool = new Map<string, ReportFinding[]>();
  for (const [index, row] of rows.entries()) {
    const pointer = `/data/${index}`;
    const attributes = recordAt(row, 'attributes');
    if (attributes === null) {
      context.addUnreadable(pointer, 'The issue has no attributes.');
      continue;
    }
    const kind = stringAt(attributes, 'type') ?? '';
    const tool = (Object.hasOwn(toolsByType, kind) ? toolsByType[kind] : undefined) ?? 'snyk';
    const found = readIssue(attributes, kind, pointer, context);
    if (found.length === 0) {
      context.addUnreadable(pointer, 'The issue has neither a key nor a title.');
      continue;
    }
    // A tool whose issues are all resolved has a run too, so that they are closed.
    const findings = byTool.get(tool) ?? [];
    byTool.set(tool, findings);
    if (stringAt(attributes, 'status') === 'resolved') {
      context.warn('Issues that Snyk has resolved are counted and are no findings.');
    } else {
      for (const finding of found) findings.push(finding);
    }
  }
  if (byTool.size === 0) return [newRun({ tool: 'snyk', analysisTypes: [] })];
  const links = recordAt(json, 'links');
  const { category, isLaterPage, isPart, gaps } = requestOf(stringAt(links, 'self') ?? '', context);
  // One page of several is not complete, so it must close nothing.
  const page = outcomeOfPage(isLaterPage || stringAt(links, 'next') !== null, context);
  const outcome = isPart ? 'failed' : page;
  // Issues that are resolved show that their project was tested.
  return [...byTool].map(([tool, findings]) =>
    newRun({ tool, category, outcome, gaps, showsScan: true, findings }),
  );
}

interface IssueRequest {
  /** The project that was asked for. Its id is the same in each run. */
  category: string;
  /** The last page of several names no next one. */
  isLaterPage: boolean;
  isPart: boolean;
  gaps: Gap[];
}

/** The address of the answer has the page and the filters of the request. */
function requestOf(address: string, context: ParseContext): IssueRequest {
  const query = new URLSearchParams(address.slice(address.indexOf('?') + 1));
  const has = (...names: string[]): boolean => names.some((name) => query.has(name));
  const valuesOf = (name: string): string[] =>
    query.getAll(name).flatMap((value) => value.toLowerCase().split(','));
  const isPart =
    has('created_after', 'created_before', 'updated_after', 'updated_before') ||
    (has('status') && !valuesOf('status').includes('open')) ||
    valuesOf('ignored').includes('true');
  if (isPart)
    context.warn('The request to Snyk was for a part of the open issues, so this run closes nothing.');
  const levels = valuesOf('effective_severity_level');
  const asked: (string | undefined)[] = valuesOf('type').map((kind) => typesByKind.get(kind));
  // The packages of an image are those of its system too.
  if (asked.includes('dependency')) asked.push('container');
  const gaps: Gap[] = [
    ...leftOut(severities, levels).map((severity) => ({ severity })),
    ...leftOut(types, asked).map((type) => ({ type })),
  ];
  if (gaps.length > 0) context.warn('The request to Snyk was for issues of some severities or types only.');
  return {
    category: cleanName(valuesOf('scan_item.id').sort().join(), context),
    isLaterPage: has('starting_after', 'ending_before'),
    isPart,
    gaps,
  };
}

/** Maximum number of locations of one issue. Snyk lists some dozens. */
const maxLocations = 1000;

function readIssue(
  attributes: JsonRecord,
  kind: string,
  pointer: string,
  context: ParseContext,
): ReportFinding[] {
  const key = stringAt(attributes, 'key');
  const title = stringAt(attributes, 'title');
  if (key === null && title === null) return [];
  const id = cleanName(ruleOf(attributes, key) ?? '', context);
  const remedies = remediesOf(attributes);
  const advice = remedies.map((remedy) => stringAt(remedy, 'description')).filter((text) => text !== null);
  const links = [
    ...arrayAt(recordAt(attributes, 'slots'), 'references').map((link) => stringAt(link, 'url')),
    ...arrayAt(attributes, 'problems').map((problem) => stringAt(problem, 'url')),
  ];
  const shared = {
    pointer,
    type: typesByKind.get(kind) ?? ('other' as const),
    severity: severityOfLabel(stringAt(attributes, 'effective_severity_level')),
    title: safeTitle(title ?? '', context) || id || 'Issue',
    description: safeText(stringAt(attributes, 'description'), context),
    rule: id,
    cvss: cvssOfIssue(attributes),
    cwes: weaknessesOf(attributes),
    links: safeLinks(links),
    suppression:
      field(attributes, 'ignored') === true
        ? { by: 'file' as const, reason: 'Ignored in Snyk.', expiresAt: null }
        : null,
    evidence: newEvidence({ remediation: [...new Set(advice)].join('\n') || null }, context),
  };
  const issue: Issue = {
    id,
    title,
    advisories: advisoriesOf(attributes, id, context),
    isLicense: licenseOf(attributes, id) !== null,
    fixes: fixesOf(remedies, context),
  };
  const found = new Map<string, ReportFinding>();
  for (const coordinate of arrayAt(attributes, 'coordinates').slice(0, maxLocations)) {
    const exploitable = stringAt(coordinate, 'reachability') === 'function';
    for (const location of arrayAt(coordinate, 'representations').slice(0, maxLocations)) {
      if (found.size === maxLocations) break;
      const facts = factsOf(location, issue, context);
      const identity = JSON.stringify([facts.package, facts.path, facts.line, facts.code]);
      if (!found.has(identity)) found.set(identity, newFinding({ ...shared, exploitable, ...facts }));
    }
  }
  if (found.size === 0) return [newFinding({ ...shared, ...issue.advisories })];
  context.addLocations(found.size - 1, pointer);
  const findings = [...found.values()];
  return found.size === 1 ? findings : findings.map((finding) => ({ ...finding, sharedRow: pointer }));
}

function remediesOf(attributes: JsonRecord): unknown[] {
  return arrayAt(attributes, 'coordinates').flatMap((coordinate) => arrayAt(coordinate, 'remedies'));
}

const typesByKind: ReadonlyMap<string, VulnerabilityType> = new Map([
  ['package_vulnerability', 'dependency'],
  ['license', 'license'],
  ['code', 'sast'],
  ['config', 'iac'],
  ['cloud', 'iac'],
]);

/** The key of an issue in code is an id of this one location. The rule is then among the problems. */
function ruleOf(attributes: JsonRecord, key: string | null): string | null {
  if (key !== null && /^(?:SNYK-|snyk:|npm:)/.test(key)) return key;
  const ids = arrayAt(attributes, 'problems').map((problem) => stringAt(problem, 'id'));
  return ids.find((id) => id !== null && id !== key) ?? ids[0] ?? (isRandom(key) ? null : key);
}

function isRandom(key: string | null): boolean {
  return key !== null && /^[0-9a-f]{8}-[0-9a-f-]{20,}$/i.test(key);
}

/** The facts of an issue that its locations share. */
interface Issue {
  id: string;
  title: string | null;
  advisories: Pick<ReportFinding, 'advisories' | 'relatedAdvisories'>;
  isLicense: boolean;
  /** The versions that fix it, as written. */
  fixes: string[];
}

type Facts = Partial<KnownFields>;

function factsOf(location: unknown, issue: Issue, context: ParseContext): Facts {
  const dependency = recordAt(location, 'dependency');
  const source = recordAt(location, 'sourceLocation') ?? recordAt(location, 'source_location');
  if (dependency !== null) return packageFacts(dependency, issue, context);
  if (source !== null) {
    const start = recordAt(recordAt(source, 'region'), 'start');
    return { path: repositoryPath(stringAt(source, 'file')), line: integerAt(start, 'line', 1) };
  }
  const resource =
    recordAt(recordAt(location, 'cloud_resource'), 'resource') ?? recordAt(location, 'resource');
  const name = stringAt(location, 'resourcePath') ?? stringAt(location, 'resource_path');
  const file = stringAt(resource, 'location');
  return {
    ...issue.advisories,
    path: file === null ? null : normalisePath(file),
    code: safeCode(name ?? stringAt(resource, 'native_id') ?? stringAt(resource, 'name'), context),
  };
}

function packageFacts(
  dependency: JsonRecord,
  { id, title, advisories, isLicense, fixes }: Issue,
  context: ParseContext,
): Facts {
  const ecosystem = ecosystemOfId(id) ?? { type: 'generic', namespace: null };
  const name = stringAt(dependency, 'package_name');
  const version = stringAt(dependency, 'package_version');
  const named = packageOfName(ecosystem, name, version, context);
  return {
    ...advisories,
    ...(isLicense ? {} : { type: typeOfPackage(named) }),
    ...(named === null || title === null
      ? {}
      : { title: safeTitle(`${title} in ${named.name}`, context) || id }),
    package: named,
    fixedVersions: [...new Set(fixes.map((fix) => plainVersion(named?.purl ?? '', fix)))],
  };
}

/** Snyk lists a few. More would be read again for each location. */
const maxFixes = 100;

function fixesOf(remedies: readonly unknown[], context: ParseContext): string[] {
  const written = remedies.flatMap((remedy) =>
    (stringAt(recordAt(remedy, 'details'), 'upgrade_package') ?? '').split(','),
  );
  const fixes = new Set(written.map((fix) => cleanName(fix, context)));
  fixes.delete('');
  return [...fixes].slice(0, maxFixes);
}

function advisoriesOf(
  attributes: JsonRecord,
  id: string,
  context: ParseContext,
): Pick<ReportFinding, 'advisories' | 'relatedAdvisories'> {
  const kind = stringAt(attributes, 'type');
  const license = kind === 'license' || id.startsWith('snyk:lic:') ? licenseOf(attributes, id) : null;
  if (license !== null) return { advisories: [cleanName(license, context)], relatedAdvisories: [] };
  if (kind !== 'package_vulnerability' || id === '') return { advisories: [], relatedAdvisories: [] };
  const others = arrayAt(attributes, 'problems').map((problem) => stringAt(problem, 'id'));
  const { same, related } = sortAdvisories(
    id,
    others.filter((other) => other !== null).map((other) => cleanName(other, context)),
  );
  return { advisories: same, relatedAdvisories: related };
}

/** Snyk's own score comes first, and the newest version of CVSS among equals. */
function cvssOfIssue(attributes: JsonRecord): ReportFinding['cvss'] {
  const scores = arrayAt(attributes, 'severities').slice(0, 100);
  const rank = (score: unknown): number => (stringAt(score, 'source') === 'Snyk' ? 0 : 1);
  const version = (score: unknown): number => numberAt(score, 'version') ?? 0;
  const [best] = scores.toSorted((a, b) => rank(a) - rank(b) || version(b) - version(a));
  return cvssOf(numberAt(best, 'score'), stringAt(best, 'vector'));
}

function weaknessesOf(attributes: JsonRecord): string[] {
  const classes = arrayAt(attributes, 'classes');
  const cwes = classes.filter((one) => stringAt(one, 'source')?.toUpperCase() === 'CWE');
  return cwesOf(cwes.map((one) => stringAt(one, 'id')));
}
