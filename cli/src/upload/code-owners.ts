/**
 * The CODEOWNERS file of the commit that was scanned. It is read from the commit and not from the working tree, which
 * the steps of a job may have changed.
 */
import { MerlonError } from '@merlon/client';
import type { Checkout, Git } from '../checkout/checkout.ts';
import { findSubject } from '../checkout/subject.ts';
import { messageOf } from '../failures.ts';
import { say } from '../output.ts';
import type { Session } from '../session.ts';
import type { UploadQuery } from './parameters.ts';

export interface CodeOwnersFile {
  path: string;
  content: string;
}

// GitHub takes the first of these. GitLab also has a place of its own.
const paths = ['.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS', '.gitlab/CODEOWNERS'];
// The server has the same limit.
const maxBytes = 256 * 1024;

/** Null if the commit has no such file, or if the checkout is not what was scanned, or not the default branch. */
export function findCodeOwners(
  options: { repo?: string; ref?: string },
  checkout: Checkout | null,
  git: Git,
): CodeOwnersFile | null {
  const { scanned } = findSubject(options, checkout);
  if (scanned === null || scanned.otherRepo !== null || !mayBeDefault(scanned)) return null;
  const listed =
    git('ls-tree', '-r', '--full-tree', '--name-only', 'HEAD', '--', ...paths)?.split('\n') ?? [];
  const path = paths.find((one) => listed.includes(one));
  const content = path === undefined ? null : git('show', `HEAD:${path}`);
  if (path === undefined || content === null) return null;
  if (Buffer.byteLength(content) <= maxBytes) return { path, content };
  say(`${path} has more than ${maxBytes / 1024} kB, so it is not sent`);
  return null;
}

function mayBeDefault({ ref, defaultBranch }: Checkout): boolean {
  if (ref === null || !ref.startsWith('refs/heads/')) return false;
  return defaultBranch === null || ref === `refs/heads/${defaultBranch}` || ref === defaultBranch;
}

/**
 * Sends the file. A refusal must not fail the upload, so it is only printed. Returns false if the server does not have
 * the repository or its default branch yet.
 */
export async function sendCodeOwners(
  { client, workspace }: Pick<Session, 'client' | 'workspace'>,
  file: CodeOwnersFile,
  { repo, ref = '' }: UploadQuery,
): Promise<boolean> {
  try {
    const { outcome } = await client.uploadCodeOwners({
      path: { tenant_slug: workspace },
      query: { repo, ref },
      body: { ...file },
    });
    if (outcome === 'applied') say(`${file.path} says who owns the code from now on`);
    return outcome !== 'no_default_branch';
  } catch (error) {
    if (!(error instanceof MerlonError)) throw error;
    if (error.status === 404) return false;
    say(`${file.path} was not taken: ${messageOf(error)}`);
    return true;
  }
}
