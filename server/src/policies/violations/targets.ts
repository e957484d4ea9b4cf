/** The targets of violations as the API shows them: each type with its fields, read by one query for each type. */
import { type Static, type TProperties, Type } from 'typebox';
import type { Tx } from '../../db/database.ts';
import { rowByKeys } from '../../db/planner-hints.ts';
import {
  type AnalysisId,
  type AssetId,
  formatId,
  type IdKind,
  type ManifestId,
  type PackageId,
  type PackageVersionId,
  type ProviderId,
  type ReferenceId,
  type VulnerabilityId,
} from '../../domain/ids.ts';
import { unpackState, type VulnerabilityType } from '../../domain/packed-state.ts';
import { type TargetId, type TargetType, targetIdKinds } from '../../domain/policy-enums.ts';
import type { RepositorySource } from '../../domain/repository-enums.ts';
import { dayMs, staleAfterDays } from '../../domain/time.ts';
import { NullableString, NullableTimestamp, namedObject, timestampOrNull } from '../../http/schema.ts';
import { lastScannedAt } from '../definition/fact-sources.ts';
import { type AssetType, analysisReasons } from '../definition/facts.ts';
import { manifestKind } from '../definition/manifest-kind.ts';

function variant<N extends TargetType, T extends TProperties>(type: N, title: string, fields: T) {
  return namedObject(title, { type: Type.Literal(type), id: Type.String(), ...fields });
}

const variants = [
  variant('vulnerability', 'VulnerabilityTarget', {
    title: Type.String(),
    severity: Type.String(),
    status: Type.String(),
    vulnerability_type: Type.String(),
  }),
  variant('analysis', 'AnalysisTarget', {
    analysis_type: Type.String(),
    vulnerable_at: NullableTimestamp,
    vulnerable_reason: NullableString,
  }),
  variant('provider', 'ProviderTarget', {
    provider: Type.String(),
    exploitable_at: NullableTimestamp,
    vulnerable_at: NullableTimestamp,
    manual_override: Type.Boolean(),
  }),
  variant('asset', 'AssetTarget', { name: Type.String(), asset_type: Type.String() }),
  variant('manifest', 'ManifestTarget', {
    display_name: Type.String(),
    manifest_type: Type.String(),
    language: NullableString,
    manifest_file: NullableString,
    lock_file: NullableString,
    group_key: NullableString,
    uses_grouped_identity: Type.Boolean(),
  }),
  variant('package_version', 'PackageVersionTarget', {
    purl: Type.String(),
    version: Type.String(),
    package_id: Type.String(),
  }),
  variant('package', 'PackageTarget', {
    purl: Type.String(),
    package_type: Type.String(),
    namespace: NullableString,
    name: Type.String(),
  }),
] as const;

/** The target is an empty list if the violation is about the repository itself. */
export const Target = Type.Union([...variants, Type.Array(Type.String(), { maxItems: 0 })], {
  title: 'ViolationTarget',
});
export type TargetItem = Static<typeof Target>;

interface TargetRow {
  id: TargetId;
}

type Describe = (
  tx: Tx,
  ids: TargetId[],
  referenceId: ReferenceId | null,
) => Promise<Map<TargetId, TargetItem>>;

function describing<Row extends TargetRow>(
  type: Exclude<TargetType, 'repository'>,
  sql: string,
  show: (row: Row) => object,
  isOnReference = false,
): Describe {
  return async (tx, ids, referenceId) => {
    const rows = await tx.query<Row>(sql, [tx.tenantId, ids, ...(isOnReference ? [referenceId] : [])]);
    return new Map(
      rows.map((row) => [
        row.id,
        { type, id: formatId<IdKind>(targetIdKinds[type], row.id), ...show(row) } as unknown as TargetItem,
      ]),
    );
  };
}

