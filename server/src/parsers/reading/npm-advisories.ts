/**
 * Npm's advisories: the list of version 6 of `npm audit`, which pnpm and Yarn write too, and the ids of an advisory.
 * npm's own number of an advisory changes over time, so it must never be a finding's identity if a better id exists.
 */
import { severities } from '../../domain/packed-state.ts';
import type { Gap, Report, ReportFinding, Run } from '../report.ts';
import { advisoryTitle } from './advisory-title.ts';
import { cvssOf, severityOf } from './cvss.ts';
import { newEvidence } from './evidence.ts';
import { advisoriesIn, newFinding, newRun, severityOfLabel, sortAdvisories } from './finding.ts';
import {
  arrayAt,
  asRecord,
  field,
  type JsonRecord,
  numberAt,
  pointerStep,
  recordAt,
  stringAt,
  stringsAt,
} from './json.ts';
import type { ParseContext } from './limits.ts';
import { packageOfName } from './packages.ts';
import { patchedFrom } from './ranges.ts';
import { newReport } from './rows.ts';
import { cleanName, safeLinks, safeText } from './text.ts';

export function isAdvisoryList(json: unknown): boolean {
  return (
    recordAt(json, 'advisories') !== null &&
    (Array.isArray(field(json, 'actions')) ||
      recordAt(recordAt(json, 'metadata'), 'vulnerabilities') !== null)
  );
}

/** pnpm begins each path at the project (`.`) or one of its workspaces, and newer versions write no actions. */
export function isPnpmList(json: unknown): boolean {
  if (!isAdvisoryList(json)) return false;
  if (!Array.isArray(field(json, 'actions')) && stringAt(json, 'runId') === null) return true;
  const advisories = Object.values(recordAt(json, 'advisories') ?? {}).slice(0, 20);
  const paths = advisories.flatMap((row) => stringsAt(arrayAt(row, 'findings')[0], 'paths').slice(0, 1));
  return paths.some((path) => path.startsWith('.'));
}

/** Reads an object of rows by their keys. A row that `read` gives null for is unreadable. */
export function readRowMap(
  rows: JsonRecord,
  at: string,
  read: (key: string, row: JsonRecord, pointer: string) => ReportFinding[] | null,
  context: ParseContext,
): ReportFinding[] {
  const keys = Object.keys(rows);
  context.addRows(keys.length, at);
  const findings: ReportFinding[] = [];
  for (const key of keys) {
    const pointer = `${at}/${pointerStep(key)}`;
    const row = asRecord(field(rows, key));
    const found = row === null ? null : read(key, row, pointer);
    if (found === null) context.addUnreadable(pointer, 'The row names no package or no advisory.');
    else for (const finding of found) findings.push(finding);
  }
  return findings;
}

/** The tool has the name of its format. */
export function npmReport(
  tool: string,
  found: Pick<Run, 'findings'> & Partial<Pick<Run, 'outcome' | 'gaps'>> & { metadata?: unknown },
  context: ParseContext,
): Report {
  const { metadata, ...run } = found;
  return newReport(tool, context, [newRun({ tool, showsScan: countDependencies(metadata) > 0, ...run })]);
}

/**
 * Returns the severities that the tool counts and does not list, because its level has left them out. A level hides
 * none above one that is listed: a severity that is missing there has only vulnerabilities that the user ignores.
 */
export function filteredSeverities(counted: JsonRecord | null, findings: readonly ReportFinding[]): Gap[] {
  const listed = new Set(findings.map(({ severity }) => severity));
  const lowest = severities.findIndex((severity) => severity !== 'unknown' && listed.has(severity));
  return Object.keys(counted ?? {}).flatMap((label) => {
    const severity = severityOfLabel(label);
    const isHidden = lowest === -1 || severities.indexOf(severity) < lowest;
    return (numberAt(counted, label) ?? 0) > 0 && isHidden ? { severity } : [];
  });
}

/** npm 6 writes a number, later versions an object with a total. */
function countDependencies(metadata: unknown): number {
  return (
    numberAt(recordAt(metadata, 'dependencies'), 'total') ?? numberAt(metadata, 'totalDependencies') ?? 0
  );
}

/**
 * Reads an advisory with the paths of its package. It gives one finding per installed version, or only the version at
 * the given path.
 */
export function readAdvisory(
  key: string,
  row: JsonRecord,
  pointer: string,
  context: ParseContext,
  onlyPath: string | null = null,
): ReportFinding[] | null {
  const recommendation = textOf(stringAt(row, 'recommendation'));
  const texts = [stringAt(row, 'overview'), recommendation];
  const facts = {
    number: stringAt(row, 'id') ?? key,
    github: stringAt(row, 'github_advisory_id'),
    cves: stringsAt(row, 'cves').flatMap(advisoriesIn),
    packageName: stringAt(row, 'module_name'),
    description: texts.filter((text) => text !== null).join('\n\n'),
    fixedVersions: patchedFrom(stringAt(row, 'patched_versions') ?? ''),
    references: stringAt(row, 'references') ?? '',
    remediation: recommendation,
  };
  const findings: ReportFinding[] = [];
  const versions = installedVersions(row, onlyPath);
  context.addLocations(versions.size - 1, pointer);
  for (const [version, paths] of versions) {
    const dependencyPaths = paths.slice(0, 50).map((path) => chainOf(path, version));
    const finding = npmFinding(row, { ...facts, dependencyPaths }, version, pointer, context);
    if (finding === null) return null;
    findings.push(finding);
  }
  if (findings.length > 1) for (const finding of findings) finding.sharedRow = pointer;
  return findings;
}

