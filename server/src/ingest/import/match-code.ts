/**
 * The match rules for findings in code decide which known location a report shows again. This is a plain function over
 * the findings of the report and the locations of the repository; the import reads and writes.
 *
 * Each rule reads only findings that are still unmatched, in this order: the tool's stable fingerprint with the same
 * code in the same line; the same code in the same file with another number of the same fingerprint; the fingerprint
 * alone; the same code in the same file; the same rule in the same file at the nearest line within 50, or without
 * evidence on both sides; the last three once more with the path of the file before its folder moved; the same code in
 * another file, if that leaves one choice (a file that this reference has left comes before the same code on the
 * references after the default branch). If both sides have a fingerprint of one scheme and the two differ, the later
 * rules do not match them. Locations on the same reference come first, then those on the default branch, then all
 * others. Two choices mean no match, because a new vulnerability is better than a wrong merge.
 */
import type { LocationId, VulnerabilityId } from '../../domain/ids.ts';
import type { MatchMethod } from '../../vulnerabilities/match-methods.ts';
import { withoutNumber } from '../prepare/identity.ts';
import type { CodeKeys } from '../prepare/prepared-report.ts';
import { alignLines } from './align-lines.ts';

export interface CodeFinding {
  ordinal: number;
  /** Findings of one group are locations of one vulnerability; null for a finding without a group. */
  group: number | null;
  line: number | null;
  ruleKey: string | null;
  fileKey: string;
  /** The file's key by its path before its folder moved; null if it has not moved. */
  fileKeyBefore: string | null;
  codeKey: string | null;
  fingerprintKey: string | null;
  fingerprintScheme: string | null;
}

/** A location that the repository knows. `here` says that it is on the report's own reference. */
export interface KnownLocation {
  locationId: LocationId;
  vulnerabilityId: VulnerabilityId;
  here: boolean;
  onDefault: boolean;
  /** True if the location was open before this report. */
  live: boolean;
  line: number | null;
  fileKey: string;
  codeKey: string | null;
  fingerprintKey: string | null;
  fingerprintScheme: string | null;
}

/** A known location, and what the series say of it. */
export interface Candidate extends KnownLocation {
  /**
   * A series still sees it on the report's own reference. That of the report counts only through findings that this
   * report shows again.
   */
  seen: boolean;
  /**
   * The report is complete and has looked at its file, so the code may have left it for another one. On the report's
   * own reference no series sees it any more; on another, which is tracked or the approved base, the series of the same
   * tool, category and file sees it.
   */
  left: boolean;
  /**
   * The series of the same tool, category and file has seen it on the report's own reference, or sees it on another,
   * which is tracked or the approved base. It is known only of locations with neither code nor a fingerprint.
   */
  counterpart: boolean;
}

export interface CodeMatch {
  ordinal: number;
  candidate: Candidate;
  matchMethod: MatchMethod;
}

// An edit that moves a finding farther than this is unlikely; more likely it has added another problem.
const nearestLineLimit = 50;

/** True if an edit may have moved code from one line to the other. */
export function isNear(a: number | null, b: number | null): boolean {
  return distance(a, b) <= nearestLineLimit;
}

function distance(a: number | null, b: number | null): number {
  return Math.abs((a ?? 0) - (b ?? 0));
}

/** The locations and vulnerabilities that the report has already shown on this reference. */
export interface AlreadyMatched {
  locations: ReadonlySet<string>;
  /** Vulnerability → the group of findings that it belongs to; null without one. */
  vulnerabilities: ReadonlyMap<string, number | null>;
}

/** Says of a finding and a location whether they may match at all. */
export type MayJoin = (finding: CodeFinding, candidate: Candidate) => boolean;

