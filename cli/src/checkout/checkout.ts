/** What a checkout says of itself, whoever asks: the shape that every CI's reader gives, and what they read from. */

/** A command of git in the checkout: what it printed, or null when it failed. */
export type Git = (...args: string[]) => string | null;

export interface Surroundings {
  env: Record<string, string | undefined>;
  git: Git;
  /** The parsed JSON of a file, or null. */
  readJson(path: string): unknown;
}

/** Null is what nobody knows. */
export interface Checkout {
  /** In a person's words. */
  foundBy: string;
  /** org/name */
  repo: string | null;
  /** Full name. */
  ref: string | null;
  sha: string | null;
  baseRef: string | null;
  baseSha: string | null;
  defaultBranch: string | null;
  repoSource: string | null;
  repoExternalId: string | null;
  orgExternalId: string | null;
  private: boolean | null;
  /** Why the reference is not known. */
  advice: string | null;
}

export function nothingKnown(foundBy: string): Checkout {
  return {
    foundBy,
    repo: null,
    ref: null,
    sha: null,
    baseRef: null,
    baseSha: null,
    defaultBranch: null,
    repoSource: null,
    repoExternalId: null,
    orgExternalId: null,
    private: null,
    advice: null,
  };
}

/** What is set to nothing counts as not set. */
export function given(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : text;
}

const commit = /^[0-9a-f]{7,64}$/i;

/** Where the commit left its base, as far as the checkout goes back: a shallow one often does not. */
export function findMergeBase(git: Git, sha: string | null, bases: (string | null)[]): string | null {
  if (sha === null || !commit.test(sha)) return null;
  for (const base of bases) {
    if (base === null || !(commit.test(base) || base.startsWith('refs/'))) continue;
    const found = git('merge-base', base, sha);
    if (found !== null && commit.test(found)) return found;
  }
  return null;
}
