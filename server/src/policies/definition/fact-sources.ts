/**
 * SQL for each target type: the rows (target, reference) that are live and undecided, under the aliases that the table
 * of facts uses. The parameters are $1 tenant, $2 repositories and, for vulnerabilities, $3 their ids. `$now$` is the
 * time of the evaluation.
 */

import { rowByKey, rowByKeys, rowsByKey, separate } from '../../db/planner-hints.ts';
import { sqlIsOpen, sqlSeverityRank, sqlWithSource } from '../../domain/packed-state.ts';
import type { TargetType } from '../../domain/policy-enums.ts';
import { sqlHasOtherActive } from '../../inventory/repositories/store.ts';

export interface FactSource {
  /** Common table expressions of the statement. */
  with?: string;
  from: string;
  where: string;
  targetId: string;
  /** The reference of the row. A repository without any reference uses its own id. */
  referenceId: string;
  tracked: string;
  isDefault: string;
  /** Severity rank that gives the time to fix; null means the policy's severity. */
  severity: string;
  /** The target has a decision that does not override policies, so only policies that block evaluate it. */
  decided: string;
  /** Columns with the states and the time of the vulnerability by which lists find it; null for any other target. */
  listed: string;
}

/**
 * SQL: the time of the last successful run on the default branch of repository `r` that looked for the type of analysis
 * `a`.
 */
export const lastScannedAt = `(select max(t.succeeded_at) from scan_series t
                where t.tenant_id = $1 and t.reference_id = r.default_reference_id and t.retired_at is null
                  and a.type = any(t.analysis_types))`;

// The repository has not ended (ADR 118): its default branch is active, or another scanned reference is.
const isThere = `(not exists (select 1 from reference d
             where d.tenant_id = $1 and d.id = r.default_reference_id and not d.active)
           or ${sqlHasOtherActive('r.id', 'r.default_reference_id')})`;

// This subquery looks up once the values that all rows of a repository share.
const repository = `${separate(`select r.*, array(select a.name_key from application_repository x
           join application a on a.tenant_id = $1 and a.id = x.application_id
          where x.tenant_id = $1 and x.repository_id = r.id) as applications,
            array(select jsonb_array_elements_text(t.settings->'exposed_environments') from tenant t
          where t.id = $1) as exposed_environments,
            ${isThere} as is_there
       from repository r where r.tenant_id = $1 and r.id = any($2::uuid[])`)} r`;

const notListed =
  'null::smallint as vulnerability_state, null::smallint as default_branch_state, null::timestamptz as introduced_at';
const listed = 'v.packed_state as vulnerability_state, v.default_branch_state, v.introduced_at';

const onReference = {
  referenceId: 'f.id',
  tracked: 'f.tracked',
  isDefault: 'f.is_default',
  severity: 'null::smallint',
  decided: 'false',
  listed: notListed,
};

const onRepository = {
  referenceId: 'coalesce(r.default_reference_id, r.id)',
  tracked: 'true',
  isDefault: 'true',
  severity: 'null::smallint',
  decided: 'false',
  listed: notListed,
};

/** SQL: the repositories with their active references `f`, or those of them that the parameter `referenceIds` has. */
const activeReferences = (referenceIds: string | null): string =>
  referenceIds === null
    ? `${repository} join reference f on f.tenant_id = $1 and f.repository_id = r.id and f.active`
    : `${repository} cross join unnest(${referenceIds}::uuid[]) as k (reference_id)
       cross join lateral ${rowByKey('reference f', 'k.reference_id', { where: 'f.active and f.repository_id = r.id' })}`;

/**
 * SQL: the packages of each reference, read series by series from the primary key, by this column of the usages `i`.
 */
function inventory(referenceIds: string | null, column: string, { joins = '', more = '' } = {}): string {
  return `${activeReferences(referenceIds)}
       cross join lateral (select ${column}${more} from manifest_package i ${joins}
                            where i.tenant_id = $1 and i.reference_id = f.id group by ${column}) i`;
}

