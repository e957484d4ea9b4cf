/**
 * Orders versions by the type of the package URL. A maintained library compares them if there is one, else a comparator
 * of `comparators/`. This module must import no feature, no database and no network.
 */
import { compare as comparePep440, valid as validPep440 } from '@renovatebot/pep440';
import { eq as equalGem, gt as newerGem, valid as validGem } from '@renovatebot/ruby-semver';
import { parse, type SemVer } from 'semver';
import { compareApk } from './comparators/apk.ts';
import { compareComposer } from './comparators/composer.ts';
import { compareDebian } from './comparators/debian.ts';
import { compareDigits, compareText } from './comparators/digits.ts';
import { compareGeneric } from './comparators/generic.ts';
import { compareMaven } from './comparators/maven.ts';
import { compareRpm } from './comparators/rpm.ts';

/** Returns a negative number if `a` is older than `b`, and 0 if both are equal in the ecosystem. */
export type Comparator = (a: string, b: string) => number;

/** A comparator that gives null if it cannot read one of the two versions. */
type PartialComparator = (a: string, b: string) => number | null;

// Longer texts are no versions, and a library may take more than linear time for them. The limit is that of semver.
const maxLength = 256;

// A longer number is not exact as a JavaScript number, which the libraries use.
const inexactNumber = /\d{16}/;

const comparators = new Map<string, PartialComparator>([
  ...['npm', 'cargo', 'hex', 'swift', 'julia', 'github'].map((type): [string, PartialComparator] => [
    type,
    exact(compareSemver),
  ]),
  ['golang', exact(compareGo)],
  ['pub', exact(comparePub)],
  ['nuget', exact(compareNuget)],
  ['pypi', exact(comparePypi)],
  ['gem', exact(compareGem)],
  // CocoaPods orders versions by the class of RubyGems.
  ['cocoapods', exact(compareRuby)],
  ['maven', compareMaven],
  ['composer', compareComposer],
  ['deb', compareDebian],
  ['rpm', compareRpm],
  ['apk', compareApk],
]);

/**
 * Compares two versions of one package as its ecosystem does: the result is negative if `a` is older, and 0 if they are
 * equal. Types without an order here, and texts that are no version, are ordered by their numbers and words.
 */
export function compareVersions(purlType: string, a: string, b: string): number {
  return comparatorOf(purlType, [a, b])(a, b);
}

/**
 * One comparator must serve all of these versions, so that their order has no circle. It is the ecosystem's if that can
 * read each of them, else the generic one.
 */
export function comparatorOf(purlType: string, versions: readonly string[]): Comparator {
  const { reads, compare } = ecosystemOrder(purlType);
  return versions.every(reads) ? compare : compareGeneric;
}

/** The order of an ecosystem, for the versions that it can read. A type without an order reads none. */
export function ecosystemOrder(purlType: string): { reads(version: string): boolean; compare: Comparator } {
  const compare = comparators.get(purlType);
  return {
    reads: (version) => version.length <= maxLength && compare?.(version, version) === 0,
    compare: (a, b) => compare?.(a, b) ?? 0,
  };
}

// Lock files write the platform of a gem that is compiled for it: `1.14.0-x86_64-linux`, `1.14.0-java`, `1.14.0-linux`.
const gemPlatform =
  /-(?:x86|x64|amd64|i\d86|universal|arm|aarch64|freebsd|linux|darwin|java|jruby|truffleruby|mswin|mingw|dalvik|powerpc|ppc|s390|riscv|sparc|wasm)[\w.-]*$/i;

/** The version of which an installed one is a build. Advisories name that version, and it stands for all its builds. */
export function versionOfBuild(purlType: string, version: string): string {
  if (purlType === 'gem') return version.replace(gemPlatform, '');
  // PEP 440: a public version stands for all that add a local label to it, such as `2.7.0+cu128`.
  return purlType === 'pypi' ? version.replace(/\+.*$/, '') : version;
}

// A pin of pip, npm or Cargo (`==1.2.3`, `=v1.2.3`), or of Maven and NuGet (`[1.2.3]`), without wildcards.
const pin = /^(?:={1,3} *(v?\d[\w.+~:!-]*)|\[(v?\d[\w.+~:!-]*)\])$/i;

/** The version that a requirement names if it allows no other one; else the text itself. */
export function pinnedVersion(text: string): string {
  const [, afterSign, inBrackets] = pin.exec(text) ?? [];
  return afterSign ?? inBrackets ?? text;
}

/**
 * False for a text that stands where a report knows no version: a word (`latest`), a requirement (`^1.2.0`), an
 * address, a placeholder. A text that begins with a number always counts as a version, because most ecosystems have
 * loose ones.
 */
export function isVersion(purlType: string, text: string): boolean {
  if (/^v?\d/i.test(text)) return true;
  // The orders of some ecosystems read any text.
  const isPlausible = /^[a-z][\w.+~^:-]*$/i.test(text) && /[\d.]/.test(text);
  return isPlausible && (!comparators.has(purlType) || ecosystemOrder(purlType).reads(text));
}

/** The type of a package URL: `pkg:npm/lodash` → `npm`. The result is empty for any other text. */
export function purlTypeOf(purl: string | null): string {
  return /^pkg:([^/]+)\//.exec(purl ?? '')?.[1]?.toLowerCase() ?? '';
}

