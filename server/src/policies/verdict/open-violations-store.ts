/** SQL of the gate: the open violations of a reference against its base, with all fields that CI prints. */

import type { Tx } from '../../db/database.ts';
import { rowByKey, separate } from '../../db/planner-hints.ts';
import type { PolicyId, ReferenceId, UserId, ViolationId } from '../../domain/ids.ts';
import type { Severity } from '../../domain/packed-state.ts';
import type { TargetId, TargetType } from '../../domain/policy-enums.ts';
import {
  blockingStates,
  sqlEnforcementAtLeast,
  sqlViolationStatusIsNot,
  warningStates,
} from '../../domain/violation-state.ts';
import { sqlFixedVersions } from '../../vulnerabilities/claim-columns.ts';
import { sqlClaimCounts, sqlClaimReference } from '../../vulnerabilities/counting-claims.ts';
import { type Base, findBase } from './base.ts';
import { baseSeries, liveOnBase } from './base-series.ts';
import { findComparedReference } from './compared-reference-store.ts';
import { listUnmetOnBase } from './unmet-on-base.ts';

export interface OpenViolations {
  blocking: number;
  warning: number;
  onBase: number;
  /** The ones that block the reference now, whether they blocked before or not. */
  blockingNow: number;
  /** Ids of the violations that count: blocking ones first, and within each group the soonest due first. */
  ids: ViolationId[];
}

/** The current open violations of a reference. */
export async function readOpenViolations(
  tx: Tx,
  referenceId: ReferenceId,
  base: Base,
  limit: number,
): Promise<OpenViolations> {
  const sql = `select m.violation_id, m.due_at, m.blocks, m.blocks as blocks_now, v.id, v.target_type, v.target_id
       from (select m.violation_id, m.due_at, k.blocks
               from (select unnest($4::smallint[]) as packed_state, true as blocks
                     union all select unnest($5::smallint[]), false) k
              cross join lateral ${separate(`select m.violation_id, m.due_at from violation_reference m
                     where m.tenant_id = $1 and m.reference_id = $2 and m.packed_state = k.packed_state`)} m) m
      cross join lateral ${rowByKey('policy_violation v', 'm.violation_id')}`;
  return sumOpenViolations(tx, sql, [tx.tenantId, referenceId, limit, blockingStates, warningStates], base);
}

/**
 * The violations that were open at one of these moments: they matched then and were not yet cleared. The mode is
 * today's, or the one at the end of the violation, and not that of the end of the match.
 */
export async function readOpenViolationsAt(
  tx: Tx,
  referenceId: ReferenceId,
  base: Base,
  at: Date[],
  limit: number,
): Promise<OpenViolations> {
  const sql = `select m.violation_id, m.due_at, ${sqlEnforcementAtLeast('v.packed_state', 'block')} as blocks,
            m.cleared_at is null and m.packed_state = any($5::smallint[]) as blocks_now, v.id, v.target_type, v.target_id
       from violation_reference m
       join policy_violation v on v.tenant_id = $1 and v.id = m.violation_id and ${sqlViolationStatusIsNot('v.packed_state', 'waived')}
      where m.tenant_id = $1 and m.reference_id = $2 and ${sqlEnforcementAtLeast('v.packed_state', 'warn')}
        and exists (select 1 from unnest($4::timestamptz[]) t (at)
                     where m.matched_at <= t.at and (m.cleared_at is null or m.cleared_at > t.at))`;
  const then: Base =
    base.state === 'compared' ? { ...base, unmet: await listUnmetOnBase(tx, referenceId, base, true) } : base;
  return sumOpenViolations(tx, sql, [tx.tenantId, referenceId, limit, at, blockingStates], then);
}

/** True if a violation that was open at one of these moments blocks the reference now, against its own base. */
export async function stillBlocks(tx: Tx, referenceId: ReferenceId, at: Date[]): Promise<boolean> {
  const reference = await findComparedReference(tx, referenceId);
  if (!reference) return false;
  const open = await readOpenViolationsAt(tx, referenceId, await findBase(tx, reference), at, 0);
  return open.blockingNow > 0;
}