/** A location matches one finding at most, and a vulnerability one finding or the findings of one group. */
export function matchCode(
  findings: CodeFinding[],
  candidates: Candidate[],
  taken: AlreadyMatched,
  mayJoin: MayJoin = () => true,
): CodeMatch[] {
  const state: State = {
    open: new Map(findings.map((f) => [f.ordinal, f])),
    takenLocations: new Set(taken.locations),
    taken: new Map(taken.vulnerabilities),
    takenOnDefault: new Set(),
    mayJoin,
    matches: [],
  };
  const circles = [
    candidates.filter((c) => c.here),
    candidates.filter((c) => !c.here && c.onDefault),
    candidates.filter((c) => !c.here && !c.onDefault),
  ];
  for (const circle of circles) {
    byFingerprint(state, circle, (finding, candidate) => {
      return isSameCode(finding, candidate) && finding.line === candidate.line;
    });
    byCodeOfNumbered(state, circle);
  }
  for (const circle of circles) byFingerprint(state, circle);
  const [here = [], onDefault = [], elsewhere = []] = circles;
  for (const circle of [here, onDefault]) byCode(state, circle);
  // Code that has left a file of this reference keeps its vulnerability, whatever another reference shows in the new
  // file.
  byRename(state, here, (finding) => finding.fileKeyBefore === null);
  byCode(state, elsewhere);
  const unsure = new Set<string>();
  for (const circle of circles) {
    byLine(state, circle);
    const ofSameTool = circle.filter((candidate) => candidate.counterpart);
    byPlaceAlone(state, ofSameTool, unsure);
  }
  byMovedFolder(state, circles);
  for (const circle of circles) byRename(state, circle);
  return state.matches;
}

interface State {
  open: Map<number, CodeFinding>;
  takenLocations: Set<string>;
  taken: Map<string, number | null>;
  /** The vulnerabilities of which a finding has taken a location on the default branch. */
  takenOnDefault: Set<string>;
  mayJoin: MayJoin;
  matches: CodeMatch[];
}

function take(state: State, finding: CodeFinding, candidate: Candidate, matchMethod: MatchMethod): void {
  state.open.delete(finding.ordinal);
  state.takenLocations.add(candidate.locationId);
  if (!state.taken.has(candidate.vulnerabilityId)) state.taken.set(candidate.vulnerabilityId, finding.group);
  if (candidate.onDefault) state.takenOnDefault.add(candidate.vulnerabilityId);
  state.matches.push({ ordinal: finding.ordinal, candidate, matchMethod });
}

/**
 * Location and vulnerability must be free, or the vulnerability belong to the group of the finding. Of a vulnerability
 * that a person has merged, each location on this reference and on the default branch is free for its own code.
 */
function isFree(state: State, finding: CodeFinding | null, candidate: Candidate): boolean {
  if (state.takenLocations.has(candidate.locationId)) return false;
  const owner = state.taken.get(candidate.vulnerabilityId);
  if (owner === undefined) return true;
  // Without a finding, any finding of the same group may match it.
  if (owner !== null) return finding === null || owner === finding.group;
  if (finding !== null && (finding.group !== null || !isAgain(finding, candidate))) return false;
  if (candidate.here) return candidate.live || candidate.onDefault;
  return candidate.onDefault && candidate.live && state.takenOnDefault.has(candidate.vulnerabilityId);
}

// The same code in the same file, or in another file that it has left. Without code, the same fingerprint; without
// both, the same line.
function isAgain(finding: CodeFinding, candidate: Candidate): boolean {
  const isSame =
    finding.codeKey === null && candidate.codeKey === null
      ? finding.fingerprintKey === candidate.fingerprintKey &&
        (finding.fingerprintKey !== null || finding.line === candidate.line)
      : isSameCode(finding, candidate);
  return isSame && (finding.fileKey === candidate.fileKey || (candidate.live && candidate.left));
}

/**
 * A vulnerability in one file of several references beside the default branch is one choice, so only its first location
 * there counts.
 */
function freeLocations(state: State, candidates: Candidate[]): Candidate[] {
  const seen = new Set<string>();
  return candidates.filter((candidate) => {
    const key =
      candidate.here || candidate.onDefault
        ? candidate.locationId
        : `${candidate.vulnerabilityId} ${candidate.fileKey}`;
    if (seen.has(key) || !isFree(state, null, candidate)) return false;
    seen.add(key);
    return true;
  });
}

/**
 * Returns the only vulnerability that the finding may match, by its first free location; undefined with two choices.
 */
function onlyChoice(state: State, finding: CodeFinding, candidates: Candidate[]): Candidate | undefined {
  const choices = candidates.filter(
    (candidate) => isFree(state, finding, candidate) && state.mayJoin(finding, candidate),
  );
  const [first] = choices;
  return choices.every((choice) => choice.vulnerabilityId === first?.vulnerabilityId) ? first : undefined;
}

