/**
 * What a command is about: its options, and where they say nothing, the checkout. What belongs together stays
 * together: the commit of one reference is never taken for another's, nor one repository's for another's.
 */
import { CommandError, exitCodes } from '../failures.ts';
import type { Checkout } from './checkout.ts';

export interface Subject {
  repo: string;
  /** The checkout, if it is one of this repository. */
  own: Checkout | null;
  ref: string | null;
  /** The checkout, if it is at this reference too: then its commit and its base may be told with it. */
  scanned: Checkout | null;
}

/** Throws CommandError when the repository is not known. */
export function findSubject(options: { repo?: string; ref?: string }, checkout: Checkout | null): Subject {
  const repo = options.repo ?? checkout?.repo;
  if (!repo) {
    const where = checkout ? `${checkout.foundBy} names no repository` : 'there is no checkout here';
    throw new CommandError(`${where}: give --repo org/name`, exitCodes.usage);
  }
  const own = checkout !== null && sameRepository(repo, checkout.repo) ? checkout : null;
  const ref = options.ref ?? own?.ref ?? null;
  // Where the checkout has no reference, its commit may be that of the one given.
  const isScanned =
    own !== null && (options.ref === undefined || own.ref === null || sameReference(options.ref, own.ref));
  return { repo, own, ref, scanned: isScanned ? own : null };
}

/** Why there is no reference, and what to do. */
export function adviceOf({ repo, own }: Subject, checkout: Checkout | null): string {
  if (own?.advice) return own.advice;
  if (checkout !== null && own === null) {
    return `${repo} is not what is checked out here (${checkout.repo ?? 'a repository without a name'}): give --ref, and --sha`;
  }
  return 'the reference that was scanned is not known: give --ref';
}

function sameRepository(given: string, found: string | null): boolean {
  // A checkout without a remote's name is that of the repository given.
  return found === null || given.toLowerCase() === found.toLowerCase();
}

function sameReference(given: string, found: string): boolean {
  return given === found || found === `refs/heads/${given}` || found === `refs/tags/${given}`;
}
