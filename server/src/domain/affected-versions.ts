/**
 * Finds the versions of a package that an advisory affects, and the version that fixes all that affects an installed
 * one. The rules are those of the OSV schema (https://ossf.github.io/osv-schema/#evaluation); the order of versions is
 * that of `versions.ts`. This file reads no database.
 */
import {
  type Comparator,
  comparatorOf,
  compareVersions,
  ecosystemOrder,
  isVersion,
  pinnedVersion,
  versionOfBuild,
} from './versions.ts';

export const rangeEventKinds = ['introduced', 'fixed', 'last_affected', 'limit'] as const;
export type RangeEventKind = (typeof rangeEventKinds)[number];

/** An end of a range: its kind, and the version. */
export type RangeEvent = readonly [RangeEventKind, string];

/** The statement of an advisory about one package: ranges of versions, and single versions. */
export interface AffectedVersions {
  ranges: readonly (readonly RangeEvent[])[];
  versions: readonly string[];
}

/** The version before all others, where a range begins. */
const beginning = '0';
/** The limit that no version reaches. */
const endless = '*';

/**
 * True if the advisory affects the version. A version is affected if it is listed, or if a range has it. A text that is
 * no version is affected if it is listed, or if all versions are. Another
 * spelling of a listed version counts only if there is no range: records of PyPI list hundreds of versions beside
 * the ranges that say the same, and each takes time to compare.
 */
export function isAffected(purlType: string, written: string, affected: AffectedVersions): boolean {
  const { ranges, versions } = affected;
  const version = pinnedVersion(written);
  if (isListed(purlType, version, affected)) return true;
  if (!isVersion(purlType, version)) return ranges.some(hasAllVersions);
  const compare = comparatorOf(purlType, [version, ...(ranges.length === 0 ? versions : endsOf(affected))]);
  const build = versionOfBuild(purlType, version);
  // A version that names a build itself stands for this build only.
  const distance = (at: string): number => compare(versionOfBuild(purlType, at) === at ? build : version, at);
  if (ranges.length === 0) return versions.some((listed) => distance(listed) === 0);
  return ranges.some((events) => isInRange(events, distance, compare));
}

function isListed(purlType: string, version: string, { versions }: AffectedVersions): boolean {
  return versions.includes(version) || versions.includes(versionOfBuild(purlType, version));
}

function hasAllVersions(events: readonly RangeEvent[]): boolean {
  return events.length > 0 && events.every(([kind, at]) => kind === 'introduced' && at === beginning);
}

function isInRange(
  events: readonly RangeEvent[],
  distanceOf: (version: string) => number,
  compare: Comparator,
): boolean {
  const order = (a: string, b: string): number => {
    const outside = outsideRank(a) - outsideRank(b);
    return outside !== 0 || outsideRank(a) !== 0 ? outside : compare(a, b);
  };
  // An end that is no version lies before or after the version, whatever the version is called.
  const distance = (at: string): number => (outsideRank(at) === 0 ? distanceOf(at) : -outsideRank(at));
  const sorted = events.toSorted(([, a], [, b]) => order(a, b));
  return isWithin(sorted, distance, (a, b) => order(a, b) === 0);
}

/**
 * `sorted` are the events of a range by version, and `distance` is positive if the assessed version is the newer one.
 */
function isWithin<At>(
  sorted: readonly (readonly [RangeEventKind, At])[],
  distance: (at: At) => number,
  isSame: (a: At, b: At) => boolean,
): boolean {
  const limits = sorted.filter(([kind]) => kind === 'limit');
  if (limits.length > 0 && !limits.some(([, limit]) => distance(limit) < 0)) return false;
  let isVulnerable = false;
  // A range may begin at the version at which another one ends, and a record may name them in either order.
  let begunAgain: { at: At } | null = null;
  for (const [kind, at] of sorted) {
    if (kind === 'introduced' && distance(at) >= 0) {
      if (isVulnerable) begunAgain = { at };
      isVulnerable = true;
    } else if (kind === 'fixed' ? distance(at) >= 0 : kind === 'last_affected' && distance(at) > 0) {
      isVulnerable = begunAgain !== null && isSame(begunAgain.at, at);
      begunAgain = null;
    }
  }
  return isVulnerable;
}

/** Negative before all versions, positive after all, 0 for a version. */
function outsideRank(at: string): number {
  if (at === beginning) return -1;
  return at === endless ? 1 : 0;
}

function endsOf({ ranges }: AffectedVersions): string[] {
  return ranges.flatMap((events) => events.flatMap(([, at]) => (outsideRank(at) === 0 ? [at] : [])));
}

/** The advisories of one package that affect a version, and the lowest newer version that none of them affects. */
export interface Assessment<Advisory> {
  affecting: Advisory[];
  /** Null if no advisory names a newer version that is free of all. It is never older than the assessed version. */
  fixVersion: string | null;
}

/**
 * All advisories of one package. The ends of their ranges are sorted once, so that a version is compared with a few of
 * them: some packages have hundreds of advisories. The result is that of `isAffected`.
 */