function byFingerprint(state: State, circle: Candidate[], may: MayJoin = () => true): void {
  if (!hasFingerprints(state)) return;
  const groups = group(circle, (candidate) => candidate.fingerprintKey);
  for (const finding of [...state.open.values()]) {
    if (finding.fingerprintKey === null) continue;
    const choices = groups.get(finding.fingerprintKey)?.filter((candidate) => may(finding, candidate));
    const only = onlyChoice(state, finding, choices ?? []);
    if (only) take(state, finding, only, 'fingerprint');
  }
}

function hasFingerprints({ open }: State): boolean {
  return open.values().some((finding) => finding.fingerprintKey !== null);
}

function isSameCode(finding: CodeFinding, candidate: Candidate): boolean {
  return finding.codeKey !== null && finding.codeKey === candidate.codeKey;
}

/** Takes up the findings again that were open before a rule, without those that it has matched. */
function keepUnmatched(state: State, before: State['open']): void {
  const matched = new Set(state.matches.map((match) => match.ordinal));
  state.open = new Map([...before].filter(([ordinal]) => !matched.has(ordinal)));
}

/** Equal code in one file has the same key; null without code. */
export function codeInFile({ fileKey, codeKey }: Pick<CodeKeys, 'fileKey' | 'codeKey'>): string | null {
  return codeKey === null ? null : `${fileKey} ${codeKey}`;
}

/** Equal code whose fingerprints differ at most in their numbers has the same key; null without code or fingerprint. */
export function codeOfFingerprint(
  place: Pick<CodeKeys, 'fileKey' | 'codeKey' | 'fingerprintKey'>,
): string | null {
  const code = codeInFile(place);
  return code === null || place.fingerprintKey === null
    ? null
    : `${code} ${withoutNumber(place.fingerprintKey)}`;
}

/**
 * The equal fingerprints of a file have numbers, and one finding more or less gives them to other code. So the numbers
 * say nothing, and code that has them is matched as if it had none.
 */
function byCodeOfNumbered(state: State, circle: Candidate[]): void {
  if (!hasFingerprints(state)) return;
  const may: MayJoin = (finding, candidate) =>
    isFree(state, finding, candidate) && state.mayJoin(finding, candidate);
  byCode(state, circle, 'code', codeOfFingerprint, may);
}

// Each finding is compared with at most this many locations of equal code in one file, for the same reason as
// `nearestLooked`.
const sameCodeLooked = 64;

// Equal code can occur several times in one file. Both sides are then matched in the order of their lines, open
// locations before closed ones, and if there are more on one side, with the least distance between them. Of long
// lists, and where findings of one vulnerability are in several lines, the rest is matched in order.
function byCode(
  state: State,
  circle: Candidate[],
  matchMethod: MatchMethod = 'code',
  keyOf: (place: CodeFinding | Candidate) => string | null = codeInFile,
  may: MayJoin = (finding, candidate) => mayMatch(state, finding, candidate),
): void {
  const findings = group([...state.open.values()], keyOf);
  const groups = group(circle, keyOf);
  const takeCode = (finding: CodeFinding, candidate: Candidate) => {
    const isSame = finding.fingerprintKey !== null && finding.fingerprintKey === candidate.fingerprintKey;
    take(state, finding, candidate, isSame ? 'fingerprint' : matchMethod);
  };
  for (const [same, list] of findings) {
    const choices = freeLocations(state, groups.get(same) ?? []).sort(
      (a, b) => Number(b.live) - Number(a.live) || byLineNumber(a, b) || byAge(a, b),
    );
    list.sort(byLineNumber);
    for (const isLive of [true, false]) {
      const open = list.filter(({ ordinal }) => state.open.has(ordinal));
      const known = choices.filter(({ live }) => live === isLive);
      for (const [finding, candidate] of alignLines(open, known, may)) {
        if (may(finding, candidate)) takeCode(finding, candidate);
      }
    }
    const rest = { list: choices, start: 0 };
    for (const finding of list) {
      if (!state.open.has(finding.ordinal)) continue;
      const candidate = takeNext(rest, sameCodeLooked, (each) => may(finding, each));
      if (candidate) takeCode(finding, candidate);
    }
  }
}

/** The part of a list from `start` on. */
interface Rest {
  list: Candidate[];
  start: number;
}

