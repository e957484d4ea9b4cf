/** Builds the request for a verdict from the options, and from the checkout for the missing ones. */
import type { operations } from '@merlon/client';
import { plain } from '@merlon/terminal';
import type { Checkout } from '../checkout/checkout.ts';
import { adviceOf, findSubject } from '../checkout/subject.ts';
import { CommandError, exitCodes } from '../failures.ts';

export type GateQuery = Omit<operations['getGate']['parameters']['query'], 'wait'>;

export interface GateOptions {
  repo?: string;
  ref?: string;
  sha?: string;
  baseRef?: string;
  all?: true;
  expect?: string[];
}

/** Throws CommandError if the subject is not clear. */
export function gateQuery(options: GateOptions, checkout: Checkout | null): GateQuery {
  for (const name of ['repo', 'ref', 'sha'] as const) {
    // An empty variable of CI must not change the subject.
    if (options[name] === '')
      throw new CommandError(
        `The option --${name} is empty: give it a value, or leave it out.`,
        exitCodes.usage,
      );
  }
  const subject = findSubject(options, checkout);
  const { repo, own, scanned } = subject;
  // A commit alone is looked up on all references, unless it is the one that is checked out.
  const alone = options.sha !== undefined && options.ref === undefined && !sameCommit(options.sha, own?.sha);
  const ref = alone ? undefined : (subject.ref ?? undefined);
  const sha = options.sha ?? scanned?.sha ?? undefined;
  if (own !== null && ref === undefined && sha === undefined) {
    throw new CommandError(adviceOf(subject, checkout), exitCodes.usage);
  }
  return { repo, ...identityOf(own), ...(ref ? { ref } : {}), ...(sha ? { sha } : {}), ...termsOf(options) };
}

/** The repository's id at its VCS, because another one, such as a mirror, may have the same name. */
function identityOf(own: Checkout | null): Partial<GateQuery> {
  if (!own?.repoSource || !own.repoExternalId) return {};
  return {
    repo_source: own.repoSource as NonNullable<GateQuery['repo_source']>,
    repo_external_id: own.repoExternalId,
  };
}

/** Returns the parameters other than repository, reference and commit. */
export function termsOf({ baseRef, all, expect }: GateOptions): Partial<GateQuery> {
  return {
    ...(baseRef ? { base_ref: baseRef } : {}),
    ...(all ? { all: 'true' as const } : {}),
    ...(expect && expect.length > 0 ? { expect } : {}),
  };
}

/** Describes the request in one line for people. */
export function describeQuery({ repo, ref, sha, base_ref: base }: GateQuery, foundBy: string | null): string {
  const what = ref ?? (sha === undefined ? 'default branch' : '');
  const commit = sha === undefined ? '' : ` at ${sha.slice(0, 12)}`;
  const against = base === undefined ? '' : `, against ${base}`;
  return plain(`${repo}${what && ` ${what}`}${commit}${against}${foundBy === null ? '' : ` (${foundBy})`}`);
}

function sameCommit(given: string, found: string | null | undefined): boolean {
  return found?.toLowerCase().startsWith(given.toLowerCase()) ?? false;
}
