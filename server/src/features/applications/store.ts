/** SQL of applications. */
import type { Tx } from '../../db/database.ts';

export interface ApplicationRow {
  id: string;
  name: string;
  description: string | null;
  created_at: Date;
  updated_at: Date;
}

/** In order of creation, after `afterId`. */
export async function listApplications(
  tx: Tx,
  tenantId: string,
  afterId: string | null,
  limit: number,
): Promise<ApplicationRow[]> {
  return tx.query<ApplicationRow>(
    `select id, name, description, created_at, updated_at from application
      where tenant_id = $1 and ($2::uuid is null or id > $2) order by id limit $3`,
    [tenantId, afterId, limit],
  );
}

/**
 * Inserts, or updates the one of the same name, and sets its repositories to exactly these. Gives those that came or
 * went.
 */
export async function upsertApplication(
  tx: Tx,
  tenantId: string,
  input: { id: string; name: string; description: string | null; repositoryIds: string[] },
): Promise<string[]> {
  const [row] = await tx.query<{ id: string }>(
    `insert into application (tenant_id, id, name, name_key, description) values ($1, $2, $3, $4, $5)
     on conflict (tenant_id, name_key) do update
       set name = excluded.name, description = excluded.description, updated_at = now()
     returning id`,
    [tenantId, input.id, input.name, input.name.toLowerCase(), input.description],
  );
  if (!row) throw new Error('an upsert returned nothing');
  const gone = await tx.query<{ repository_id: string }>(
    `delete from application_repository
      where tenant_id = $1 and application_id = $2 and repository_id <> all($3::uuid[]) returning repository_id`,
    [tenantId, row.id, input.repositoryIds],
  );
  const come = await tx.query<{ repository_id: string }>(
    `insert into application_repository (tenant_id, application_id, repository_id)
     select $1, $2, unnest($3::uuid[]) on conflict do nothing returning repository_id`,
    [tenantId, row.id, input.repositoryIds],
  );
  return [...gone, ...come].map((each) => each.repository_id);
}