/**
 * Removes and returns the first of the next few locations that fits. Those before it are moved by one instead of all
 * after it, because equal code in one file may have as many locations as a report has findings.
 */
function takeNext(
  rest: Rest,
  looked: number,
  fits: (candidate: Candidate) => boolean,
): Candidate | undefined {
  const next = rest.list.slice(rest.start, rest.start + looked);
  const index = next.findIndex(fits);
  if (index < 0) return undefined;
  rest.list.copyWithin(rest.start + 1, rest.start, rest.start + index);
  rest.start++;
  return next[index];
}

// Each finding looks only at this many nearest locations on each side. Without this limit, a report with thousands of
// results of one rule in one file (minified code) would compare all with all.
const nearestLooked = 8;

function byLine(state: State, circle: Candidate[], matchMethod: MatchMethod = 'nearest-line'): void {
  // A location that was fixed before is no neighbour, so a finding beside it is new.
  const groups = group(freeLocations(state, circle), (candidate) =>
    candidate.live ? candidate.fileKey : null,
  );
  const findings = group([...state.open.values()], (finding) => finding.fileKey);
  for (const [file, list] of findings) {
    const choices = (groups.get(file) ?? []).filter((c) => c.line !== null).sort(byLineNumber);
    if (choices.length === 0) continue;
    sameLine(state, list, choices, matchMethod);
    nearLines(state, list, choices, matchMethod);
  }
}

// Matches findings and locations on one line, in the order of both sides.
function sameLine(
  state: State,
  findings: CodeFinding[],
  choices: Candidate[],
  matchMethod: MatchMethod,
): void {
  const byNumber = new Map<string, Rest>();
  for (const [number, list] of group(choices, (candidate) => String(candidate.line))) {
    byNumber.set(number, { list, start: 0 });
  }
  for (const finding of findings) {
    const rest = byNumber.get(String(finding.line));
    const candidate = rest && takeNext(rest, nearestLooked + 1, (each) => mayMatch(state, finding, each));
    if (candidate) take(state, finding, candidate, matchMethod);
  }
}

function nearLines(state: State, findings: CodeFinding[], all: Candidate[], matchMethod: MatchMethod): void {
  const choices = all.filter((candidate) => isFree(state, null, candidate));
  const pairs: { finding: CodeFinding; candidate: Candidate; distance: number }[] = [];
  for (const finding of findings) {
    if (finding.line === null || !state.open.has(finding.ordinal)) continue;
    for (const candidate of nearest(choices, finding.line)) {
      if (!isNear(finding.line, candidate.line) || !mayMatch(state, finding, candidate)) continue;
      pairs.push({ finding, candidate, distance: distance(finding.line, candidate.line) });
    }
  }
  pairs.sort(
    (a, b) =>
      a.distance - b.distance || byLineNumber(a.finding, b.finding) || byAge(a.candidate, b.candidate),
  );
  for (const { finding, candidate } of pairs) {
    if (state.open.has(finding.ordinal) && isFree(state, finding, candidate)) {
      take(state, finding, candidate, matchMethod);
    }
  }
}

/**
 * Returns the locations around a line, from a list in order of lines: up to `nearestLooked` before it and as many from
 * it on.
 */
function nearest(ordered: Candidate[], line: number): Candidate[] {
  let low = 0;
  let high = ordered.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ordered[middle]?.line ?? 0) < line) low = middle + 1;
    else high = middle;
  }
  return ordered.slice(Math.max(0, low - nearestLooked), low + nearestLooked);
}

/**
 * A finding with neither code nor fingerprint is what its line has, also if that was closed before; without a line,
 * what the file has. As many on both sides are matched in their order, in which the import has numbered them. Otherwise
 * nothing tells which is which, and the place goes into `unsure`, for another circle may have only a part of them.
 */
