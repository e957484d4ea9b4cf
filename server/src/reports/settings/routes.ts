/** `/manage/v1/{tenant_slug}/settings`: the workspace's name, and the settings of the server. */
import { Type } from 'typebox';
import { changeSetting, renameWorkspace } from '../../access/workspaces/service.ts';
import { IntelFeeds } from '../../actions/intel/routes.ts';
import { setTrackedBranches } from '../../actions/repositories/tracked-branches.ts';
import { tenantTx } from '../../db/database.ts';
import { checkedForges, type ForgeKind, forgeKinds, maxForges, maxForgeUrl } from '../../domain/forge.ts';
import { maxNameLength } from '../../domain/plain-name.ts';
import { principalOf, tenantIdOf } from '../../http/access.ts';
import { closedObject, list, namedObject, nullableString, oneOf, Timestamp } from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { ownerAssignment } from '../../ingest/import/ownership.ts';
import { advisoryMatching, markByMatching } from '../../ingest/matching/setting.ts';
import { newRepositories } from '../../inventory/repositories/create.ts';
import { setExposedEnvironments } from '../../inventory/repositories/exposed.ts';
import { TrackedBranchNames } from '../../inventory/repositories/schema.ts';
import { getSettings, listForges } from './service.ts';

const access = { scopes: ['workspace:admin'], role: 'admin' } as const;
const tags = ['Workspaces'];

const url = Type.String({
  minLength: 1,
  maxLength: maxForgeUrl,
  description: 'Address, such as https://git.example.com.',
});
const kind = oneOf<ForgeKind>(forgeKinds);

const Forge = namedObject('Forge', {
  url,
  kind,
  organization: nullableString('Full path of the organization whose repositories it hosts; null: any.'),
});

const EnvironmentNames = Type.Array(Type.String({ minLength: 1, maxLength: maxNameLength }), {
  maxItems: 50,
  description:
    'Environments that people outside the company can reach, such as production. Policies test this as the fact `exposed`.',
});

const Settings = namedObject('Settings', {
  workspace: Type.Object({
    id: Type.String(),
    slug: Type.String(),
    name: Type.String(),
    new_repositories: Type.String({ description: 'Which repositories a report may create.' }),
    tracked_branches: TrackedBranchNames,
    forges: Type.Array(Forge),
    advisory_matching: Type.String({
      description: 'on: packages are matched with the advisories that the operator has loaded; off.',
    }),
    exposed_environments: EnvironmentNames,
    assign_owners: Type.String({
      description: 'on: a new vulnerability is assigned to the member whom the CODEOWNERS file names; off.',
    }),
    created_at: Timestamp,
  }),
  retention: Type.Object({
    keep_reports_days: Type.Integer({
      description: 'Days for which a report is kept after its scan has ended; 0: it is not kept.',
    }),
    active_days: Type.Integer({
      description: 'Days after its last scan for which a reference that is not tracked is active.',
    }),
  }),
  limits: Type.Object({
    requests_per_minute: Type.Integer({ description: 'Limit of a key; 0: no limit.' }),
    uploads_per_minute: Type.Integer({ description: 'Limit of a key; 0: no limit.' }),
    max_upload_mb: Type.Integer(),
    max_inflated_mb: Type.Integer(),
    max_findings: Type.Integer({ description: 'Limit of one report.' }),
  }),
  oidc: Type.Union([
    Type.Object({ name: Type.String(), issuer: Type.String(), client_id: Type.String() }),
    Type.Null({ description: 'People sign in with a password only.' }),
  ]),
  intel: IntelFeeds,
});

export function settingsRoutes(app: Server): void {
  const { db, config } = app.deps;

  app.get('/manage/v1/:tenant_slug/settings', {
    config: { access },
    schema: {
      operationId: 'getSettings',
      tags,
      summary: 'Show the settings of the workspace and of the server',
      response: { 200: Settings },
    },
    handler: async (request) => getSettings(db, config, tenantIdOf(request)),
  });

  app.get('/manage/v1/:tenant_slug/forges', {
    config: { access: { scopes: ['repositories:read'] } },
    schema: {
      operationId: 'listForges',
      tags,
      summary: 'List the forges that hold repositories of the workspace',
      response: { 200: list(Forge) },
    },
    handler: async (request) => ({ items: await listForges(db, tenantIdOf(request)) }),
  });

  app.patch('/manage/v1/:tenant_slug/settings', {
    config: { access },
    schema: {
      operationId: 'changeSettings',
      tags,
      summary:
        'Change the settings of the workspace: name, tracked branches, exposed environments, forges, repositories that reports may create, the match with advisories, and the assignment to code owners',
      body: closedObject({
        name: Type.Optional(Type.String({ minLength: 1, maxLength: maxNameLength })),
        tracked_branches: Type.Optional(TrackedBranchNames),
        new_repositories: Type.Optional(oneOf(newRepositories)),
        advisory_matching: Type.Optional(oneOf(advisoryMatching)),
        exposed_environments: Type.Optional(EnvironmentNames),
        assign_owners: Type.Optional(oneOf(ownerAssignment)),
        forges: Type.Optional(
          Type.Array(
            closedObject({
              url,
              kind,
              organization: Type.Optional(
                Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 500 }),
              ),
            }),
            { maxItems: maxForges, description: 'The new list, which replaces the one before.' },
          ),
        ),
      }),
      response: { 200: Settings },
    },
    handler: async (request) => {
      const principal = principalOf(request);
      const { id } = principal.tenant;
      const {
        name,
        tracked_branches: trackedBranches,
        new_repositories: created,
        advisory_matching: matching,
        assign_owners: assigning,
        exposed_environments: exposed,
        forges,
      } = request.body;
      await tenantTx(db, id, async (tx) => {
        if (name !== undefined) await renameWorkspace(tx, principal, name);
        if (trackedBranches !== undefined) {
          await setTrackedBranches(tx, principal, null, trackedBranches);
        }
        if (created !== undefined) {
          const change = { to: created, unset: newRepositories[0] };
          await changeSetting(tx, principal, 'new_repositories', change);
        }
        if (matching !== undefined) {
          const change = { to: matching, unset: advisoryMatching[0] };
          const isChanged = await changeSetting(tx, principal, 'advisory_matching', change);
          if (isChanged) await markByMatching(tx, matching, new Date());
        }
        if (assigning !== undefined) {
          const change = { to: assigning, unset: ownerAssignment[0] };
          await changeSetting(tx, principal, 'assign_owners', change);
        }
        if (exposed !== undefined) await setExposedEnvironments(tx, principal, exposed);
        if (forges !== undefined) {
          const change = { to: checkedForges(forges), unset: [] };
          await changeSetting(tx, principal, 'forges', change);
        }
      });
      return getSettings(db, config, id);
    },
  });
}
