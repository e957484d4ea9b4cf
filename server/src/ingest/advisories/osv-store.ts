/** SQL of the loaded advisories. They are the same for all workspaces. */
import { advisoryLocks } from '../../db/advisory-locks.ts';
import type { InstallTx, Tx } from '../../db/database.ts';
import type { AffectedVersions } from '../../domain/affected-versions.ts';
import type { TenantId } from '../../domain/ids.ts';
import type { JsonRecord } from '../../parsers/reading/json.ts';
import type { OsvRecord } from './osv-record.ts';

export interface StoredAdvisory {
  id: string;
  /** Hex. */
  digest: string;
  modified_at: Date | null;
  withdrawn_at: Date | null;
}

export async function findAdvisories(tx: InstallTx, ids: string[]): Promise<Map<string, StoredAdvisory>> {
  const rows = await tx.query<StoredAdvisory>(
    `select id, encode(digest, 'hex') as digest, modified_at, withdrawn_at from osv_advisory where id = any($1::text[])`,
    [ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Collects the packages of which an advisory changes, until the transaction ends. */
export async function collectChangedPackages(tx: InstallTx): Promise<void> {
  await tx.query('create temporary table changed_package (purl text collate "C" primary key) on commit drop');
}

/** Replaces the advisories and what they say of packages. The caller must have called `collectChangedPackages`. */
export async function replaceAdvisories(tx: InstallTx, records: OsvRecord[]): Promise<void> {
  const ids = records.map(({ id }) => id);
  await tx.query(
    `insert into osv_advisory (id, modified_at, withdrawn_at, digest, content)
     select r.id, r."modifiedAt", r."withdrawnAt", decode(r.digest, 'hex'), r.content
       from json_to_recordset($1::json) as r (id text, "modifiedAt" timestamptz, "withdrawnAt" timestamptz, digest text,
            content jsonb)
     on conflict (id) do update set modified_at = excluded.modified_at, withdrawn_at = excluded.withdrawn_at,
       digest = excluded.digest, content = excluded.content`,
    [storable(records.map(({ packages: _, ...advisory }) => advisory))],
    'replace-osv-advisories',
  );
  await tx.query(
    `insert into changed_package select distinct purl from osv_package where advisory_id = any($1::text[])
     on conflict do nothing`,
    [ids],
    'collect-osv-packages',
  );
  await tx.query('delete from osv_package where advisory_id = any($1::text[])', [ids], 'delete-osv-packages');
  const packages = records.flatMap(({ id, withdrawnAt, packages }) =>
    withdrawnAt === null ? packages.map(({ purl, affected }) => ({ purl, id, affected })) : [],
  );
  await tx.query(
    `insert into osv_package (purl, advisory_id, affected)
     select p.purl, p.id, p.affected from json_to_recordset($1::json) as p (purl text, id text, affected jsonb)`,
    [storable(packages)],
    'insert-osv-packages',
  );
  await tx.query(
    `insert into changed_package select distinct unnest($1::text[]) on conflict do nothing`,
    [[...new Set(packages.map(({ purl }) => purl))]],
    'collect-new-osv-packages',
  );
}

/** JSON without what jsonb refuses: NUL, and halves of surrogate pairs. */
function storable(rows: object[]): string {
  return JSON.stringify(rows, (_, value: unknown) =>
    typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value,
  );
}

export async function countAdvisories(tx: InstallTx): Promise<{ loaded: number; newest: Date | null }> {
  const [row] = await tx.query<{ loaded: number; newest: Date | null }>(
    'select count(*)::int as loaded, max(modified_at) as newest from osv_advisory where withdrawn_at is null',
  );
  return row ?? { loaded: 0, newest: null };
}

/**
 * Writes the newest change of each ecosystem whose advisories had changed on eight or more of the 28 days until then.
 * An advisory of several ecosystems does not count, because the archive of another one may have brought it, and a time
 * that was loaded by a wrong clock says nothing.
 */
export async function replaceEcosystems(tx: InstallTx): Promise<void> {
  await tx.query('delete from osv_ecosystem');
  await tx.query(
    `insert into osv_ecosystem (name, newest_at)
     with named as (
       select advisory_id, substr(split_part(purl, '/', 1), 5)
              || case when purl like '%?distro=%' then '/' || split_part(purl, '/', 2) else '' end as name
         from osv_package),
     changed as (
       select n.name, a.modified_at from (select advisory_id, min(name) as name from named
                                           group by advisory_id having min(name) = max(name)) n
         join osv_advisory a on a.id = n.advisory_id where a.modified_at <= now()),
     newest as (select name, max(modified_at) as newest_at from changed group by name)
     select n.name, n.newest_at from newest n join changed c on c.name = n.name and c.modified_at > n.newest_at - interval '28 days'
      group by n.name, n.newest_at having count(distinct c.modified_at::date) >= 8`,
    [],
    'replace-osv-ecosystems',
  );
}

/**
 * Lets this transaction read advisories and write packages or matches. An import of advisories waits until the
 * transaction has ended, so that it sees the packages, or the transaction sees the advisories.
 */
export async function holdAdvisories(tx: InstallTx): Promise<void> {
  await tx.query('select pg_advisory_xact_lock_shared($1)', [advisoryLocks.matchAdvisories]);
}

/** Waits for all transactions that have called `holdAdvisories`; later ones wait until this one ends. */
export async function lockMatching(tx: InstallTx): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1)', [advisoryLocks.matchAdvisories]);
}

/** Marks the packages of the workspace whose advisories have changed. It needs `collectChangedPackages`. */
export async function markChangedPackages(tx: Tx, at: Date): Promise<number> {
  const marking = 'insert into package_to_match (tenant_id, package_id, created_at)';
  const marked =
    'on conflict (tenant_id, package_id) do update set created_at = excluded.created_at returning 1';
  const installed = await tx.query(
    `${marking} select p.tenant_id, p.id, $2 from changed_package c
       join package p on p.tenant_id = $1 and p.purl = c.purl ${marked}`,
    [tx.tenantId, at],
  );
  const ofDistributions = await tx.query(
    `${marking} select distinct v.tenant_id, v.package_id, $2::timestamptz from changed_package c
       join distribution_package d on d.tenant_id = $1 and d.purl = c.purl
       join package_version v on v.tenant_id = $1 and v.id = d.package_version_id ${marked}`,
    [tx.tenantId, at],
  );
  return installed.length + ofDistributions.length;
}

/** Lists the workspaces in which packages are matched with advisories. */
export async function listMatchingTenants(tx: InstallTx): Promise<TenantId[]> {
  const rows = await tx.query<{ id: TenantId }>(
    `select id from tenant where deleted_at is null and coalesce(settings->>'advisory_matching', 'on') = 'on' order by id`,
  );
  return rows.map((row) => row.id);
}

export interface AdvisoryOfPackage extends AffectedVersions {
  id: string;
  /** Hex. */
  digest: string;
}

/** Returns package URL → its advisories, in order of their ids. */
export async function listAdvisoriesOf(tx: Tx, purls: string[]): Promise<Map<string, AdvisoryOfPackage[]>> {
  const rows = await tx.query<{ purl: string; id: string; digest: string; affected: AffectedVersions }>(
    `select p.purl, p.advisory_id as id, encode(a.digest, 'hex') as digest, p.affected
       from osv_package p join osv_advisory a on a.id = p.advisory_id
      where p.purl = any($1::text[]) order by p.purl, p.advisory_id`,
    [purls],
    'list-osv-advisories',
  );
  const byPurl = new Map<string, AdvisoryOfPackage[]>();
  for (const { purl, id, digest, affected } of rows) {
    const list = byPurl.get(purl) ?? [];
    list.push({ id, digest, ...affected });
    byPurl.set(purl, list);
  }
  return byPurl;
}

/**
 * Returns those of the package URLs' types (`npm`) and of the releases of distributions (`debian-12`) that no loaded
 * advisory is about. Returns none as long as no advisory is loaded at all.
 */
export async function listWithoutAdvisories(
  tx: Tx,
  purlTypes: string[],
  releases: string[],
): Promise<string[]> {
  const rows = await tx.query<{ name: string }>(
    `select a.name from (
       select t.name from unnest($1::text[]) t (name)
        where not exists (select 1 from osv_package p
                           where p.purl >= 'pkg:' || t.name || '/' and p.purl < 'pkg:' || t.name || '0')
       union all
       select r.name from unnest($2::text[]) r (name)
        where not exists (select 1 from osv_package p
                           where split_part(p.purl, '?distro=', 2) <> '' and split_part(p.purl, '?distro=', 2) = r.name)) a
      where exists (select 1 from osv_package)`,
    [purlTypes, releases],
    'list-without-osv-advisories',
  );
  return rows.map((row) => row.name);
}

/** Returns id → the advisory's own fields. */
export async function findContents(tx: Tx, ids: string[]): Promise<Map<string, JsonRecord>> {
  const rows = await tx.query<{ id: string; content: JsonRecord }>(
    'select id, content from osv_advisory where id = any($1::text[])',
    [ids],
  );
  return new Map(rows.map(({ id, content }) => [id, content]));
}
