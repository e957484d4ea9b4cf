/**
 * The facts that are sent with a report: the options, and the checkout for the missing ones. The id of one repository
 * is never sent with the name of another.
 */

import type { operations } from '@merlon/client';
import { plain } from '@merlon/terminal';
import type { Checkout } from '../checkout/checkout.ts';
import { adviceOf, findSubject } from '../checkout/subject.ts';
import { CommandError, exitCodes } from '../failures.ts';

/** The query of `uploadScan`. */
export type UploadQuery = operations['uploadScan']['parameters']['query'];

export interface UploadOptions {
  repo?: string;
  ref?: string;
  refType?: string;
  sha?: string;
  baseRef?: string;
  baseSha?: string;
  defaultBranch?: string;
  category?: string;
  scannedAt?: string;
  source?: string;
  format?: string;
  environment?: string;
  partial?: true;
  dryRun?: true;
  force?: true;
}

/** Returns the query of the upload. Throws CommandError if the repository or the reference is not known. */
export function uploadParameters(options: UploadOptions, checkout: Checkout | null): UploadQuery {
  const subject = findSubject(options, checkout);
  const { repo, own, ref, scanned } = subject;
  if (!ref) throw new CommandError(adviceOf(subject, checkout), exitCodes.usage);
  const identity = own?.repoExternalId ? own : null;
  const values = {
    repo,
    ref,
    ref_type: options.refType,
    sha: options.sha ?? scanned?.sha,
    base_ref: options.baseRef ?? scanned?.baseRef,
    base_sha: options.baseSha ?? scanned?.baseSha,
    default_branch: options.defaultBranch ?? own?.defaultBranch,
    category: options.category,
    scanned_at: options.scannedAt,
    source: options.source,
    format: options.format,
    partial: options.partial,
    dry_run: options.dryRun,
    force: options.force,
    environment: options.environment,
    repo_source: identity?.repoSource,
    repo_external_id: identity?.repoExternalId,
    org_external_id: identity?.orgExternalId,
    private: own?.private,
  };
  // The server knows the allowed values, and its error names them.
  return withoutGaps(values) as UploadQuery;
}

/** Describes the checkout in one line for people. */
export function describeParameters(parameters: UploadQuery, checkout: Checkout | null): string {
  const { repo, ref, sha, base_ref: baseRef, base_sha: baseSha } = parameters;
  const commit = sha === undefined ? '' : ` at ${sha.slice(0, 12)}`;
  const base = baseRef === undefined ? '' : `, to ${baseRef}`;
  const from = baseSha === undefined ? '' : ` from ${baseSha.slice(0, 12)}`;
  return plain(`${repo} ${ref}${commit}${base}${from}${checkout ? ` (${checkout.foundBy})` : ''}`);
}

function withoutGaps(values: Record<string, string | boolean | null | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value === undefined || value === null || value === '' ? [] : [[name, String(value)]],
    ),
  );
}
