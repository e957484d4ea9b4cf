/** An install on which `merlond doctor isolation` runs, with workspaces that it must not touch. */
import { bindToSecret } from '../../src/db/bound-secret.ts';
import { importAll } from './import.ts';
import { trivy } from './reports.ts';
import { createTestServer } from './server.ts';
import { nodeSettings } from './serving.ts';
import { until } from './until.ts';
import { createTestWorkspace, reportInput } from './workspace.ts';

export interface DoctorInstall {
  /** Settings of a process with the owner of the database, and without. */
  settings: Record<string, string>;
  settingsWithoutOwner: Record<string, string>;
  /** A digest of every row of every table, including the jobs of the queue. */
  everything(): Promise<unknown>;
  /** Resolves once the self-test has created a workspace and has begun to fill it. */
  untilCanaries(): Promise<void>;
}

export async function createDoctorInstall(): Promise<DoctorInstall> {
  const server = await createTestServer();
  await bindToSecret(server.db.pool, server.secret, 'secret');
  await createTestWorkspace(server, 'acme');
  // The workspace looks like one of the self-test's own, but has no mark.
  await createTestWorkspace(server, 'doctor-0123456789ab-home');
  for (const slug of ['acme', 'doctor-0123456789ab-home']) {
    const report = trivy([{ id: 'CVE-2030-1001', name: 'lodash', version: '1.0.0' }]);
    await importAll(server, slug, [reportInput(report)]);
  }
  const settingsWithoutOwner = nodeSettings(server);
  const settings = { ...settingsWithoutOwner, MERLON_DATABASE_OWNER_URL: server.ownerUrl };

  async function everything(): Promise<unknown> {
    const { rows: tables } = await server.owner.query<{ name: string }>(
      `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and (n.nspname = 'public' or c.relname = 'job') order by 1`,
    );
    const counts = [];
    for (const { name } of tables) {
      const { rows } = await server.owner.query(
        `select count(*) as n, coalesce(sum(hashtextextended(t::text, 0)), 0) as digest from ${name} t`,
      );
      counts.push([name, rows[0]]);
    }
    return counts;
  }

  async function untilCanaries(): Promise<void> {
    await until(async () => {
      const { rows } = await server.owner.query(
        `select from scan s join tenant t on t.id = s.tenant_id and t.canary`,
      );
      return rows.length > 2;
    }, 'a canary workspace is filled');
  }
  return { settings, settingsWithoutOwner, everything, untilCanaries };
}
