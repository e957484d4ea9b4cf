/** SQL of the export, which only reads: ids in order, the rows of a batch, and merged ids. */

import type { Tx } from '../../db/database.ts';
import { rowByKey, rowsByKey } from '../../db/planner-hints.ts';
import { nilId, type VulnerabilityId } from '../../domain/ids.ts';
import type { ReferenceType } from '../../domain/reference-name.ts';
import { sqlClaimCounts, sqlClaimReference } from '../../vulnerabilities/counting-claims.ts';
import { sqlByImportance } from '../../vulnerabilities/store.ts';
import {
  type FullRow,
  fullColumns,
  fullJoins,
  maxIdentifiers,
} from '../../vulnerabilities/vulnerability-fields.ts';

export interface ExportKey {
  id: VulnerabilityId;
  /** The first by name of all tools that have ever reported it; null if it was not requested. */
  tool: string | null;
}

export interface Key extends ExportKey {
  /** The time of the change that orders the keys, as PostgreSQL writes it, to the last digit. */
  changed_at: string;
}

function toolColumn(withTool: boolean): string {
  return withTool
    ? `(select min(w.tool collate "C") from vulnerability_reporter w
               where w.tenant_id = $1 and w.vulnerability_id = v.id) as tool`
    : 'null as tool';
}

/** The newest id of a vulnerability; null if there is none. */
export async function findLastId(tx: Tx): Promise<VulnerabilityId | null> {
  const rows = await tx.query<{ id: VulnerabilityId }>(
    'select id from vulnerability where tenant_id = $1 order by id desc limit 1',
    [tx.tenantId],
  );
  return rows[0]?.id ?? null;
}

/** Keys in order of ids, which no change moves. */
export async function listKeysById(
  tx: Tx,
  afterId: VulnerabilityId | null,
  lastId: VulnerabilityId,
  limit: number,
  withTool: boolean,
): Promise<Key[]> {
  return tx.query<Key>(
    `select v.id, '' as changed_at, ${toolColumn(withTool)} from vulnerability v
      where v.tenant_id = $1 and ($2::uuid is null or v.id > $2) and v.id <= $3 order by v.id limit $4`,
    [tx.tenantId, afterId, lastId, limit],
  );
}

/** Keys changed at `from` or later and before `until`; `after` is the last key of the previous page. */
export async function listKeysByChange(
  tx: Tx,
  from: Date,
  until: Date,
  after: Key | null,
  limit: number,
  withTool: boolean,
): Promise<Key[]> {
  return tx.query<Key>(
    `select v.id, v.updated_at::text as changed_at, ${toolColumn(withTool)} from vulnerability v
      where v.tenant_id = $1 and v.updated_at < $2 and (v.updated_at, v.id) > ($3::timestamptz, $4::uuid)
      order by v.updated_at, v.id limit $5`,
    [
      tx.tenantId,
      until,
      after?.changed_at ?? from,
      // The nil id comes before all ids of that time.
      after?.id ?? nilId,
      limit,
    ],
  );
}

/** Rows in the order of the ids; vulnerabilities that were merged meanwhile are missing. */
export async function listExportRows(tx: Tx, ids: VulnerabilityId[]): Promise<FullRow[]> {
  return tx.query<FullRow>(
    `select ${fullColumns}
       from unnest($2::uuid[]) with ordinality k (id, rank)
       join vulnerability v on v.tenant_id = $1 and v.id = k.id${fullJoins}
      order by k.rank`,
    [tx.tenantId, ids],
  );
}

export interface StatusRow {
  vulnerability_id: VulnerabilityId;
  full_ref: string;
  type: ReferenceType;
  active: boolean;
  packed_state: number;
  first_seen_at: Date;
  fixed_at: Date | null;
}

/**
 * The references of a vulnerability that an export shows. Each pull request stays a reference, so there may be more.
 */
export const maxReferences = 1_000;

const statusesOf = rowsByKey('vulnerability_reference s', 'k.id', {
  column: 'vulnerability_id',
  next: 'reference_id',
});

