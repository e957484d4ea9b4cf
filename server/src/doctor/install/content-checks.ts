/** Checks of the content of the database: the queue, the sweep, counters, the secret, intel. */

import { findBound } from '../../db/bound-secret.ts';
import { type Database, installTx, tenantReadTx } from '../../db/database.ts';
import { nilId, type TenantId } from '../../domain/ids.ts';
import { dayMs, daySeconds } from '../../domain/time.ts';
import { readWaitingReports } from '../../metrics/database-metrics.ts';
import {
  type Check,
  type CheckedInstall,
  type CheckResult,
  describeSeconds,
  fault,
  ok,
  skipped,
  warning,
} from './check.ts';

export const contentChecks: Check[] = [
  {
    name: 'queue',
    needsSchema: true,
    run: async ({ db }) => {
      const { reports, age } = await installTx(db, readWaitingReports);
      if (reports === 0) return ok('no report waits');
      const found = `${reports} reports wait, the oldest for ${describeSeconds(age)}`;
      const action =
        'Run serve with MERLON_WORKERS, or merlond worker; its log says why a scan is not processed.';
      if (age > 3_600) return fault(found, action);
      return age > 900 ? warning(found, action) : ok(found);
    },
  },
  {
    name: 'sweep',
    needsSchema: true,
    run: async ({ db }) => {
      const { rows } = await db.pool.query(
        `select extract(epoch from now() - swept_at)::float8 as ago, swept_ms as ms, coalesce(workspaces_failed, 0) as failed
           from sweep_lead where swept_at is not null`,
      );
      const [last] = rows;
      if (!last) return skipped('nothing has swept yet: a server or worker does, a minute after its start');
      const found = `the last sweep was ${describeSeconds(last.ago)} ago and took ${describeSeconds(last.ms / 1000)}`;
      if (last.ago > 900) {
        return fault(
          found,
          'Run a server or worker: due dates, snoozes and exceptions are late without one.',
        );
      }
      if (last.failed > 0) {
        return warning(
          `${found}, and has failed in ${last.failed} workspaces`,
          'The log of the server or worker says why, with the message "sweep failed". It is tried again each minute.',
        );
      }
      return last.ms > 45_000
        ? warning(found, 'It should take less than a minute: look at the processor and disk of PostgreSQL.')
        : ok(found);
    },
  },
  { name: 'counters', needsSchema: true, run: checkCounters },
  { name: 'old references', needsSchema: true, run: checkOldReferences },
  { name: 'secret', needsSchema: true, run: checkSecret },
  {
    name: 'intel',
    needsSchema: true,
    run: async (install) => {
      const { db, now } = install;
      const { rows } = await db.pool.query<{ name: string; published_at: Date }>(
        'select name, published_at from intel_feed order by name',
      );
      const action = 'Load a newer release by merlond intel import.';
      const missing = ['epss', 'kev', 'osv'].filter((name) => !rows.some((row) => row.name === name));
      const ages = rows.map(({ name, published_at }) => ({
        name,
        seconds: (now().getTime() - published_at.getTime()) / 1000,
      }));
      const quiet = await listQuietEcosystems(install, new Date(now().getTime() - maxIntelSeconds * 1000));
      const found = [
        ...ages.map(({ name, seconds }) => `${name} is ${describeSeconds(seconds)} old`),
        ...missing.map((name) => `${name} is not loaded`),
        ...quiet.map(
          ({ name, newest_at }) =>
            `osv has no change of ${name} since ${newest_at.toISOString().slice(0, 10)}`,
        ),
      ].join(', ');
      const isOld = ages.some(({ seconds }) => seconds > maxIntelSeconds) || quiet.length > 0;
      return isOld || missing.length > 0 ? warning(found, action) : ok(found);
    },
  },
];

// A few old references are no harm, and bases of open pull requests stay. Each one has some hundred rows.
const manyReferences = 1000;
const oldDays = 180;