function byPlaceAlone(
  state: State,
  circle: Candidate[],
  unsure: Set<string>,
  matchMethod: MatchMethod = 'nearest-line',
): void {
  const findings = group([...state.open.values()], placeIfAlone);
  if (findings.size === 0) return;
  const groups = group(circle, placeIfAlone);
  for (const [place, list] of findings) {
    const [first] = list;
    if (first === undefined || unsure.has(place)) continue;
    const free = freeLocations(state, groups.get(place) ?? []).filter((each) => mayMatch(state, first, each));
    const ofVulnerabilities = group(free, (candidate) => candidate.vulnerabilityId);
    const all = [...ofVulnerabilities.values()].flatMap(([best]) => best ?? []).sort(byAge);
    const live = all.filter((candidate) => candidate.live);
    const choices = [live, all].find(({ length }) => length === list.length) ?? [];
    if (live.length > 0) unsure.add(place);
    for (const [at, finding] of list.entries()) {
      const candidate = choices[at];
      if (candidate && mayMatch(state, finding, candidate)) take(state, finding, candidate, matchMethod);
    }
  }
}

function placeIfAlone(place: CodeFinding | Candidate): string | null {
  return hasNoEvidence(place) ? `${place.fileKey} ${place.line}` : null;
}

/** True if the tool has shown neither code nor a fingerprint. */
export function hasNoEvidence({
  codeKey,
  fingerprintKey,
}: Pick<KnownLocation, 'codeKey' | 'fingerprintKey'>): boolean {
  return codeKey === null && fingerprintKey === null;
}

// Most fingerprints contain the path, so they say nothing here either.
function byMovedFolder(state: State, circles: Candidate[][]): void {
  const moved = [...state.open.values()].flatMap((finding) =>
    finding.fileKeyBefore === null
      ? []
      : [{ ...finding, fileKey: finding.fileKeyBefore, fingerprintKey: null }],
  );
  if (moved.length === 0) return;
  const before = state.open;
  state.open = new Map(moved.map((finding) => [finding.ordinal, finding]));
  const left = circles.map((circle) => circle.filter((candidate) => candidate.left));
  for (const circle of left) byCode(state, circle, 'moved-folder');
  for (const circle of left) byLine(state, circle, 'moved-folder');
  // A place alone says nothing of a finding with a fingerprint.
  for (const [ordinal, { fingerprintKey }] of before) if (fingerprintKey !== null) state.open.delete(ordinal);
  const unsure = new Set<string>();
  for (const circle of left) {
    const live = circle.filter((candidate) => candidate.live);
    byPlaceAlone(state, live, unsure, 'moved-folder');
  }
  keepUnmatched(state, before);
}

// Fingerprints say nothing here, because most contain the path and change with it.
function byRename(
  state: State,
  circle: Candidate[],
  may: (finding: CodeFinding) => boolean = () => true,
): void {
  const findings = group([...state.open.values()].filter(may), (finding) => finding.codeKey);
  const groups = group(circle, (candidate) => candidate.codeKey);
  for (const [code, [finding, ...others]] of findings) {
    if (!finding || others.length > 0) continue;
    const candidates = (groups.get(code) ?? []).filter(
      (candidate) => candidate.fileKey !== finding.fileKey && candidate.live && candidate.left,
    );
    const only = onlyChoice(state, finding, candidates);
    if (only) take(state, finding, only, 'renamed-file');
  }
}

function mayMatch(state: State, finding: CodeFinding, candidate: Candidate): boolean {
  return (
    isFree(state, finding, candidate) &&
    !bothFingerprinted(finding, candidate) &&
    !editedElsewhere(finding, candidate) &&
    state.mayJoin(finding, candidate)
  );
}

// A series still sees the other code there, so this is not that code after an edit.
function editedElsewhere(finding: CodeFinding, candidate: Candidate): boolean {
  const { seen, codeKey } = candidate;
  return seen && codeKey !== null && finding.codeKey !== null && codeKey !== finding.codeKey;
}

// If both have a fingerprint of the same scheme here, the two differ, because the fingerprint rule did not match them.
function bothFingerprinted(finding: CodeFinding, candidate: Candidate): boolean {
  return (
    finding.fingerprintKey !== null &&
    candidate.fingerprintKey !== null &&
    finding.fingerprintScheme === candidate.fingerprintScheme
  );
}

export function byLineNumber(a: { line: number | null }, b: { line: number | null }): number {
  return (a.line ?? 0) - (b.line ?? 0);
}

function byAge(a: Candidate, b: Candidate): number {
  return a.locationId < b.locationId ? -1 : 1;
}

function group<T>(items: T[], key: (item: T) => string | null): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const value = key(item);
    if (value === null) continue;
    const list = groups.get(value);
    if (list) list.push(item);
    else groups.set(value, [item]);
  }
  return groups;
}
