/** Changes the settings of a workspace that an admin may change. */
import { type Static, Type } from 'typebox';
import { changeSetting, renameWorkspace, type SettingChange } from '../../access/workspaces/service.ts';
import type { WorkspaceSettings } from '../../access/workspaces/store.ts';
import { setTrackedBranches } from '../../actions/repositories/tracked-branches.ts';
import type { ChangeTx } from '../../db/database.ts';
import { checkedForges, type ForgeKind, forgeKinds, maxForges, maxForgeUrl } from '../../domain/forge.ts';
import { maxNameLength } from '../../domain/plain-name.ts';
import type { Principal } from '../../http/principal.ts';
import { closedObject, nullableString, oneOf } from '../../http/schema.ts';
import { ownerAssignment } from '../../ingest/import/ownership.ts';
import { advisoryMatching, markByMatching } from '../../ingest/matching/setting.ts';
import { newRepositories } from '../../inventory/repositories/create.ts';
import { setExposedEnvironments } from '../../inventory/repositories/exposed.ts';
import { TrackedBranchNames } from '../../inventory/repositories/schema.ts';

export const forgeFields = {
  url: Type.String({
    minLength: 1,
    maxLength: maxForgeUrl,
    description: 'Address, such as https://git.example.com.',
  }),
  kind: oneOf<ForgeKind>(forgeKinds),
  organization: nullableString(
    'Full path of the organization whose repositories it holds; null: all others.',
    { maxLength: 500 },
  ),
};

export const EnvironmentNames = Type.Array(Type.String({ minLength: 1, maxLength: maxNameLength }), {
  maxItems: 50,
  description:
    'Environments that people outside the company can reach, such as production. Policies test this as the fact `exposed`.',
});

export const SettingsChange = closedObject({
  name: Type.Optional(Type.String({ minLength: 1, maxLength: maxNameLength })),
  tracked_branches: Type.Optional(TrackedBranchNames),
  new_repositories: Type.Optional(oneOf(newRepositories)),
  advisory_matching: Type.Optional(oneOf(advisoryMatching)),
  exposed_environments: Type.Optional(EnvironmentNames),
  assign_owners: Type.Optional(oneOf(ownerAssignment)),
  forges: Type.Optional(
    Type.Array(
      closedObject({
        ...forgeFields,
        organization: Type.Optional(forgeFields.organization),
      }),
      { maxItems: maxForges, description: 'The new list, which replaces the one before.' },
    ),
  ),
});

/** Sets and records what the change names. */
export async function changeSettings(
  tx: ChangeTx,
  principal: Principal,
  change: Static<typeof SettingsChange>,
): Promise<void> {
  const { name, tracked_branches: branches, advisory_matching: matching, forges } = change;
  const set = async <Name extends keyof WorkspaceSettings>(
    setting: Name,
    to: SettingChange<Name>['to'] | undefined,
    unset: SettingChange<Name>['unset'],
  ) => to !== undefined && (await changeSetting(tx, principal, setting, { to, unset }));

  if (name !== undefined) await renameWorkspace(tx, principal, name);
  if (branches !== undefined) await setTrackedBranches(tx, principal, null, branches);
  await set('new_repositories', change.new_repositories, newRepositories[0]);
  const isChanged = await set('advisory_matching', matching, advisoryMatching[0]);
  if (matching !== undefined && isChanged) await markByMatching(tx, matching, new Date());
  await set('assign_owners', change.assign_owners, ownerAssignment[0]);
  const { exposed_environments: exposed } = change;
  if (exposed !== undefined) await setExposedEnvironments(tx, principal, exposed);
  await set('forges', forges && checkedForges(forges), []);
}
