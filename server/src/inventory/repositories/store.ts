/** SQL of repositories and their references. */

import { changedNow, updateRow } from '../../db/bulk.ts';
import { Parameters, type Tx } from '../../db/database.ts';
import { rowByKey } from '../../db/planner-hints.ts';
import { sqlHasPrefix } from '../../domain/commit.ts';
import { nilId, type OrganizationId, type ReferenceId, type RepositoryId } from '../../domain/ids.ts';
import { nameKeyOf } from '../../domain/plain-name.ts';
import type { ReferenceType } from '../../domain/reference-name.ts';
import type { RepositorySource } from '../../domain/repository-enums.ts';
import { type NameSearch, pageByName, replaceNameTerms } from '../name-terms.ts';
import { markToMatch } from './references-to-match.ts';
import { sqlIsTrackedName } from './tracked-branch-store.ts';

export interface RepositoryRow {
  id: RepositoryId;
  name: string;
  full_name: string;
  source: RepositorySource;
  is_private: boolean;
  is_archived: boolean;
  is_enabled: boolean;
  external_id: string;
  last_scanned_at: Date | null;
  organization_id: OrganizationId;
  organization_name: string;
  organization_full_path: string;
  created_at: Date;
  updated_at: Date;
}

export interface RepositoryDetailRow extends RepositoryRow {
  is_monorepo: boolean;
  is_exposed: boolean;
  default_reference_id: ReferenceId | null;
  default_full_ref: string | null;
  default_sha: string | null;
}

const columns = `r.id, r.name, r.full_name, r.source, r.is_private, r.is_archived, r.is_enabled, r.external_id,
  r.last_scanned_at, r.organization_id, o.name as organization_name, o.full_path as organization_full_path,
  r.created_at, r.updated_at`;

export interface RepositoryFilter {
  organizationId: OrganizationId | null;
  /** Null means all sources. */
  sources: RepositorySource[] | null;
}

/**
 * Repositories in order of creation, after `afterId`. Each filter has an index in that order. The results of a search
 * come in the order of their terms.
 */
export async function listRepositories(
  tx: Tx,
  filter: RepositoryFilter,
  { term, ...rest }: NameSearch,
): Promise<(RepositoryRow & { sort_key?: string })[]> {
  if (term !== null) return searchRepositories(tx, filter, { term, ...rest });
  const after = rest.afterId ?? nilId;
  const page =
    filter.organizationId !== null
      ? `select id from repository where tenant_id = $1 and organization_id = $4 and id > $2
           and ($5::text[] is null or source = any($5)) order by id limit $3`
      : filter.sources !== null
        ? `select p.id from unnest($5::text[]) s (source) cross join lateral (
             select id from repository where tenant_id = $1 and source = s.source and id > $2
              order by id limit $3) p where $4::uuid is null order by p.id limit $3`
        : `select id from repository where tenant_id = $1 and id > $2
             and $4::uuid is null and $5::text[] is null order by id limit $3`;
  return tx.query<RepositoryRow>(
    `select ${columns} from (${page}) p
       join repository r on r.tenant_id = $1 and r.id = p.id
       join organization o on o.tenant_id = $1 and o.id = r.organization_id
      order by r.id`,
    [tx.tenantId, after, rest.limit, filter.organizationId, filter.sources],
  );
}

async function searchRepositories(
  tx: Tx,
  { organizationId, sources }: RepositoryFilter,
  search: NameSearch & { term: string },
): Promise<(RepositoryRow & { sort_key: string })[]> {
  const { values, add } = new Parameters(tx.tenantId);
  const conditions = [
    ...(organizationId === null ? [] : [`f.organization_id = ${add(organizationId)}`]),
    ...(sources === null ? [] : [`f.source = any(${add(sources)}::text[])`]),
  ];
  const page = pageByName(
    'repository',
    search,
    add,
    conditions.length === 0
      ? {}
      : {
          joined: `cross join lateral ${rowByKey('repository f', 't.target_id')}`,
          condition: conditions.join(' and '),
        },
  );
  return tx.query<RepositoryRow & { sort_key: string }>(
    `select ${columns}, p.sort_key from (${page}) p
      cross join lateral ${rowByKey('repository r', 'p.id')}
      cross join lateral ${rowByKey('organization o', 'r.organization_id')}
      order by p.sort_key, r.id`,
    values,
  );
}

