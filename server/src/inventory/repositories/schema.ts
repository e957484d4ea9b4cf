/** Repositories and references as the API shows them. */
import { Type } from 'typebox';
import { formatId } from '../../domain/ids.ts';
import { shortRef } from '../../domain/reference-name.ts';
import { repositorySources } from '../../domain/repository-enums.ts';
import { dayMs, staleAfterDays } from '../../domain/time.ts';
import {
  BranchHead,
  extendedObject,
  namedObject,
  OrganizationBrief,
  Timestamp,
  timestamp,
} from '../../http/schema.ts';
import type { RepositoryDetailRow, RepositoryRow } from './store.ts';
import { maxTrackedBranches } from './tracked-branches.ts';

export const RepositoryItem = namedObject('Repository', {
  id: Type.String(),
  name: Type.String(),
  full_name: Type.String(),
  source: Type.String({ description: repositorySources.join(', ') }),
  is_private: Type.Boolean(),
  is_archived: Type.Boolean(),
  is_enabled: Type.Boolean(),
  scan_state: Type.String({ description: 'never, active, stale, disabled' }),
  external_id: Type.String(),
  org: OrganizationBrief,
  created_at: Timestamp,
  updated_at: Timestamp,
});

export const RepositoryDetail = extendedObject('RepositoryDetail', RepositoryItem, {
  is_monorepo: Type.Boolean(),
  default_branch: BranchHead,
});

/**
 * The specification of the API fixes the fields of a repository, so only the routes below `/manage` have this one too.
 */
export const ManagedRepository = extendedObject('ManagedRepository', RepositoryDetail, {
  is_exposed: Type.Boolean({
    description:
      'True: an admin says that people outside the company can reach the software that is built from it.',
  }),
});

export function repositoryItem(row: RepositoryRow) {
  return {
    id: formatId('repository', row.id),
    name: row.name,
    full_name: row.full_name,
    source: row.source,
    is_private: row.is_private,
    is_archived: row.is_archived,
    is_enabled: row.is_enabled,
    scan_state: scanState(row),
    external_id: row.external_id,
    org: {
      id: formatId('organization', row.organization_id),
      name: row.organization_name,
      full_path: row.organization_full_path,
    },
    created_at: timestamp(row.created_at),
    updated_at: timestamp(row.updated_at),
  };
}

export const TrackedBranchNames = Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
  title: 'TrackedBranchNames',
  maxItems: maxTrackedBranches,
  description:
    'Names of tracked branches, with `*` for any characters, such as release/*. Their open vulnerabilities count like those of the default branch.',
});

export function repositoryDetail(row: RepositoryDetailRow) {
  return {
    ...repositoryItem(row),
    is_monorepo: row.is_monorepo,
    default_branch: {
      ref: row.default_full_ref === null ? null : shortRef(row.default_full_ref),
      sha: row.default_sha,
    },
  };
}

export function managedRepository(row: RepositoryDetailRow) {
  return { ...repositoryDetail(row), is_exposed: row.is_exposed };
}

function scanState(row: RepositoryRow): string {
  if (!row.is_enabled) return 'disabled';
  if (row.last_scanned_at === null) return 'never';
  return Date.now() - row.last_scanned_at.getTime() > staleAfterDays * dayMs ? 'stale' : 'active';
}
