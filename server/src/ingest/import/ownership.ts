/**
 * The owners of the vulnerabilities that an import opens: the team of the file, and the member to whom they are
 * assigned if the workspace says so.
 */
import type { Tx } from '../../db/database.ts';
import { stepsOfImport } from '../../domain/code-owners.ts';
import type { RepositoryId, TeamId, UserId } from '../../domain/ids.ts';
import { type RepositoryOwners, readOwners, teamOf } from '../../inventory/code-owners/repository-owners.ts';
import type { VulnerabilityEvent } from '../../vulnerabilities/events.ts';
import type { ImportContext } from './import-context.ts';

/** The first one is the default. */
export const ownerAssignment = ['off', 'on'] as const;

export async function readOwnership(
  tx: Tx,
  repositoryId: RepositoryId,
): Promise<Pick<ImportContext, 'owners' | 'assignsOwners'>> {
  const owners = await readOwners(tx, repositoryId, stepsOfImport);
  return { owners, assignsOwners: owners !== null && (await isAssigning(tx)) };
}

async function isAssigning(tx: Tx): Promise<boolean> {
  const [row] = await tx.query<{ yes: boolean }>(
    `select coalesce(settings->>'assign_owners', $2) = 'on' as yes from tenant where id = $1`,
    [tx.tenantId, ownerAssignment[0]],
  );
  return row?.yes ?? false;
}

export interface Ownership {
  team_id: TeamId | null;
  assignee_id: UserId | null;
  /** The event of the history that says by which rule it was assigned; null if it was not. */
  assigned: Omit<VulnerabilityEvent, 'vulnerabilityId'> | null;
}

/**
 * An assignee is a person, so a vulnerability is assigned only where the file names a member. A member who leaves at
 * the same time is unassigned by the sweep.
 */
export function ownershipOf({ owners, assignsOwners }: OwnedContext, path: string): Ownership {
  const team = teamOf(owners, path);
  const owner = assignsOwners ? owners?.ownersOf(path).find(({ person }) => person !== null) : undefined;
  if (!owner?.person || !owners) return { team_id: team, assignee_id: null, assigned: null };
  return {
    team_id: team,
    assignee_id: owner.person.id,
    assigned: {
      kind: 'assigned',
      reason: `Code owner by line ${owner.line} of ${owners.row.path}.`,
      data: { assignee: owner.person.id },
    },
  };
}

type OwnedContext = { owners: RepositoryOwners | null; assignsOwners: boolean };
