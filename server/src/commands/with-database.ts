/** The database of the operator's commands, which is open while their work runs. */
import { getWorkspace } from '../access/workspaces/service.ts';
import type { Config } from '../config.ts';
import { type ChangeTx, importTx, installTx } from '../db/database.ts';
import type { PreparedDatabase } from '../db/prepare-database.ts';
import type { Tenant } from '../http/principal.ts';
import type { OpenDatabase } from '../open.ts';
import { CommandError, exitCodes } from './command-error.ts';
import { say } from './output.ts';
import { readConfigOfInstall } from './read-config.ts';

// The audit log shows an act of the operator without a person.
export const operator = { actorId: null };

/** Opens the database, runs the work, and closes the database in every case. `config` may be that of a new install. */
export async function withDatabase<T>(
  work: (open: OpenDatabase) => Promise<T>,
  config: Config = readConfigOfInstall(),
): Promise<T> {
  const { openConfigured } = await import('../open.ts');
  const open = await openConfigured(config);
  try {
    return await work(open);
  } finally {
    await open.close();
  }
}

/** Does the same as `withDatabase` for one workspace. Throws DomainError if the workspace does not exist. */
export async function withWorkspace<T>(
  slug: string,
  work: (open: OpenDatabase, tenant: Tenant) => Promise<T>,
): Promise<T> {
  return withDatabase(async (open) => work(open, await installTx(open.db, (tx) => getWorkspace(tx, slug))));
}

/**
 * Runs work in one transaction of the workspace. It has no lock timeout, so it waits for an import that holds its rows.
 */
export async function inChangeTx<T>(slug: string, work: (tx: ChangeTx) => Promise<T>): Promise<T> {
  return withWorkspace(slug, ({ db }, { id }) => importTx(db, id, work));
}

/**
 * The address of the owner of the tables, for work that the running role may not do. Throws CommandError if it is not
 * known.
 */
export function ownerUrlOf({ ownerUrl }: PreparedDatabase, purpose: string): string {
  if (ownerUrl !== null) return ownerUrl;
  throw new CommandError(`MERLON_DATABASE_OWNER_URL is required ${purpose}.`, exitCodes.usage);
}

/**
 * Runs work with the address of the owner of the tables, for work that the running role may not do. Throws CommandError
 * if the address is not known.
 */
export async function withOwner<T>(purpose: string, work: (ownerUrl: string) => Promise<T>): Promise<T> {
  const { prepareDatabase } = await import('../db/prepare-database.ts');
  const prepared = await prepareDatabase(readConfigOfInstall(), say);
  try {
    return await work(ownerUrlOf(prepared, purpose));
  } finally {
    await prepared.close();
  }
}
