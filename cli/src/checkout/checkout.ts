/** The facts about a checkout, in one form for every CI, and the sources of these facts. */
import type { Sentence } from '@merlon/terminal';

/** Runs a git command in the checkout. Gives its output, or null if it failed. */
export type Git = (...args: string[]) => string | null;

export interface Environment {
  env: Record<string, string | undefined>;
  git: Git;
  /** Returns the parsed JSON of a file, or null. */
  readJson(path: string): unknown;
}

/** A fact that is not known is null. */
export interface Checkout {
  /** Names the source of the facts, for people. */
  foundBy: string;
  /** org/name */
  repo: string | null;
  /** The repository in this directory, if it is another one than that of the CI run. */
  otherRepo: string | null;
  /** The full name of the reference. */
  ref: string | null;
  sha: string | null;
  baseRef: string | null;
  baseSha: string | null;
  defaultBranch: string | null;
  repoSource: string | null;
  repoExternalId: string | null;
  orgExternalId: string | null;
  private: boolean | null;
  /** Explains why the reference is not known. */
  advice: Sentence | null;
}

export function nothingKnown(foundBy: string): Checkout {
  return {
    foundBy,
    repo: null,
    otherRepo: null,
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

/** An empty variable counts as not set. */
export function given(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : text;
}

const commit = /^[0-9a-f]{7,64}$/i;

/**
 * Finds the commit of the base that was merged with the head of a pull request, if that merge is checked out. A shallow
 * checkout has no parents of its commit, but the commit itself names them.
 */
export function findMergedBase(git: Git, head: string | null): string | null {
  const header = git('cat-file', 'commit', 'HEAD')?.split('\n\n', 1)[0] ?? '';
  const [base, merged] = [...header.matchAll(/^parent (.*)$/gm)].map(([, parent]) => parent);
  return base !== undefined && merged === head ? base : null;
}

/**
 * Finds the newest commit of the base that the scanned code contains: the one that was merged, else the one where the
 * branch left its base, as far as the checkout's history goes. A shallow checkout often has too little. `known` is a
 * commit of the base, for a checkout without the branch `baseRef`.
 */
export function findBaseCommit(
  git: Git,
  sha: string | null,
  baseRef: string | null,
  known: string | null = null,
): string | null {
  const merged = findMergedBase(git, sha);
  if (merged !== null) return merged;
  if (sha === null || !commit.test(sha)) return null;
  const bases = [
    baseRef === null ? null : `refs/remotes/origin/${baseRef}`,
    known !== null && commit.test(known) ? known : null,
  ];
  for (const base of bases) {
    if (base === null) continue;
    const found = git('merge-base', base, sha);
    if (found !== null && commit.test(found)) return found;
  }
  return null;
}
