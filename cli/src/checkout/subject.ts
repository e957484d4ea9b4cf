/**
 * The subject of a command comes from its options, and from the checkout for the missing ones. Facts of different
 * references or repositories are never mixed: the commit of one reference is never used for another.
 */
import type { Sentence } from '@merlon/terminal';
import { CommandError, exitCodes } from '../failures.ts';
import type { Checkout } from './checkout.ts';

export interface Subject {
  repo: string;
  /** The checkout, if it belongs to this repository. */
  own: Checkout | null;
  ref: string | null;
  /** The checkout, if it is at this reference too. Only then may its commit and base be sent. */
  scanned: Checkout | null;
}

/** Throws CommandError if it is not known or not certain which repository was scanned. */
export function findSubject(options: { repo?: string; ref?: string }, checkout: Checkout | null): Subject {
  if (options.repo === undefined && checkout !== null && checkout.otherRepo !== null) {
    throw new CommandError(
      `The checkout here is ${checkout.otherRepo}, but ${checkout.foundBy} runs for ${checkout.repo}: give --repo, and --ref and --sha of what was scanned.`,
      exitCodes.usage,
    );
  }
  const repo = options.repo ?? checkout?.repo;
  if (!repo) {
    throw new CommandError(
      checkout
        ? `No repository is named by ${checkout.foundBy}: give --repo org/name.`
        : 'There is no checkout here: give --repo org/name.',
      exitCodes.usage,
    );
  }
  const own = checkout !== null && sameRepository(repo, checkout.repo) ? checkout : null;
  const ref = options.ref ?? own?.ref ?? null;
  // If the checkout has no reference, its commit may belong to the given one.
  const isScanned =
    own !== null && (options.ref === undefined || own.ref === null || sameReference(options.ref, own.ref));
  return { repo, own, ref, scanned: isScanned ? own : null };
}

/** Explains why there is no reference, and what to do. */
export function adviceOf({ repo, own }: Subject, checkout: Checkout | null): Sentence {
  if (own?.advice) return own.advice;
  if (checkout !== null && own === null) {
    const other = checkout.repo ?? 'a repository without a name';
    const relation = checkout.otherRepo === null ? 'is checked out here' : `${checkout.foundBy} runs for`;
    return `The repository ${repo} is not the one that ${relation} (${other}): give --ref, and --sha.`;
  }
  return 'The reference that was scanned is not known: give --ref.';
}

function sameRepository(given: string, found: string | null): boolean {
  // A checkout whose remote has no name counts as the given repository.
  return found === null || given.toLowerCase() === found.toLowerCase();
}

function sameReference(given: string, found: string): boolean {
  return given === found || found === `refs/heads/${given}` || found === `refs/tags/${given}`;
}
