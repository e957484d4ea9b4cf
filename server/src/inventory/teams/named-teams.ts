/** The teams that a filter names. */
import type { Tx } from '../../db/database.ts';
import { invalidInput } from '../../domain/errors.ts';
import type { TeamId } from '../../domain/ids.ts';
import type { Principal } from '../../http/principal.ts';
import { findTeams, listTeamsOf } from './team-store.ts';

/** The word by which a filter means the teams of the caller. No team has this name. */
export const ownTeams = 'mine';

/**
 * Returns the ids of the teams that the caller means by an id, a name, or `mine`. Throws 422 for a team that the
 * workspace does not have, and for `mine` with a workspace key, which has no person.
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
  const ids = await findTeams(tx, text);
  if (ids.length === 0) throw invalidInput('Must be a team of the workspace.', 'team');
  return ids;
}
