/** The same ids in another workspace, with different data, so that a join without the tenant is detected. */

import type pg from 'pg';
import { types } from '../../src/domain/packed-state.ts';

// The order obeys the foreign keys between the tables.
const copied = [
  'organization',
  'repository',
  'application',
  'application_repository',
  'reference',
  'scan_series',
  'vulnerability',
  'vulnerability_reference',
  'vulnerability_reporter',
  'vulnerability_location',
  'manifest',
  'package',
  'package_version',
  'manifest_package',
  'asset',
  'analysis',
  'provider_setting',
];

/** Fills the empty workspace `twinId`, which was created before the other one. */
export async function createTwin(owner: pg.Pool, tenantId: string, twinId: string): Promise<void> {
  for (const table of copied) {
    const { rows } = await owner.query<{ name: string }>(
      `select column_name as name from information_schema.columns
        where table_name = $1 and table_schema = 'public' and column_name <> 'tenant_id' and is_generated = 'NEVER'`,
      [table],
    );
    const columns = rows.map((row) => row.name).join(', ');
    await owner.query(
      `insert into ${table} (tenant_id, ${columns}) select $2, ${columns} from ${table} where tenant_id = $1`,
      [tenantId, twinId],
    );
  }
  for (const statement of [
    `repository set is_private = not is_private, is_archived = not is_archived, is_enabled = not is_enabled,
       source = case source when 'ghc' then 'gitlab' when 'gitlab' then 'local' else 'ghc' end, name_key = name_key || '-twin', created_at = created_at - interval '100 days'`,
    `reference set environment_key = 'twin', active = true, tracked = not tracked`,
    `scan_series set analysis_types = '{${types.join()}}', succeeded_at = now(), retired_at = null, asset_tag = 'latest'`,
    `vulnerability set rule = 'twin', package = 'pkg:npm/twin', advisory = 'TWIN-1', cwes = 'CWE-TWIN', identifiers = '{TWIN-2}', introduced_at = '2020-01-01'`,
    // All vulnerabilities are critical and open.
    'vulnerability_reference set live = true, packed_state = 5 << 11',
    `vulnerability_reporter set tool = 'grype', live = true`,
    `vulnerability_location set path = 'twin'`,
    `manifest set path = 'twin', type = 'twin'`,
    `package set name = 'twin', namespace = 'twin', package_type = 'hex'`,
    `package_version set version = id::text, licenses = '{twin}',
       package_id = (select g.id from package g where g.name = 'twin' order by g.id limit 1)`,
    `asset set name = name || '-twin'`,
    `provider_setting set value = 'twin', manual_override = not manual_override`,
  ]) {
    const [table, set] = statement.split(/ set (.*)/s);
    await owner.query(`update ${table} set ${set} where tenant_id = $1`, [twinId]);
  }
  await exchangeNames(owner, twinId);
  // Every vulnerability is on every reference, and comes first in every order.
  await owner.query(
    `insert into application_repository (tenant_id, application_id, repository_id)
     select $1, a.id, r.id from application a join repository r on r.tenant_id = a.tenant_id where a.tenant_id = $1
     on conflict do nothing`,
    [twinId],
  );
  await owner.query(
    `insert into manifest_package (tenant_id, reference_id, series_id, manifest_id, package_version_id, repository_id,
            since_scan_id)
     select $1, f.id, f.id, m.id, v.id, f.repository_id, f.id
       from reference f join manifest m on m.tenant_id = f.tenant_id join package_version v on v.tenant_id = f.tenant_id
      where f.tenant_id = $1`,
    [twinId],
  );
  for (const table of copied) {
    await owner.query(`update ${table} set tenant_id = tenant_id where tenant_id = $1`, [tenantId]);
  }
}

// Each application has the name of another one, so that a query which finds both is detected.
async function exchangeNames(owner: pg.Pool, tenantId: string): Promise<void> {
  const { rows } = await owner.query<{ id: string; name_key: string }>(
    'select id, name_key from application where tenant_id = $1 order by id',
    [tenantId],
  );
  // Names stay unique at every step.
  await owner.query('update application set name_key = id::text where tenant_id = $1', [tenantId]);
  for (const [i, { id }] of rows.entries()) {
    const next = rows[(i + 1) % rows.length];
    await owner.query('update application set name_key = $3 where tenant_id = $1 and id = $2', [
      tenantId,
      id,
      next?.name_key,
    ]);
  }
}
