/** Repositories: how a caller names one, and what must be there before a report of it can be taken. */
import type { Tx } from '../../db/database.ts';
import { resourceNotFound } from '../../errors.ts';
import { parseId } from '../../ids.ts';
import { findRepository, type RepositoryDetailRow, type RepositoryRef } from './store.ts';

/** `repo_…` or org/name, without case. */
export function repositoryRef(text: string): RepositoryRef {
  const id = parseId('repository', text);
  return id === undefined ? { nameKey: text.toLowerCase() } : { id };
}

/** Throws 404 when the workspace has no such repository. */
export async function getRepository(tx: Tx, tenantId: string, text: string): Promise<RepositoryDetailRow> {
  const row = await findRepository(tx, tenantId, repositoryRef(text));
  if (!row) throw resourceNotFound();
  return row;
}
