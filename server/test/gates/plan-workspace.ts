/** A workspace for the gates of plans. */
import pg from 'pg';
import { seedWorkspace } from '../../../benchmarks/seed-sql.ts';
import { createTestDatabase } from '../support/database.ts';
import { createTestWorkspace } from '../support/workspace.ts';
import { planReader } from './read-plans.ts';

/**
 * `owner` is a connection that row-level security does not limit. `seed` fills the workspace; without it, it is empty.
 */
export async function createPlanWorkspace() {
  const database = await createTestDatabase();
  const workspace = await createTestWorkspace(database, 'plans');
  const { tenant, people } = workspace;
  const owner = new pg.Client({ connectionString: database.ownerUrl });
  owner.on('error', () => {});
  // The pool that drops the database would wait for it.
  const close = database.db.close;
  database.db.close = async () => {
    await owner.end();
    await close();
  };
  await owner.connect();
  return {
    database,
    workspace,
    owner,
    plansOf: planReader(owner, database.appUrl, tenant.id),
    seed: (vulnerabilities: number, assignees = [people.member]) =>
      seedWorkspace(owner, {
        tenantId: tenant.id,
        userIds: assignees.map(({ user }) => user.id),
        vulnerabilities,
        rebuildIndexes: false,
      }),
  };
}