/** The versions that are newer than `floor`. */
export function versionsAbove(purlType: string, floor: string, versions: string[]): string[] {
  const compare = comparatorOf(purlType, [floor, ...versions]);
  return versions.filter((version) => compare(version, floor) > 0);
}

/** Sorts from the oldest to the newest; the order of equal versions does not depend on the input. */
export function sortVersions(purlType: string, versions: string[]): string[] {
  const compare = comparatorOf(purlType, versions);
  return [...versions].sort((a, b) => compare(a, b) || compareText(a, b));
}

/** The oldest version; null for an empty list. */
export function lowestVersion(purlType: string, versions: string[]): string | null {
  return extreme(purlType, versions, -1);
}

/** The newest version; null for an empty list. */
export function highestVersion(purlType: string, versions: string[]): string | null {
  return extreme(purlType, versions, 1);
}

// The first or the last of `sortVersions`. It does not sort the other versions.
function extreme(purlType: string, versions: string[], sign: 1 | -1): string | null {
  const compare = comparatorOf(purlType, versions);
  let found: string | null = null;
  for (const version of versions) {
    if (found === null || sign * (compare(version, found) || compareText(version, found)) > 0)
      found = version;
  }
  return found;
}

// A report can name any number of fixed versions of any length, and every comparison takes time.
const maxCompared = 200;
const maxComparedLength = 64;

/** In SQL: the distinct versions of a column in a group that `highestOfGroup` compares. */
export function sqlComparedVersions(column: string): string {
  return `coalesce((array_agg(distinct ${column}) filter (where length(${column}) <= ${maxComparedLength}))[1:${maxCompared + 1}], '{}')`;
}

/** The newest of `sqlComparedVersions`; null if there are none, or too many to compare. */
export function highestOfGroup(purlType: string, versions: string[]): string | null {
  return versions.length <= maxCompared ? highestVersion(purlType, versions) : null;
}

/** Leaves out versions with numbers that the library would round. */
function exact(compare: PartialComparator): PartialComparator {
  return (a, b) => (inexactNumber.test(a) || inexactNumber.test(b) ? null : compare(a, b));
}

// Reports leave out parts (`1.2`), and they write prefixes of tags (`v1.2.0`) and of Go toolchains (`go1.21`).
const semverShape = /^(?:v|go)?(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:\.(\d+))?([-+a-z].*)?$/i;

interface FourPartVersion {
  semver: SemVer;
  fourth: string | null;
}

function parseSemver(version: string): FourPartVersion | null {
  const match = semverShape.exec(version.trim());
  if (match === null) return null;
  const [, major, minor = '0', patch = '0', fourth = null, rest = ''] = match;
  const semver = parse(`${major}.${minor}.${patch}${rest}`, { loose: true });
  return semver === null ? null : { semver, fourth };
}

function compareSemver(a: string, b: string): number | null {
  const left = parseSemver(a);
  const right = parseSemver(b);
  if (left === null || right === null || left.fourth !== null || right.fourth !== null) return null;
  return left.semver.compare(right.semver);
}

// Go's toolchain writes `1.24rc2`, some builds of it `1.24rc2-custom`, and advisories write the same version as
// `1.24.0-rc.2`. A pseudo-version of a module has more parts after a dot and is newer.
const goPrerelease = /^(?:go|v)?(\d+\.\d+)(\.\d+)?-?(rc|beta)(\d+)(\.[\w.-]+)?(?:[-+ ].*)?$/;

function compareGo(a: string, b: string): number | null {
  return compareSemver(semverOfGo(a), semverOfGo(b));
}

function semverOfGo(version: string): string {
  const [, minor, patch = '.0', stage, number, more = ''] = goPrerelease.exec(version) ?? [];
  return minor === undefined ? version : `${minor}${patch}-${stage}.${number}${more}`;
}

// Dart orders build metadata, which other users of semantic versions ignore.
function comparePub(a: string, b: string): number | null {
  const left = parseSemver(a);
  const right = parseSemver(b);
  if (left === null || right === null || left.fourth !== null || right.fourth !== null) return null;
  return left.semver.compare(right.semver) || left.semver.compareBuild(right.semver);
}

// NuGet allows a fourth number and compares words without case.
function compareNuget(a: string, b: string): number | null {
  const left = parseSemver(a.toLowerCase());
  const right = parseSemver(b.toLowerCase());
  if (left === null || right === null) return null;
  return (
    left.semver.compareMain(right.semver) ||
    compareDigits(left.fourth ?? '0', right.fourth ?? '0') ||
    left.semver.comparePre(right.semver)
  );
}

// A version that PEP 440 does not accept comes before all others, as in pip's own library.
function comparePypi(a: string, b: string): number | null {
  const isLeftValid = validPep440(a) !== null;
  const isRightValid = validPep440(b) !== null;
  if (isLeftValid && isRightValid) return comparePep440(a, b);
  return Number(isLeftValid) - Number(isRightValid) || compareGeneric(a, b);
}

function compareGem(a: string, b: string): number | null {
  return compareRuby(versionOfBuild('gem', a), versionOfBuild('gem', b));
}

function compareRuby(a: string, b: string): number | null {
  if (validGem(a) === null || validGem(b) === null) return null;
  if (equalGem(a, b)) return 0;
  return newerGem(a, b) ? 1 : -1;
}