export type RepositoryRef = { id: RepositoryId } | { nameKey: string };

export async function findRepository(tx: Tx, by: RepositoryRef): Promise<RepositoryDetailRow | undefined> {
  const rows = await tx.query<RepositoryDetailRow>(
    `select ${columns}, r.is_monorepo, r.is_exposed, r.default_reference_id, d.full_ref as default_full_ref, d.head_sha as default_sha
       from repository r
       join organization o on o.tenant_id = $1 and o.id = r.organization_id
       left join reference d on d.tenant_id = $1 and d.id = r.default_reference_id
      where r.tenant_id = $1 and ${'id' in by ? 'r.id' : 'r.name_key'} = $2`,
    [tx.tenantId, 'id' in by ? by.id : by.nameKey],
    'id' in by ? 'find-repository-by-id' : 'find-repository-by-name',
  );
  return rows[0];
}

export async function findIdByExternalId(
  tx: Tx,
  source: RepositorySource,
  externalId: string,
): Promise<RepositoryId | undefined> {
  const [row] = await tx.query<{ id: RepositoryId }>(
    'select id from repository where tenant_id = $1 and source = $2 and external_id = $3',
    [tx.tenantId, source, externalId],
  );
  return row?.id;
}

/** Locks the rows with the name or the external id until the transaction ends, in order of ids. */
export async function lockIdentified(
  tx: Tx,
  nameKey: string,
  source: RepositorySource | null,
  externalId: string | null,
): Promise<void> {
  await tx.query(
    `select 1 from repository
      where tenant_id = $1 and (name_key = $2 or (source = $3 and external_id = $4)) order by id for update`,
    [tx.tenantId, nameKey, source, externalId],
  );
}

export async function updateExternalId(
  tx: Tx,
  id: RepositoryId,
  source: RepositorySource,
  externalId: string,
): Promise<void> {
  await updateRow(tx, 'repository', id, { source, external_id: externalId }, changedNow);
}

export async function renameRepository(
  tx: Tx,
  id: RepositoryId,
  to: { organizationId: OrganizationId; name: string; fullName: string },
): Promise<void> {
  await tx.query(
    `update repository set organization_id = $3, name = $4, full_name = $5, name_key = $6, updated_at = now()
      where tenant_id = $1 and id = $2`,
    [tx.tenantId, id, to.organizationId, to.name, to.fullName, nameKeyOf(to.fullName)],
  );
  await replaceNameTerms(tx, 'repository', id, to.fullName);
}

export async function findIdsByNameKey(tx: Tx, keys: string[]): Promise<Map<string, RepositoryId>> {
  const rows = await tx.query<{ name_key: string; id: RepositoryId }>(
    'select name_key, id from repository where tenant_id = $1 and name_key = any($2::text[])',
    [tx.tenantId, keys],
  );
  return new Map(rows.map((row) => [row.name_key, row.id]));
}

/** The setting of the workspace about reports of new repositories; null if it has none. */
export async function findNewRepositoriesSetting(tx: Tx): Promise<string | null> {
  const [row] = await tx.query<{ setting: string | null }>(
    `select settings->>'new_repositories' as setting from tenant where id = $1`,
    [tx.tenantId],
  );
  return row?.setting ?? null;
}

export interface RepositoryInput {
  id: RepositoryId;
  organizationId: OrganizationId;
  name: string;
  fullName: string;
  source: RepositorySource;
  externalId: string;
  isPrivate: boolean;
  isArchived: boolean;
  isEnabled: boolean;
  isMonorepo: boolean;
}

