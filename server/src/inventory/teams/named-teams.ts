/** The teams that a filter names. */
import type { Tx } from '../../db/database.ts';
import { invalidInput } from '../../domain/errors.ts';
import { parseId, type TeamId, type UserId } from '../../domain/ids.ts';
import type { Principal } from '../../http/principal.ts';

/** The word by which a filter means the teams of the caller. No team has this name. */
export const ownTeams = 'mine';

/**
 * Returns the ids of the teams that the caller means by an id, a name, or `mine`. Throws 422 for a team that the workspace
 * does not have, and for `mine` with a workspace key, which has no person.
 */
export async function resolveTeams(
  tx: Tx,
  principal: Pick<Principal, 'user'>,
  text: string,
): Promise<TeamId[]> {
  if (text === ownTeams) {
    if (principal.user.kind === 'user') return listTeamsOf(tx, principal.user.id);
    throw invalidInput('A workspace key has no user, so mine is not valid.', 'team');
  }
  const id = parseId('team', text);
  const rows = await tx.query<{ id: TeamId }>(
    `select id from team where tenant_id = $1 and ${id === undefined ? 'name_key' : 'id'} = $2`,
    [tx.tenantId, id ?? text.toLowerCase()],
  );
  if (rows.length === 0) throw invalidInput('Must be a team of the workspace.', 'team');
  return rows.map((row) => row.id);
}

/** The ids of the teams of which the user is a member. */
async function listTeamsOf(tx: Tx, userId: UserId): Promise<TeamId[]> {
  const rows = await tx.query<{ team_id: TeamId }>(
    'select team_id from team_member where tenant_id = $1 and user_id = $2',
    [tx.tenantId, userId],
  );
  return rows.map((row) => row.team_id);
}