const describe: Record<Exclude<TargetType, 'repository'>, Describe> = {
  vulnerability: describing<{ id: VulnerabilityId; title: string; packed_state: number }>(
    'vulnerability',
    `select v.id, v.title, coalesce(p.packed_state, v.packed_state) as packed_state
       from vulnerability v
       left join lateral ${rowByKeys('vulnerability_reference p', { vulnerability_id: 'v.id', reference_id: '$3::uuid' })} on true
      where v.tenant_id = $1 and v.id = any($2::uuid[])`,
    ({ title, packed_state: packedState }) => {
      const { severity, status, type } = unpackState(packedState);
      return { title, severity, status, vulnerability_type: type };
    },
    true,
  ),
  package: describing<{ id: PackageId; purl: string; package_type: string; namespace: string; name: string }>(
    'package',
    'select id, purl, package_type, namespace, name from package where tenant_id = $1 and id = any($2::uuid[])',
    ({ purl, package_type, namespace, name }) => ({ purl, package_type, namespace, name }),
  ),
  package_version: describing<{ id: PackageVersionId; purl: string; version: string; package_id: PackageId }>(
    'package_version',
    'select id, purl, version, package_id from package_version where tenant_id = $1 and id = any($2::uuid[])',
    (row) => ({ purl: row.purl, version: row.version, package_id: formatId('package', row.package_id) }),
  ),
  manifest: describing<{ id: ManifestId; path: string; type: string }>(
    'manifest',
    'select id, path, type from manifest where tenant_id = $1 and id = any($2::uuid[])',
    ({ path, type }) => manifestKind(path, type),
  ),
  analysis: describing<{
    id: AnalysisId;
    type: VulnerabilityType;
    repository_at: Date;
    scanned_at: Date | null;
  }>(
    'analysis',
    `select a.id, a.type, r.created_at as repository_at,
            ${lastScannedAt} as scanned_at
       from analysis a join repository r on r.tenant_id = $1 and r.id = a.repository_id
      where a.tenant_id = $1 and a.id = any($2::uuid[])`,
    (row) => ({ analysis_type: row.type, ...analysisState(row) }),
  ),
  provider: describing<{
    id: ProviderId;
    source: RepositorySource;
    changed_at: Date;
    manual_override: boolean;
  }>(
    'provider',
    `select s.id, r.source, s.changed_at, s.manual_override
       from provider_setting s join repository r on r.tenant_id = $1 and r.id = s.repository_id
      where s.tenant_id = $1 and s.id = any($2::uuid[])`,
    (row) => ({
      provider: row.source,
      exploitable_at: null,
      vulnerable_at: timestampOrNull(row.changed_at),
      manual_override: row.manual_override,
    }),
  ),
  asset: describing<{ id: AssetId; name: string; type: AssetType }>(
    'asset',
    'select id, name, type from asset where tenant_id = $1 and id = any($2::uuid[])',
    ({ name, type }) => ({ name, asset_type: type }),
  ),
};

/** A setting that an inventory file has removed; `source` is the source of its repository. */
export function removedSetting(id: ProviderId, source: RepositorySource): TargetItem {
  return {
    type: 'provider',
    id: formatId('provider', id),
    provider: source,
    exploitable_at: null,
    vulnerable_at: null,
    manual_override: false,
  };
}

// The reasons must be those of the fact `vulnerable_reason`.
function analysisState({ repository_at, scanned_at }: { repository_at: Date; scanned_at: Date | null }) {
  const [current, neverScanned, stale] = analysisReasons;
  if (scanned_at === null) {
    return { vulnerable_at: timestampOrNull(repository_at), vulnerable_reason: neverScanned };
  }
  const since = new Date(scanned_at.getTime() + staleAfterDays * dayMs);
  return since.getTime() <= Date.now()
    ? { vulnerable_at: timestampOrNull(since), vulnerable_reason: stale }
    : { vulnerable_at: null, vulnerable_reason: current };
}

/**
 * Target → its item for the API. A target that no longer exists has none. With a reference, the status of a
 * vulnerability is that on the reference.
 */
export async function describeTargets(
  tx: Tx,
  targets: { type: TargetType; id: TargetId }[],
  referenceId: ReferenceId | null,
): Promise<Map<string, TargetItem>> {
  const shown = new Map<string, TargetItem>();
  const types = [...new Set(targets.map((target) => target.type))];
  await Promise.all(
    types.map(async (type) => {
      const ids = targets.filter((target) => target.type === type).map((target) => target.id);
      if (type === 'repository') {
        for (const id of ids) shown.set(id, []);
        return;
      }
      for (const [id, item] of await describe[type](tx, ids, referenceId)) shown.set(id, item);
    }),
  );
  return shown;
}