/** Inserts the repository, or updates the one with the same full name. Returns its id. */
export async function upsertRepository(tx: Tx, input: RepositoryInput): Promise<RepositoryId> {
  const rows = await tx.query<{ id: RepositoryId }>(
    `insert into repository (tenant_id, id, organization_id, name, full_name, name_key, source, external_id,
                             is_private, is_archived, is_enabled, is_monorepo)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
     on conflict (tenant_id, name_key) do update set organization_id = excluded.organization_id,
       name = excluded.name, full_name = excluded.full_name, source = excluded.source,
       external_id = excluded.external_id, is_private = excluded.is_private, is_archived = excluded.is_archived,
       is_enabled = excluded.is_enabled, is_monorepo = excluded.is_monorepo, updated_at = excluded.updated_at
     returning id`,
    [
      tx.tenantId,
      input.id,
      input.organizationId,
      input.name,
      input.fullName,
      nameKeyOf(input.fullName),
      input.source,
      input.externalId,
      input.isPrivate,
      input.isArchived,
      input.isEnabled,
      input.isMonorepo,
    ],
  );
  const [row] = rows;
  if (!row) throw new Error('an upsert returned nothing');
  await replaceNameTerms(tx, 'repository', row.id, input.fullName);
  return row.id;
}

export interface ReferenceRow {
  id: ReferenceId;
  repository_id: RepositoryId;
  full_ref: string;
  type: ReferenceType;
  head_sha: string | null;
  is_default: boolean;
  tracked: boolean;
  active: boolean;
  last_scanned_at: Date | null;
}

const referenceColumns =
  'id, repository_id, full_ref, type, head_sha, is_default, tracked, active, last_scanned_at';

/** The full name of the branch that a report came for first; null if there is none. Dry runs do not count. */
export async function findFirstBranch(tx: Tx, repositoryId: RepositoryId): Promise<string | null> {
  const [row] = await tx.query<{ full_ref: string }>(
    `select f.full_ref from reference f
       join scan s on s.tenant_id = $1 and s.repository_id = $2 and s.reference_id = f.id and not s.dry_run
      where f.tenant_id = $1 and f.repository_id = $2 and f.type = $3
      order by s.id limit 1`,
    [tx.tenantId, repositoryId, 'branch'],
  );
  return row?.full_ref ?? null;
}

/** The references of a repository that have one of these full names. */
export async function findReferences(
  tx: Tx,
  repositoryId: RepositoryId,
  fullRefs: string[],
): Promise<ReferenceRow[]> {
  return tx.query<ReferenceRow>(
    `select ${referenceColumns} from reference
      where tenant_id = $1 and repository_id = $2 and full_ref = any($3::text[])`,
    [tx.tenantId, repositoryId, fullRefs],
    'find-references',
  );
}

/**
 * The references of a repository with a scan of this commit: active ones first, tracked ones before others. Dry runs do
 * not count.
 */
export async function listReferencesOfCommit(
  tx: Tx,
  repositoryId: RepositoryId,
  shaPrefix: string,
  limit: number,
): Promise<ReferenceRow[]> {
  return tx.query<ReferenceRow>(
    `select ${referenceColumns} from reference
      where tenant_id = $1 and id in (
        select s.reference_id from scan s
         where s.tenant_id = $1 and s.repository_id = $2 and ${sqlHasPrefix('s.sha', '$3')} and not s.dry_run)
      order by active desc, tracked desc, last_scanned_at desc nulls last, id limit $4`,
    [tx.tenantId, repositoryId, shaPrefix, limit],
  );
}

/** Inserts the reference, unless another transaction has created it meanwhile. */
export async function insertReference(
  tx: Tx,
  reference: { id: ReferenceId; repositoryId: RepositoryId; fullRef: string; type: ReferenceType },
): Promise<void> {
  await tx.query(
    `insert into reference (tenant_id, id, repository_id, full_ref, type, tracked, once_tracked)
     select n.tenant_id, $2, $3, $4::text, $5::text, n.tracked, n.tracked
       from (select r.tenant_id, $5::text = 'branch' and ${sqlIsTrackedName('$4::text')} as tracked
               from repository r join tenant t on t.id = $1 where r.tenant_id = $1 and r.id = $3) n
     on conflict (tenant_id, repository_id, full_ref) do nothing`,
    [tx.tenantId, reference.id, reference.repositoryId, reference.fullRef, reference.type],
  );
}

