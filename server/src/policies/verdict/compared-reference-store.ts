/** SQL of the references that are compared with a base, and of that base. */
import type { Tx } from '../../db/database.ts';
import { sqlHasPrefix } from '../../domain/commit.ts';
import type { ReferenceId, RepositoryId } from '../../domain/ids.ts';

/** The reference that needs a verdict, with its base as the reports name it. */
export interface ComparedReference {
  id: ReferenceId;
  repository_id: RepositoryId;
  /** Always true for the default branch. A tracked reference has no base: all its violations count. */
  tracked: boolean;
  base_ref: string | null;
  base_sha: string | null;
  /** The base was named by a key that may decide where a policy blocks, or by an admin. */
  base_approved: boolean;
}

export async function findComparedReference(
  tx: Tx,
  referenceId: ReferenceId,
): Promise<ComparedReference | undefined> {
  const [row] = await tx.query<ComparedReference>(
    'select id, repository_id, tracked, base_ref, base_sha, base_approved from reference where tenant_id = $1 and id = $2',
    [tx.tenantId, referenceId],
  );
  return row;
}

// A base rarely has more open pull requests, and the gate computes its verdict at each request anyway.
const maxCompared = 200;

/** The newest references that have this one as their base, because their verdicts depend on it. */
export async function listComparedWith(
  tx: Tx,
  repositoryId: RepositoryId,
  fullRef: string,
): Promise<ReferenceId[]> {
  const rows = await tx.query<{ id: ReferenceId }>(
    `select id from reference
      where tenant_id = $1 and repository_id = $2 and base_ref = $3 and active and not tracked
      order by last_scanned_at desc nulls last, id desc limit $4`,
    [tx.tenantId, repositoryId, fullRef, maxCompared],
  );
  return rows.map((row) => row.id);
}

/** True if the reference has a completed scan whose report is no newer than `at`. */
export async function isScannedBy(tx: Tx, referenceId: ReferenceId, at: Date): Promise<boolean> {
  const [row] = await tx.query(
    `select 1 from scan s where s.tenant_id = $1 and s.reference_id = $2 and s.status = 'completed' and not s.dry_run
        and s.scanned_at <= $3 limit 1`,
    [tx.tenantId, referenceId, at],
  );
  return row !== undefined;
}

interface BaseReference {
  id: ReferenceId;
  full_ref: string;
  is_default: boolean;
  /** The time when the first series had scanned the commit of the base; null if none has. */
  scanned_base_at: Date | null;
  /** The time when all series of the base that list packages or an image had scanned it; null if none has. */
  listed_base_at: Date | null;
  /** The time of the compared reference's first scan on top of that commit; null if it has none. */
  first_scan_at: Date | null;
}

/**
 * The base with this name, else the default branch. Undefined if it does not exist, is the reference itself, or is the
 * default branch of a repository that has ended.
 */
export async function findBaseReference(
  tx: Tx,
  reference: ComparedReference,
  fullRef: string | null,
  sha: string | null,
): Promise<BaseReference | undefined> {
  const [row] = await tx.query<BaseReference>(
    `select b.id, b.full_ref, b.is_default,
            n.scanned_base_at, n.listed_base_at,
            (select case when s.uploaded_by is null then s.scanned_at else s.created_at end from scan s
              where s.tenant_id = $1 and s.reference_id = $3 and s.status in ('queued', 'running', 'completed') and not s.dry_run and not s.partial
                and $5::text <> '' and s.base_sha = $5 order by s.id limit 1) as first_scan_at
       from repository r
       join reference b on b.tenant_id = $1 and b.repository_id = r.id
        and (b.full_ref = $4 or ($4::text is null and b.id = r.default_reference_id))
        and (b.active or not b.is_default)
      cross join lateral (
        select coalesce(min(t.trusted_at), min(t.scanned_at)) as scanned_base_at,
               greatest(min(t.trusted_at), max(t.scanned_at) filter (where t.lists)) as listed_base_at
          from (${firstScansOfBase}) t) n
      where r.tenant_id = $1 and r.id = $2 and b.id <> $3`,
    [tx.tenantId, reference.repository_id, reference.id, fullRef, sha ?? ''],
  );
  return row;
}

// SQL: for each series the time of its first complete scan of the commit $5 of base `b`, and whether it lists packages
// or an image, or was retired since. `trusted_at` is the time of the first such scan whose time is that of the upload,
// or stated by a sender who may decide where a policy blocks; no other one sets an earlier time. A late scan does not
// count: it shows nothing of what the base had then.
const firstScansOfBase = `
         select min(s.scanned_at) as scanned_at,
                min(s.scanned_at) filter (where s.uploaded_by is null or s.may_override_policy or not s.scanned_at_given) as trusted_at,
                bool_or(e.inventory_digest is not null or e.asset_id is not null
                  or exists (select 1 from manifest_package m
                              where m.tenant_id = $1 and m.reference_id = b.id and m.series_id = e.id)
                  or exists (select 1 from series_scan r
                              where r.tenant_id = $1 and r.series_id = e.id and r.series_retired_at is not null)) as lists
           from scan s
           join series_scan c on c.tenant_id = $1 and c.scan_id = s.id and not c.detached
           join scan_series e on e.tenant_id = $1 and e.id = c.series_id
          where s.tenant_id = $1 and s.reference_id = b.id and s.status = 'completed' and not s.dry_run and not s.partial
            and $5::text <> '' and ${sqlHasPrefix('s.sha', '$5')}
          group by e.id`;
