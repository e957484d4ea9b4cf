/**
 * A reference is compared with its base, so that only its own violations count. The comparison uses the moment of the
 * scan of the base's commit. If that commit has no scan, it uses the time of the reference's first scan on top of it.
 */
import type { Tx } from '../../db/database.ts';
import type { ReferenceId } from '../../domain/ids.ts';
import { requiresApproval } from '../exceptions/requires-approval.ts';
import { seenOnBase } from './base-series.ts';
import { type ComparedReference, isScannedBy } from './compared-reference-store.ts';
import { listUnmetOnBase } from './unmet-on-base.ts';

/**
 * All violations count unless the state is `compared`. `none`: the reference has no base. `missing`: the base has no
 * scan. `untracked`: a policy blocks in the repository, the base is not the default branch, and no key that may decide
 * there has named it, so it may be a decoy. A key that may upload can also create a branch with a tracked name.
 */
export type Base =
  | { state: 'none' }
  | { state: 'missing' | 'untracked'; fullRef: string | null; sha: string | null }
  | {
      state: 'compared';
      referenceId: ReferenceId;
      fullRef: string;
      sha: string | null;
      /**
       * Violations that were live on the base at this time are not new. A series that has scanned `sha` counts with
       * that scan.
       */
      at: Date;
      /** The same time for targets without observations, such as packages: all series that list them have scanned `sha`. */
      listedAt: Date;
      /** Open violations that are new although the base has their vulnerabilities (`listUnmetOnBase`). */
      unmet: string[];
    };

/**
 * `given` is a base that the caller names, as a full reference name, instead of the one from the reports; its newest
 * state counts. `approved` says whether the caller may decide where a policy blocks.
 */
export async function findBase(
  tx: Tx,
  reference: ComparedReference,
  given: { baseRef: string; approved: boolean } | null = null,
): Promise<Base> {
  const baseRef = given?.baseRef ?? null;
  const isOther = baseRef !== null && baseRef !== reference.base_ref;
  const sha = isOther ? null : reference.base_sha;
  const fullRef = baseRef ?? reference.base_ref;
  if (reference.tracked || (fullRef === null && sha === null)) return { state: 'none' };
  const [row] = await tx.query<{
    id: ReferenceId;
    full_ref: string;
    is_default: boolean;
    scanned_base_at: Date | null;
    listed_base_at: Date | null;
    first_scan_at: Date | null;
  }>(
    `select b.id, b.full_ref, b.is_default,
            n.scanned_base_at, n.listed_base_at,
            (select case when s.uploaded_by is null then s.scanned_at else s.created_at end from scan s
              where s.tenant_id = $1 and s.reference_id = $3 and s.status in ('queued', 'running', 'completed') and not s.dry_run and not s.partial
                and $5::text <> '' and s.base_sha = $5 order by s.id limit 1) as first_scan_at
       from repository r
       join reference b on b.tenant_id = $1 and b.repository_id = r.id
        and (b.full_ref = $4 or ($4::text is null and b.id = r.default_reference_id))
      cross join lateral (
        select min(t.scanned_at) as scanned_base_at, max(t.scanned_at) filter (where t.lists) as listed_base_at
          from (${firstScansOfBase}) t) n
      where r.tenant_id = $1 and r.id = $2 and b.id <> $3`,
    [tx.tenantId, reference.repository_id, reference.id, fullRef, sha ?? ''],
  );
  const missing: Base = { state: 'missing', fullRef, sha };
  // The base does not exist, or it is the reference itself.
  if (!row) return missing;
  const approved = isOther ? given?.approved === true : reference.base_approved;
  if (!row.is_default && !approved && (await requiresApproval(tx, reference.repository_id))) {
    return { ...missing, state: 'untracked' };
  }
  const at = row.scanned_base_at ?? row.first_scan_at ?? new Date();
  if (!(await isScannedBy(tx, row.id, at))) return missing;
  const compared = {
    referenceId: row.id,
    fullRef: row.full_ref,
    sha,
    at,
    listedAt: row.listed_base_at ?? at,
  };
  return { state: 'compared', ...compared, unmet: await listUnmetOnBase(tx, reference.id, compared, false) };
}

// SQL: for each series the time of its first complete scan of the commit $5 of base `b`, and whether it lists packages or
// an image. A late scan does not count: it shows nothing of what the base had then.
const firstScansOfBase = `
         select min(s.scanned_at) as scanned_at,
                bool_or(e.inventory_digest is not null or e.asset_id is not null or exists (
                  select 1 from manifest_package m
                   where m.tenant_id = $1 and m.reference_id = b.id and m.series_id = e.id)) as lists
           from scan s
           join series_scan c on c.tenant_id = $1 and c.scan_id = s.id and not c.detached
           join scan_series e on e.tenant_id = $1 and e.id = c.series_id
          where s.tenant_id = $1 and s.reference_id = b.id and s.status = 'completed' and not s.dry_run and not s.partial
            and $5::text <> '' and s.sha >= $5 and s.sha < $5 || 'g'
          group by e.id`;

/**
 * SQL: whether violation `v` was live on the base at its moment. The statement must begin with `baseSeries`; the arguments
 * are the parameters of the base's reference, of `listedAt` and of `unmet`.
 */
export function liveOnBase(reference: string, listedAt: string, unmet: string): string {
  return `(v.id <> all(${unmet}::uuid[]) and case when v.target_type = 'vulnerability'
          then exists (select 1 ${seenOnBase('v.target_id', reference)})
          else exists (
            select 1 from violation_reference o
             where o.tenant_id = $1 and o.violation_id = v.id and o.reference_id = ${reference}
               and (o.cleared_at is null or (o.matched_at <= ${listedAt} and o.cleared_at > ${listedAt}))) end)`;
}