export interface DefaultState {
  referenceId: ReferenceId | null;
  fullRef: string | null;
  guessed: boolean;
  /** False if the default branch has ended. */
  active: boolean | null;
}

/** `lock` takes the lock that an import takes, so that neither sees half of the other's change. */
export async function findDefault(tx: Tx, repositoryId: RepositoryId, lock: boolean): Promise<DefaultState> {
  const [row] = await tx.query<DefaultState>(
    `select r.default_reference_id as "referenceId", f.full_ref as "fullRef", r.default_guessed as guessed,
            f.active
       from repository r left join reference f on f.tenant_id = $1 and f.id = r.default_reference_id
      where r.tenant_id = $1 and r.id = $2${lock ? ' for no key update of r' : ''}`,
    [tx.tenantId, repositoryId],
  );
  if (!row) throw new Error('the repository is not there');
  return row;
}

/**
 * Makes the reference the default, and active. The previous default stays, tracked if its name is. With `revives`, a
 * default branch that has ended is active again too. Returns whether the reference was inactive before.
 */
export async function updateDefaultReference(
  tx: Tx,
  repositoryId: RepositoryId,
  referenceId: ReferenceId,
  { guessed, revives }: { guessed: boolean; revives: boolean },
): Promise<boolean> {
  // The former default branch comes first, because a repository has one at a time.
  const [, [chosen]] = await Promise.all([
    tx.query(
      `update reference f set is_default = false, tracked = ${sqlIsTrackedName('f.full_ref')}, updated_at = now()
         from repository r, tenant t
        where r.tenant_id = $1 and r.id = $2 and t.id = $1
          and f.tenant_id = $1 and f.repository_id = $2 and f.is_default and f.id <> $3`,
      [tx.tenantId, repositoryId, referenceId],
    ),
    tx.query<{ wasActive: boolean }>(
      `update reference f set is_default = true, tracked = true, once_tracked = true, active = true, updated_at = now()
         from (select active from reference where tenant_id = $1 and id = $2) o
        where f.tenant_id = $1 and f.id = $2 and (not f.is_default or $3 and not f.active)
        returning o.active as "wasActive"`,
      [tx.tenantId, referenceId, revives],
    ),
    tx.query(
      `update repository set default_reference_id = $3, default_guessed = $4, updated_at = now()
        where tenant_id = $1 and id = $2`,
      [tx.tenantId, repositoryId, referenceId, guessed],
    ),
  ]);
  const isRevived = chosen?.wasActive === false;
  if (isRevived) await markToMatch(tx, [referenceId]);
  return isRevived;
}

export interface ReferenceDescriptionRow {
  id: ReferenceId;
  repositoryId: RepositoryId;
  fullRef: string;
  baseRef: string | null;
  baseSha: string | null;
  environment: string | null;
  /** True if the reference is or was a default branch. */
  onceTracked: boolean;
  lastScannedAt: Date | null;
}

/** Locks the reference until the transaction ends. Throws if it is not there. */
export async function getDescription(tx: Tx, referenceId: ReferenceId): Promise<ReferenceDescriptionRow> {
  const row = await findDescription(tx, referenceId);
  if (!row) throw new Error('the reference is not there');
  return row;
}

interface ReferenceActivity {
  is_default: boolean;
  tracked: boolean;
  active: boolean;
  /** Its packages are still to be compared with advisories. */
  to_match: boolean;
}

export async function getActivity(tx: Tx, referenceId: ReferenceId): Promise<ReferenceActivity> {
  const [row] = await tx.query<ReferenceActivity>(
    `select f.is_default, f.tracked, f.active,
            exists (select 1 from reference_to_match m where m.tenant_id = $1 and m.reference_id = f.id) as to_match
       from reference f where f.tenant_id = $1 and f.id = $2`,
    [tx.tenantId, referenceId],
  );
  if (!row) throw new Error('the reference is not there');
  return row;
}