/** The number of statuses that `listStatuses` returns for each vulnerability. */
export async function countStatuses(tx: Tx, ids: VulnerabilityId[]): Promise<Map<VulnerabilityId, number>> {
  const rows = await tx.query<{ id: VulnerabilityId; count: number }>(
    `select k.id, c.count from unnest($2::uuid[]) k (id)
      cross join lateral (select count(*)::int as count
                            from (select 1 from ${statusesOf} limit ${maxReferences}) shown) c`,
    [tx.tenantId, ids],
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/** The number of ids, besides the advisory, that an export shows of each vulnerability which has any. */
export async function countIdentifiers(
  tx: Tx,
  ids: VulnerabilityId[],
): Promise<Map<VulnerabilityId, number>> {
  const rows = await tx.query<{ id: VulnerabilityId; count: number }>(
    `select v.id, least(cardinality(v.identifiers), ${maxIdentifiers}) as count
       from unnest($2::uuid[]) k (id)
       join vulnerability v on v.tenant_id = $1 and v.id = k.id
      where v.identifiers is not null`,
    [tx.tenantId, ids],
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/** The status of each vulnerability on its references, with the default branch first. */
export async function listStatuses(tx: Tx, ids: VulnerabilityId[]): Promise<StatusRow[]> {
  return tx.query<StatusRow>(
    `select r.* from unnest($2::uuid[]) k (id)
      cross join lateral (
            select s.vulnerability_id, s.full_ref, f.type, f.active, f.is_default, s.packed_state, s.first_seen_at, s.fixed_at
              from ${statusesOf} cross join lateral ${rowByKey('reference f', 's.reference_id')}
             order by ${sqlByImportance('s')}
             limit ${maxReferences}) r
      order by r.vulnerability_id, r.is_default desc, r.full_ref`,
    [tx.tenantId, ids],
  );
}

export interface ToolRow {
  vulnerability_id: VulnerabilityId;
  tool: string;
  live: boolean;
}

export async function listTools(tx: Tx, ids: VulnerabilityId[]): Promise<ToolRow[]> {
  return tx.query<ToolRow>(
    `select w.vulnerability_id, w.tool, bool_or(${sqlClaimCounts('w')}) as live
       from vulnerability_reporter w ${sqlClaimReference('w')}
      where w.tenant_id = $1 and w.vulnerability_id = any($2::uuid[]) group by w.vulnerability_id, w.tool
      order by w.vulnerability_id, w.tool collate "C"`,
    [tx.tenantId, ids],
  );
}

/** The first tool by name of each of the vulnerabilities; one without any reporter is missing. */
export async function findFirstTools(tx: Tx, ids: VulnerabilityId[]): Promise<Map<string, string>> {
  const rows = await tx.query<{ id: VulnerabilityId; tool: string }>(
    `select vulnerability_id as id, min(tool collate "C") as tool from vulnerability_reporter
      where tenant_id = $1 and vulnerability_id = any($2::uuid[]) group by vulnerability_id`,
    [tx.tenantId, ids],
  );
  return new Map(rows.map(({ id, tool }) => [id, tool]));
}

/** The first tool by name of all series that the workspace has ever had. */
export async function findFirstTool(tx: Tx): Promise<string | null> {
  const rows = await tx.query<{ tool: string | null }>(
    'select min(tool collate "C") as tool from scan_series where tenant_id = $1',
    [tx.tenantId],
  );
  return rows[0]?.tool ?? null;
}

export interface MergedRow {
  id: VulnerabilityId;
  vulnerability_id: VulnerabilityId;
  changed_at: string;
}

/** Ids that were merged into others between `from` and `until`. */
export async function listMerged(
  tx: Tx,
  from: Date,
  until: Date,
  after: MergedRow | null,
  limit: number,
): Promise<MergedRow[]> {
  return tx.query<MergedRow>(
    `select id, vulnerability_id, created_at::text as changed_at from vulnerability_redirect
      where tenant_id = $1 and created_at < $2 and (created_at, id) > ($3::timestamptz, $4::uuid)
      order by created_at, id limit $5`,
    [tx.tenantId, until, after?.changed_at ?? from, after?.id ?? nilId, limit],
  );
}
