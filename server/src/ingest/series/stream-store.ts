/** SQL of streams as people see them. */
import type { Tx } from '../../db/database.ts';
import type { SightingRow } from '../import/import-store.ts';

export interface StreamDetailRow {
  id: string;
  repository_id: string;
  repository_full_name: string;
  reference_id: string;
  full_ref: string;
  reference_type: number;
  reference_sha: string | null;
  reference_active: boolean;
  tool: string;
  category: string;
  source: number;
  last_seq: number;
  last_scan_id: string | null;
  last_scanned_at: Date | null;
  held_scan_id: string | null;
  held: number;
  retired_at: Date | null;
}

const columns = `s.id, s.repository_id, r.full_name as repository_full_name, s.reference_id, f.full_ref,
  f.type as reference_type, f.head_sha as reference_sha, f.active as reference_active, s.tool, s.category, s.source,
  s.last_seq, s.last_scan_id, s.last_scanned_at, s.held_scan_id, s.retired_at,
  (select count(distinct g.vulnerability_id)::int from location_sighting g
    where g.tenant_id = $1 and g.stream_id = s.id and g.held) as held`;

const joins = `join repository r on r.tenant_id = $1 and r.id = s.repository_id
  join reference f on f.tenant_id = $1 and f.id = s.reference_id`;

export async function findStream(tx: Tx, tenantId: string, id: string): Promise<StreamDetailRow | undefined> {
  const [row] = await tx.query<StreamDetailRow>(
    `select ${columns} from stream s ${joins} where s.tenant_id = $1 and s.id = $2`,
    [tenantId, id],
  );
  return row;
}

export interface StreamFilter {
  repositoryId?: string | undefined;
  /** Those that this scan fed; then the other two are not looked at. */
  scanId?: string | undefined;
  /** Those of which the guard holds something. */
  held?: boolean;
  /** Those of active references that nobody has fed since then. */
  staleBefore?: Date | undefined;
}

/** In the order in which they were first seen. */
export async function listStreams(
  tx: Tx,
  tenantId: string,
  filter: StreamFilter,
  afterId: string | null,
  limit: number,
): Promise<StreamDetailRow[]> {
  const values: unknown[] = [tenantId];
  const add = (value: unknown): string => `$${values.push(value)}`;
  const source = sourceOf(filter, add);
  const conditions = ['s.tenant_id = $1'];
  if (filter.repositoryId !== undefined) conditions.push(`s.repository_id = ${add(filter.repositoryId)}`);
  if (afterId !== null) conditions.push(`s.id > ${add(afterId)}`);
  return tx.query<StreamDetailRow>(
    `select ${columns} from ${source} ${joins} where ${conditions.join(' and ')} order by s.id limit ${add(limit)}`,
    values,
  );
}

// Held ones are few, and have an index. Stale ones are sought from the references that are active: of the others, whose
// streams nobody will feed again, there are many.
function sourceOf({ scanId, held, staleBefore }: StreamFilter, add: (value: unknown) => string): string {
  if (scanId !== undefined) {
    return `(select stream_id from scan_stream where tenant_id = $1 and scan_id = ${add(scanId)}) c
       join stream s on s.tenant_id = $1 and s.id = c.stream_id`;
  }
  if (held) {
    return `(select distinct stream_id from location_sighting where tenant_id = $1 and held) h
       join stream s on s.tenant_id = $1 and s.id = h.stream_id and s.held_scan_id is not null`;
  }
  if (staleBefore) {
    return `(select id from reference where tenant_id = $1 and is_default and active
             union all
             select id from reference where tenant_id = $1 and active and not tracked) a
      cross join lateral (
        select * from stream s where s.tenant_id = $1 and s.reference_id = a.id and s.retired_at is null
           and s.last_scanned_at < ${add(staleBefore)} offset 0) s`;
  }
  return 'stream s';
}

/** What the stream sees now, or, of that, what is held. */
export async function listSightings(
  tx: Tx,
  tenantId: string,
  streamId: string,
  { held }: { held: boolean },
): Promise<SightingRow[]> {
  return tx.query<SightingRow>(
    `select location_id, vulnerability_id, key from location_sighting
      where tenant_id = $1 and stream_id = $2 and until_seq is null ${held ? 'and held' : ''}`,
    [tenantId, streamId],
  );
}

/** The number of the scan that did not show what is held. */
export async function getHeldSeq(tx: Tx, tenantId: string, streamId: string): Promise<number> {
  const [row] = await tx.query<{ seq: number }>(
    `select c.seq from stream s join scan_stream c
       on c.tenant_id = $1 and c.stream_id = s.id and c.scan_id = s.held_scan_id
      where s.tenant_id = $1 and s.id = $2`,
    [tenantId, streamId],
  );
  if (!row) throw new Error('nothing is held');
  return row.seq;
}

/** Nothing is held any more. */
export async function clearHolding(tx: Tx, tenantId: string, streamId: string): Promise<void> {
  await tx.query(
    `update stream set held_absence = null, held_scan_id = null, updated_at = now() where tenant_id = $1 and id = $2`,
    [tenantId, streamId],
  );
}

export async function setRetired(tx: Tx, tenantId: string, streamId: string): Promise<void> {
  await tx.query(
    'update stream set retired_at = now(), updated_at = now() where tenant_id = $1 and id = $2',
    [tenantId, streamId],
  );
}