/** `sql` gives the violations. In its parameters `values`, $1 is the tenant and $3 the number of violations to show. */
async function sumOpenViolations(
  tx: Tx,
  sql: string,
  values: unknown[],
  base: Base,
): Promise<OpenViolations> {
  const parameters = [...values];
  const add = (value: unknown): string => `$${parameters.push(value)}`;
  let head = 'with';
  let onBase = 'false';
  if (base.state === 'compared') {
    const [reference, at, sha] = [add(base.referenceId), add(base.at), add(base.sha ?? '')];
    head = `${baseSeries(reference, at, sha)},`;
    onBase = liveOnBase(reference, add(base.listedAt), add(base.unmet));
  }
  const [row] = await tx.query<Omit<OpenViolations, 'ids'> & { ids: ViolationId[] | null }>(
    `${head} open_violation as materialized (
       select v.violation_id, v.due_at, v.blocks, v.blocks_now, ${onBase} as on_base from ${separate(sql)} v)
     select count(*) filter (where blocks and not on_base)::int as blocking,
            count(*) filter (where not blocks and not on_base)::int as warning,
            count(*) filter (where on_base)::int as "onBase",
            count(*) filter (where blocks_now and not on_base)::int as "blockingNow",
            (select array_agg(s.violation_id order by s.blocks desc, s.due_at, s.violation_id)
               from (select * from open_violation where not on_base
                      order by blocks desc, due_at, violation_id limit $3) s)::text[] as ids
       from open_violation`,
    parameters,
  );
  if (!row) throw new Error('a count returned nothing');
  return { ...row, ids: row.ids ?? [] };
}

export interface OpenViolation {
  id: ViolationId;
  packed_state: number;
  target_type: TargetType;
  target_id: TargetId;
  due_at: Date;
  snoozed_until: Date | null;
  policy_id: PolicyId;
  policy_key: string;
  policy_name: string;
  policy_severity: Severity | null;
  vulnerability_packed_state: number | null;
  title: string | null;
  advisory: string | null;
  /** Null for a package, whose rule is its advisory. */
  rule: string | null;
  purl: string | null;
  versions: string[];
  fixed_versions: string[];
  path: string | null;
  line: number | null;
  owner: { id: UserId; name: string; email: string } | null;
}

/** The details have no order. Versions, location and fixes are those on the reference. */
export async function listOpenViolations(
  tx: Tx,
  ids: ViolationId[],
  referenceId: ReferenceId,
): Promise<OpenViolation[]> {
  return tx.query<OpenViolation>(
    `select v.id, v.packed_state, v.target_type, v.target_id, v.due_at, v.snoozed_until,
            p.id as policy_id, p.key as policy_key, p.name as policy_name, p.severity as policy_severity,
            w.packed_state as vulnerability_packed_state, w.title, w.advisory,
            case when w.package is null then nullif(w.rule, '') end as rule, coalesce(w.package, g.purl) as purl,
            coalesce(used.versions, case when n.version <> '' then array[n.version] end, '{}') as versions,
            coalesce(fixes.versions, '{}') as fixed_versions, l.path, l.line,
            case when u.id is null then null
                 else json_build_object('id', u.id, 'name', u.name, 'email', u.email) end as owner
       from unnest($2::uuid[]) as k (id)
      cross join lateral ${rowByKey('policy_violation v', 'k.id')}
       join policy p on p.tenant_id = $1 and p.id = v.policy_id
       -- The vulnerability, if it is the target: where it is on the reference, in which versions, and what fixes it.
       left join lateral ${rowByKey('vulnerability w', 'v.target_id', { where: "v.target_type = 'vulnerability'" })} on true
       left join lateral ${locations} l on true
       left join lateral ${installedVersions} used on true
       left join lateral ${fixedVersions} fixes on true
       -- The package and its version, if one of them is the target.
       left join lateral ${rowByKey('package_version n', 'v.target_id', { where: "v.target_type = 'package_version'" })} on true
       left join lateral ${rowByKey('package g', packageId)} on true
       -- The person to whom the vulnerability is assigned.
       left join user_account u on u.id = w.assignee_id`,
    [tx.tenantId, ids, referenceId],
  );
}

// The package that violation `v` is about, itself or by one of its versions `n`.
const packageId = `case v.target_type when 'package' then v.target_id else n.package_id end`;

// The location of vulnerability `w` that its row of the reference names.
const locations = `(select x.path, x.line from vulnerability_reference r
        join vulnerability_location x on x.tenant_id = $1 and x.id = r.location_id
       where r.tenant_id = $1 and r.vulnerability_id = w.id and r.reference_id = $3 limit 1)`;

// The versions of the package in which the reference has vulnerability `w`, from the package URLs of the artifacts.
const installedVersions = `(select array_agg(distinct substring(a.purl from '@([^@?#]*)')) filter (where a.purl ~ '@[^@?#]+') as versions
        from vulnerability_location x join artifact a on a.tenant_id = $1 and a.id = x.artifact_id
       where x.tenant_id = $1 and x.vulnerability_id = w.id and x.reference_id = $3
         and x.fixed_at is null and not x.suppressed)`;

// The versions that fix vulnerability `w`, according to the claims that count.
const fixedVersions = `(select array_agg(distinct x.version) as versions
        from vulnerability_reporter o ${sqlClaimReference('o')} cross join unnest(${sqlFixedVersions('o')}) as x (version)
       where o.tenant_id = $1 and o.vulnerability_id = w.id and ${sqlClaimCounts('o')})`;
