/** The matches of a dry run as the API shows them. */
import { Type } from 'typebox';
import { type Database, tenantReadTx } from '../../db/database.ts';
import { formatId, type TenantId } from '../../domain/ids.ts';
import type { TargetType } from '../../domain/policy-enums.ts';
import { shortRef } from '../../domain/reference-name.ts';
import { NullableString, namedObject, RepositoryBrief } from '../../http/schema.ts';
import { describeTargets, Target } from '../violations/targets.ts';
import type { FoundMatch } from './dry-run.ts';

/** A person does not read more of a list that only samples the matches. */
export const maxListed = 200;

export const DryRunMatch = namedObject('PolicyDryRunMatch', {
  target: Target,
  repository: RepositoryBrief,
  ref: NullableString,
  blocking: Type.Boolean({ description: 'True: it would block the reference.' }),
});

/** Leaves out objects that were deleted since the dry run. */
export async function showMatches(
  db: Database,
  tenantId: TenantId,
  type: TargetType,
  found: FoundMatch[],
): Promise<Type.Static<typeof DryRunMatch>[]> {
  if (found.length === 0) return [];
  return tenantReadTx(db, tenantId, async (tx) => {
    const targets = await describeTargets(
      tx,
      found.map(({ targetId }) => ({ type, id: targetId })),
      null,
    );
    const names = await tx.query<{ id: string; full_name: string }>(
      'select id, full_name from repository where tenant_id = $1 and id = any($2::uuid[])',
      [tenantId, found.map(({ repositoryId }) => repositoryId)],
    );
    const references = await tx.query<{ id: string; full_ref: string }>(
      'select id, full_ref from reference where tenant_id = $1 and id = any($2::uuid[])',
      [tenantId, found.map(({ referenceId }) => referenceId)],
    );
    const nameOf = new Map(names.map((row) => [row.id, row.full_name]));
    const refOf = new Map(references.map((row) => [row.id, shortRef(row.full_ref)]));
    return found.flatMap(({ targetId, repositoryId, referenceId, blocks }) => {
      const target = targets.get(targetId);
      const name = nameOf.get(repositoryId);
      if (target === undefined || name === undefined) return [];
      const repository = { id: formatId('repository', repositoryId), full_name: name };
      return [{ target, repository, ref: refOf.get(referenceId) ?? null, blocking: blocks }];
    });
  });
}
