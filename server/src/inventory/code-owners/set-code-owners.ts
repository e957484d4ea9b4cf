/**
 * Sets the CODEOWNERS file of a repository. An upload from the default branch brings it, or an admin sets it; what an
 * admin has set, no upload replaces.
 */
import { type Actor, recordAudit } from '../../access/audit/record.ts';
import type { Tx } from '../../db/database.ts';
import { CodeOwners, codeOwnersSyntaxes, maxCodeOwnersBytes } from '../../domain/code-owners.ts';
import { invalidInput, orNotFound } from '../../domain/errors.ts';
import type { RepositoryId } from '../../domain/ids.ts';
import { isPlainName, plainNameRule } from '../../domain/plain-name.ts';
import { lockRepository } from '../repositories/lock.ts';
import { findRepository } from '../repositories/store.ts';
import { findCodeOwners, upsertCodeOwners } from './code-owners-store.ts';
import { syntaxOf } from './repository-owners.ts';

export interface CodeOwnersInput {
  /** The path of the file in the repository. */
  path: string;
  /** Empty: nobody owns anything. */
  content: string;
}

/** The result for a file that an upload has brought. */
export const uploadOutcomes = [
  'applied',
  'unchanged',
  'not_default_branch',
  'no_default_branch',
  'set_by_admin',
] as const;
export type UploadOutcome = (typeof uploadOutcomes)[number];

/**
 * Takes the file of an upload about `fullRef`. Only the default branch says who owns the code: others may be anybody's
 * proposal. Throws DomainError, and 404 without the repository.
 */
export async function takeUploaded(
  tx: Tx,
  actor: Actor,
  repositoryId: RepositoryId,
  fullRef: string,
  input: CodeOwnersInput,
): Promise<UploadOutcome> {
  await lockRepository(tx, repositoryId);
  const repository = orNotFound(await findRepository(tx, { id: repositoryId }));
  if (repository.default_full_ref === null) return 'no_default_branch';
  if (repository.default_full_ref !== fullRef) return 'not_default_branch';
  const before = await findCodeOwners(tx, repositoryId);
  if (before?.set_by_admin) return 'set_by_admin';
  const isChanged = await write(tx, actor, repository, before, { ...input, isByAdmin: false });
  return isChanged ? 'applied' : 'unchanged';
}

/**
 * Sets the file for an admin; null lets the next upload bring it. Throws DomainError, and 404 without the repository.
 */
export async function setByAdmin(
  tx: Tx,
  actor: Actor,
  repositoryId: RepositoryId,
  input: CodeOwnersInput | null,
): Promise<void> {
  await lockRepository(tx, repositoryId);
  const repository = orNotFound(await findRepository(tx, { id: repositoryId }));
  const before = await findCodeOwners(tx, repositoryId);
  if (input === null && !before) return;
  const after = input ?? { path: before?.path ?? '', content: before?.content ?? '' };
  await write(tx, actor, repository, before, { ...after, isByAdmin: input !== null });
}

async function write(
  tx: Tx,
  actor: Actor,
  repository: { id: RepositoryId; source: string },
  before: { path: string; content: string; set_by_admin: boolean } | undefined,
  after: CodeOwnersInput & { isByAdmin: boolean },
): Promise<boolean> {
  const { path, content, isByAdmin } = after;
  check(after);
  if (before?.path === path && before.content === content && before.set_by_admin === isByAdmin) return false;
  const { rules } = new CodeOwners(content, syntaxOf({ path, source: repository.source }));
  // The VCS of the repository may become known later, and with it the syntax, so the names in either of them count.
  const owners = new Set(codeOwnersSyntaxes.flatMap((syntax) => new CodeOwners(content, syntax).owners));
  await upsertCodeOwners(tx, {
    repository_id: repository.id,
    path,
    content,
    owners: [...owners],
    set_by_admin: isByAdmin,
    updated_at: new Date(),
  });
  await recordAudit(tx, actor, 'repository.code_owners', repository.id, {
    path,
    rules: rules.length,
    set_by_admin: isByAdmin,
  });
  return true;
}

function check({ path, content }: CodeOwnersInput): void {
  if (!isPlainName(path)) throw invalidInput(plainNameRule, 'path');
  if (Buffer.byteLength(content) > maxCodeOwnersBytes) {
    throw invalidInput(`Must not be larger than ${maxCodeOwnersBytes / 1024} kB.`, 'content');
  }
  // PostgreSQL stores no NUL in a text, and half of a surrogate pair is no text.
  if (content.includes('\0') || !content.isWellFormed()) {
    throw invalidInput('Must be text.', 'content');
  }
}