function textOf(text: string | null): string | null {
  return text === 'None' ? null : text;
}

/** Returns the paths of each installed version. With a path, only of the version at this path, if the row names it. */
function installedVersions(row: JsonRecord, onlyPath: string | null): Map<string | null, string[]> {
  const versions = new Map<string | null, string[]>();
  const only = new Set<string | null>();
  for (const installed of arrayAt(row, 'findings')) {
    const version = stringAt(installed, 'version');
    const known = versions.get(version) ?? [];
    versions.set(version, known);
    for (const path of stringsAt(installed, 'paths')) {
      known.push(path);
      if (path === onlyPath) only.add(version);
    }
  }
  if (versions.size === 0) versions.set(null, onlyPath === null ? [] : [onlyPath]);
  // The shortest chains come first, in an order that every report has.
  for (const paths of versions.values()) {
    paths.sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  }
  return only.size === 0 ? versions : new Map([...versions].filter(([version]) => only.has(version)));
}

/** `spade>handle>wood`. pnpm begins with the project itself, and Yarn with a random name for all workspaces. */
function chainOf(path: string, version: string | null): string[] {
  const names = path.split('>').map((name) => name.trim());
  const chain = names.filter(
    (name) => name !== '' && name !== '.' && !name.startsWith('workspace-aggregator-'),
  );
  return chain.map((name, index) =>
    index === chain.length - 1 && version !== null ? `${name}@${version}` : name,
  );
}

/** The facts of an advisory that reports name in different ways. */
export interface NpmAdvisory {
  number: string | null;
  github: string | null;
  cves: string[];
  packageName: string | null;
  description: string;
  fixedVersions: string[];
  references: string;
  remediation: string | null;
  /** Chains of packages from the project's own dependency to this one. */
  dependencyPaths: string[][];
}

/** Returns null for an advisory without a package or an id. */
export function npmFinding(
  row: JsonRecord,
  facts: NpmAdvisory,
  version: string | null,
  pointer: string,
  context: ParseContext,
): ReportFinding | null {
  const named = packageOfName({ type: 'npm', namespace: null }, facts.packageName, version, context);
  const ids = advisoryIds(row, facts, context);
  const [id] = ids.same;
  if (named === null || id === undefined) return null;
  const score = recordAt(row, 'cvss');
  // Without a vector npm writes the score 0, which means that there is none.
  const cvss =
    stringAt(score, 'vectorString') === null
      ? null
      : cvssOf(numberAt(score, 'score'), stringAt(score, 'vectorString'));
  const cwes = stringsAt(row, 'cwe').flatMap(
    (text) => text.slice(0, 1000).match(/CWE-[1-9][0-9]{0,4}/g) ?? [],
  );
  return newFinding({
    pointer,
    type: 'dependency',
    severity: severityOf(stringAt(row, 'severity'), cvss?.score ?? null),
    title: advisoryTitle({ summary: stringAt(row, 'title'), description: null }, id, named.name, context),
    description: safeText(facts.description, context),
    rule: id,
    advisories: ids.same,
    relatedAdvisories: ids.related,
    package: named,
    fixedVersions: facts.fixedVersions.map((fixed) => cleanName(fixed, context)),
    cvss,
    cwes: [...new Set(cwes)],
    evidence: newEvidence(
      { remediation: facts.remediation, dependencyPaths: facts.dependencyPaths },
      context,
    ),
    links: safeLinks([
      stringAt(row, 'url'),
      ...(facts.references.slice(0, 16_384).match(/https?:\/\/[^\s<>()"]{1,2000}/g) ?? []),
    ]),
  });
}

/**
 * The id is GitHub's, which newer reports have in the address; else the only CVE; else npm's number. Beside a CVE the
 * number means the same, so that a later report with only the number matches.
 */
function advisoryIds(
  row: JsonRecord,
  facts: NpmAdvisory,
  context: ParseContext,
): { same: string[]; related: string[] } {
  const inAddress = advisoriesIn(stringAt(row, 'url') ?? '');
  const github = [...advisoriesIn(facts.github ?? ''), ...inAddress].find((id) => id.startsWith('GHSA-'));
  const cves = new Set([...facts.cves, ...inAddress].filter((id) => id.startsWith('CVE-')));
  const number = facts.number === null ? null : cleanName(`NPM-${facts.number}`, context);
  const [onlyCve] = cves.size === 1 ? cves : [];
  const id = github ?? onlyCve ?? number;
  if (id === null) return { same: [], related: [] };
  const sorted = sortAdvisories(id, [...cves]);
  if (number === null || number === id) return sorted;
  return onlyCve === undefined
    ? { ...sorted, related: [...sorted.related, number] }
    : { ...sorted, same: [...sorted.same, number] };
}