/** Counts the references of all workspaces that could be emptied long ago. */
async function checkOldReferences({ db, now }: CheckedInstall): Promise<CheckResult> {
  const before = new Date(now().getTime() - oldDays * dayMs);
  let count = 0;
  for (const { id } of await listTenants(db)) {
    const [row] = await tenantReadTx(db, id, (tx) =>
      tx.query<{ count: number }>(
        `select count(*)::int as count from reference
          where tenant_id = $1 and not active and not tracked and emptied_at is null and last_scanned_at < $2`,
        [id, before],
      ),
    );
    count += row?.count ?? 0;
  }
  const found = `${count} branches, tags and pull requests without a scan for ${oldDays} days still have what they have shown`;
  return count > manyReferences
    ? warning(found, 'Set MERLON_KEEP_REFERENCES_DAYS and run merlond prune every day: see "What is kept".')
    : ok(found);
}

const listTenants = async (db: Database): Promise<{ id: TenantId; slug: string }[]> =>
  (
    await db.pool.query<{ id: TenantId; slug: string }>(
      'select id, slug from tenant where deleted_at is null order by random()',
    )
  ).rows;

const maxIntelSeconds = 14 * daySeconds;

/** Lists the ecosystems of packages in use whose advisories often had changes, and none after `since`. */
async function listQuietEcosystems(
  { db }: CheckedInstall,
  since: Date,
): Promise<{ name: string; newest_at: Date }[]> {
  const { rows: quiet } = await db.pool.query<{ name: string; newest_at: Date }>(
    'select name, newest_at from osv_ecosystem where newest_at < $1 order by name',
    [since],
  );
  if (quiet.length === 0) return [];
  const used = new Set<string>();
  for (const { id } of await listTenants(db)) {
    const rows = await tenantReadTx(db, id, (tx) =>
      tx.query<{ name: string }>(
        `select q.name from unnest($2::text[]) q (name)
          where exists (select 1 from package p where p.tenant_id = $1 and p.package_type = split_part(q.name, '/', 1)
                           and split_part(q.name, '/', 2) in ('', p.namespace))`,
        [id, quiet.map(({ name }) => name)],
      ),
    );
    for (const { name } of rows) used.add(name);
  }
  return quiet.filter(({ name }) => used.has(name));
}

// A recount reads all vulnerabilities of a workspace. Workspaces that do not fit into this time are left out.
const maxCountMs = 20_000;

async function checkCounters({ db }: CheckedInstall): Promise<CheckResult> {
  const tenants = await listTenants(db);
  const startedAt = performance.now();
  const wrong: string[] = [];
  let counted = 0;
  for (const { id, slug } of tenants) {
    if (performance.now() - startedAt > maxCountMs) break;
    counted++;
    const differences = await tenantReadTx(db, id, (tx) =>
      tx.query(
        `select 1 from (select packed_state, count(*)::int as count from vulnerability where tenant_id = $1 group by 1) r
           full join (select packed_state, count from vulnerability_count
                       where tenant_id = $1 and scope = 'workspace' and key = '${nilId}' and count <> 0) c using (packed_state)
          where r.count is distinct from c.count limit 1`,
        [id],
      ),
    );
    if (differences.length > 0) wrong.push(slug);
  }
  const found = `${counted} of ${tenants.length} workspaces recounted`;
  return wrong.length === 0
    ? ok(`${found}, all as their counters say`)
    : fault(
        `${found}; the counters of ${wrong.join(', ')} are wrong`,
        'It is a fault of Merlon, or somebody wrote to the database: restore a backup, and report it.',
      );
}

/** Each process refuses another secret when it starts, but the file may have changed since. */
async function checkSecret({ config, db, loadSecret }: CheckedInstall): Promise<CheckResult> {
  const action =
    'Use the file of the secret that all nodes had before: MERLON_SECRET_FILE, the same on each.';
  if (config.databaseUrl !== null && config.secretFile === null) {
    return fault('MERLON_SECRET_FILE is not set, and no server starts without it', action);
  }
  const secret = await loadSecret().catch((error: Error) => error);
  if (secret instanceof Error) return fault(secret.message, action);
  const bound = await findBound(db.pool);
  if (bound === undefined) return skipped(`${secret.fingerprint}; no process has used the database yet`);
  return bound === secret.fingerprint
    ? ok(`${bound}, as the database`)
    : fault(`${secret.fingerprint}, but the database belongs to the secret ${bound}`, action);
}