/** Locks the reference until the transaction ends. */
export async function findDescription(
  tx: Tx,
  referenceId: ReferenceId,
): Promise<ReferenceDescriptionRow | undefined> {
  const [row] = await tx.query<ReferenceDescriptionRow>(
    `select id, repository_id as "repositoryId", full_ref as "fullRef", base_ref as "baseRef", base_sha as "baseSha",
            environment_key as environment, once_tracked as "onceTracked", last_scanned_at as "lastScannedAt"
       from reference where tenant_id = $1 and id = $2 for no key update`,
    [tx.tenantId, referenceId],
  );
  return row;
}

/**
 * Updates the description; null keeps a value. A base without a commit removes the commit of the previous base. An
 * approval holds as long as its base stays.
 */
export async function updateDescription(
  tx: Tx,
  referenceId: ReferenceId,
  to: { baseRef: string | null; baseSha: string | null; environment: string | null; approves: boolean },
): Promise<void> {
  await tx.query(
    `update reference f set base_ref = n.base_ref, base_sha = n.base_sha, environment_key = n.environment_key,
            base_approved = n.base_approved, updated_at = now()
       from (select coalesce($3, base_ref) as base_ref,
                    coalesce($4, case when $3::text is null or $3 = base_ref then base_sha end) as base_sha,
                    coalesce($5, environment_key) as environment_key,
                    case when $3::text is null then base_approved
                         when $6 then true else base_approved and $3 = base_ref end as base_approved
               from reference where tenant_id = $1 and id = $2) n
      where f.tenant_id = $1 and f.id = $2
        and (f.base_ref, f.base_sha, f.environment_key, f.base_approved)
            is distinct from (n.base_ref, n.base_sha, n.environment_key, n.base_approved)`,
    [tx.tenantId, referenceId, to.baseRef, to.baseSha, to.environment, to.approves],
  );
}

/** SQL: true if a scanned reference of the repository is active, in addition to this reference. */
export const sqlHasOtherActive = (repositoryId: string, referenceId: string): string =>
  `exists (select 1 from reference x where x.tenant_id = $1 and x.repository_id = ${repositoryId}
              and x.id <> ${referenceId} and x.active and x.last_scanned_at is not null)`;

/**
 * Makes a reference inactive until its next scan. The default branch stays active while another scanned reference of
 * its repository is. Returns whether the reference was active, and whether it is now.
 */
export async function setInactive(
  tx: Tx,
  referenceId: ReferenceId,
): Promise<{ wasActive: boolean; isActive: boolean }> {
  const [row] = await tx.query<{ was_active: boolean; active: boolean }>(
    `update reference f set updated_at = now(),
            active = f.active and f.is_default and ${sqlHasOtherActive('f.repository_id', 'f.id')}
       from (select active from reference where tenant_id = $1 and id = $2) o
      where f.tenant_id = $1 and f.id = $2 returning o.active as was_active, f.active`,
    [tx.tenantId, referenceId],
  );
  return { wasActive: row?.was_active === true, isActive: row?.active === true };
}

/**
 * Writes the values of an admin; null removes a value. With `namesBase` the admin has named the base, which approves
 * it.
 */
export async function replaceDescription(
  tx: Tx,
  referenceId: ReferenceId,
  to: { baseRef: string | null; baseSha: string | null; environment: string | null; namesBase: boolean },
): Promise<void> {
  await tx.query(
    `update reference set base_ref = $3, base_sha = $4, environment_key = $5,
            base_approved = case when $6::boolean then $3::text is not null else base_approved end, updated_at = now()
      where tenant_id = $1 and id = $2`,
    [tx.tenantId, referenceId, to.baseRef, to.baseSha, to.environment, to.namesBase],
  );
}

/** Returns false if the repository has this value already. */
export async function updateExposed(tx: Tx, id: RepositoryId, isExposed: boolean): Promise<boolean> {
  const rows = await tx.query(
    `update repository set is_exposed = $3, updated_at = now()
      where tenant_id = $1 and id = $2 and is_exposed <> $3 returning 1`,
    [tx.tenantId, id, isExposed],
  );
  return rows.length > 0;
}