export class PackageAdvisories<Advisory extends AffectedVersions> {
  readonly #type: string;
  readonly #order: ReturnType<typeof ecosystemOrder>;
  readonly #advisories: readonly RankedAdvisory<Advisory>[];
  /** The ends that the ecosystem reads, from the oldest to the newest. Equal ones have the same rank. */
  readonly #ends: string[];
  readonly #ranks = new Map<string, number>();
  /** The versions that advisories name as fixed. */
  readonly #fixes: string[];
  /** Fix → whether no advisory affects it. */
  readonly #free = new Map<string, boolean>();

  constructor(purlType: string, advisories: readonly Advisory[]) {
    this.#type = purlType;
    this.#order = ecosystemOrder(purlType);
    const { reads, compare } = this.#order;
    this.#ends = [...new Set(advisories.flatMap(endsOf))].filter(reads).sort(compare);
    let rank = 0;
    for (const [i, end] of this.#ends.entries()) {
      // The numbers between two ranks are for versions between two ends.
      if (i > 0 && compare(this.#ends[i - 1] ?? '', end) !== 0) rank += 2;
      this.#ranks.set(end, rank);
    }
    this.#advisories = advisories.map((advisory) => this.#rankedAdvisory(advisory));
    const fixes = advisories.flatMap(({ ranges }) =>
      ranges.flatMap((events) =>
        events.flatMap(([kind, at]) =>
          kind === 'fixed' && outsideRank(at) === 0 && isVersion(purlType, at) ? [at] : [],
        ),
      ),
    );
    this.#fixes = [...new Set(fixes)];
  }

  /**
   * Assesses a version. The proposed fix is a version that an advisory names as fixed, and no advisory of the package
   * affects it.
   */
  assess(written: string): Assessment<Advisory> {
    const version = pinnedVersion(written);
    const affecting = this.#affecting(version).map(({ advisory }) => advisory);
    if (affecting.length === 0 || !isVersion(this.#type, version)) return { affecting, fixVersion: null };
    const compare = comparatorOf(this.#type, [version, ...this.#fixes]);
    let found: string | null = null;
    for (const fix of this.#fixes) {
      if (compare(fix, version) <= 0 || (found !== null && compare(fix, found) >= 0)) continue;
      // One end that the ecosystem cannot read changes how all are compared, so the two are also compared alone.
      if (compareVersions(this.#type, fix, version) > 0 && this.#isFree(fix)) found = fix;
    }
    return { affecting, fixVersion: found };
  }

  #isFree(fix: string): boolean {
    const known = this.#free.get(fix);
    if (known !== undefined) return known;
    const isFree = this.#affecting(fix).length === 0;
    this.#free.set(fix, isFree);
    return isFree;
  }

  #affecting(version: string): RankedAdvisory<Advisory>[] {
    const { reads, compare } = this.#order;
    // A build that is newer than its version has two ranks, because an advisory may name either.
    const hasOneRank =
      isVersion(this.#type, version) &&
      reads(version) &&
      compare(versionOfBuild(this.#type, version), version) === 0;
    const rank = hasOneRank ? this.#rankOf(version) : null;
    return this.#advisories.filter(({ advisory, ranges }) => {
      if (rank === null || ranges === null) return isAffected(this.#type, version, advisory);
      return (
        isListed(this.#type, version, advisory) ||
        ranges.some((events) => isWithin(events, (at) => rank - at, Object.is))
      );
    });
  }

  /** The rank among the ends: odd if the version lies between two of them, or outside. */
  #rankOf(version: string): number {
    const { compare } = this.#order;
    let low = 0;
    let high = this.#ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compare(this.#ends[middle] ?? '', version) < 0) low = middle + 1;
      else high = middle;
    }
    const next = this.#ends[low];
    if (next === undefined) return (this.#ranks.get(this.#ends.at(-1) ?? '') ?? 0) + 1;
    const rank = this.#ranks.get(next) ?? 0;
    return compare(next, version) === 0 ? rank : rank - 1;
  }

  #rankedAdvisory(advisory: Advisory): RankedAdvisory<Advisory> {
    const isRanked = advisory.ranges.length > 0 && endsOf(advisory).every((end) => this.#ranks.has(end));
    if (!isRanked) return { advisory, ranges: null };
    const rankOf = (at: string): number => {
      const outside = outsideRank(at);
      return outside === 0 ? (this.#ranks.get(at) ?? 0) : outside * Number.POSITIVE_INFINITY;
    };
    const ranges = advisory.ranges.map((events) =>
      events.map(([kind, at]) => [kind, rankOf(at)] as const).sort(([, a], [, b]) => a - b || 0),
    );
    return { advisory, ranges };
  }
}

interface RankedAdvisory<Advisory> {
  advisory: Advisory;
  /** The ends of each range by rank, sorted. Null if the ecosystem cannot read all, or if there are only versions. */
  ranges: (readonly [RangeEventKind, number])[][] | null;
}