const sourcesOn = (
  referenceIds: string | null,
): Record<Exclude<TargetType, 'vulnerability' | 'package_version'>, FactSource> => ({
  package: {
    ...onReference,
    from: `${inventory(referenceIds, 'v.package_id', { joins: `cross join lateral ${rowByKey('package_version v', 'i.package_version_id')}` })}
       cross join lateral ${rowByKey('package g', 'i.package_id')}`,
    where: 'true',
    targetId: 'g.id',
  },
  manifest: {
    ...onReference,
    from: `${inventory(referenceIds, 'i.manifest_id')}
       cross join lateral ${rowByKey('manifest m', 'i.manifest_id')}
       cross join lateral (select m.path) location`,
    where: 'true',
    targetId: 'm.id',
  },
  analysis: {
    ...onRepository,
    from: `${repository}
       join lateral (select a.id, a.type, ${lastScannedAt} as last_scanned_at
               from analysis a where a.tenant_id = $1 and a.repository_id = r.id) y on true`,
    where: 'r.is_enabled and not r.is_archived and r.is_there',
    targetId: 'y.id',
  },
  provider: {
    ...onRepository,
    from: `${repository} join provider_setting s on s.tenant_id = $1 and s.repository_id = r.id`,
    where: 'r.is_there',
    targetId: 's.id',
  },
  asset: {
    ...onReference,
    from: `${activeReferences(referenceIds)}
       cross join lateral (select t.asset_id, array_remove(array_agg(distinct t.asset_tag), null) as tags from scan_series t
              where t.tenant_id = $1 and t.reference_id = f.id and t.asset_id is not null and t.retired_at is null
              group by t.asset_id) t
       cross join lateral (select a.id, a.name, a.type, t.tags from asset a
              where a.tenant_id = $1 and a.id = t.asset_id limit 1) o`,
    where: 'true',
    targetId: 'o.id',
  },
  repository: { ...onRepository, from: repository, where: 'r.is_there', targetId: 'r.id' },
});

// The licenses of the usages are not in the primary key, so their rows are read only for a condition about them.
function packageVersions(referenceIds: string | null, withLicenses: boolean): FactSource {
  const more = withLicenses ? ', bool_or(i.licenses is not null) as has_other_licenses' : '';
  return {
    ...onReference,
    from: `${inventory(referenceIds, 'i.package_version_id', { more })}
       cross join lateral ${rowByKey('package_version n', 'i.package_version_id')}
       cross join lateral ${rowByKey('package g', 'n.package_id')}`,
    where: 'true',
    targetId: 'n.id',
  };
}

// SQL of each vulnerability with each of these references.
const pairs = (referenceIds: string): string =>
  `(select id, reference_id from unnest($3::uuid[]) id cross join unnest(${referenceIds}::uuid[]) reference_id) k`;

// A vulnerability is included if it is live there and open, or if its decision does not override policies that block.
const isOpen = sqlIsOpen('p.packed_state');

/**
 * `neededFor` gives SQL that is true where a condition may depend on a column of this alias, or null if none uses it.
 * `referenceIds` is the parameter with the only references to read; null means all.
 */
export function factSourceOf(
  target: TargetType,
  neededFor: (alias: string) => string | null,
  referenceIds: string | null = null,
): FactSource {
  if (target === 'package_version') return packageVersions(referenceIds, neededFor('i') !== null);
  if (target !== 'vulnerability') return sourcesOn(referenceIds)[target];
  const key = { vulnerability_id: 'k.id', reference_id: 'k.reference_id' };
  const onReferences = referenceIds
    ? rowByKeys('vulnerability_reference p', key)
    : rowsByKey('vulnerability_reference p', 'k.id', { column: 'vulnerability_id', next: 'reference_id' });
  // The row is repeated for each live location, because a condition holds if it holds for one of them.
  const needed = neededFor('location');
  const location = `left join lateral (select l.path from vulnerability_location l
           where l.tenant_id = $1 and l.vulnerability_id = v.id and l.reference_id = p.reference_id
             and l.fixed_at is null and not l.suppressed and ${needed}) location on true`;
  return {
    ...onReference,
    from: `${referenceIds ? pairs(referenceIds) : 'unnest($3::uuid[]) as k (id)'}
       cross join lateral ${onReferences}
       cross join lateral ${rowByKey('reference f', 'p.reference_id', { where: 'f.active' })}
       join ${repository} on r.id = f.repository_id
       cross join lateral ${rowByKey('vulnerability v', 'k.id')}
       ${needed === null ? '' : location}`,
    where: `p.live and (${isOpen} or not v.decision_overrides_policy)`,
    targetId: 'k.id',
    severity: `${sqlSeverityRank('p.packed_state')}::smallint`,
    decided: `(not ${isOpen})`,
    listed,
  };
}

/** The facts that depend on where the series see a vulnerability. */
export const factsOfLocations = ['path', 'source'];

/**
 * The vulnerabilities of a reference, live or not, as if they were at other locations: `locations` is SQL of the `path`
 * of each location of vulnerability `v`, and whether the current files have the vulnerability (`is_current`).
 */
export function sourceAtLocations(referenceId: string, locations: string): FactSource {
  return {
    ...onReference,
    from: `unnest($3::uuid[]) as k (id)
       cross join lateral ${rowByKey('vulnerability v', 'k.id')}
       join ${repository} on r.id = v.repository_id
       cross join lateral ${rowByKey('reference f', referenceId)}
       cross join lateral (${locations}) location
       cross join lateral (select ${sqlWithSource('v.packed_state', 'location.is_current')} as packed_state) p`,
    where: 'true',
    targetId: 'k.id',
  };
}
