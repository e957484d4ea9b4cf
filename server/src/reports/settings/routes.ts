/** `/manage/v1/{tenant_slug}/settings`: the workspace's name, and the settings of the server. */
import { Type } from 'typebox';
import { IntelFeeds } from '../../actions/intel/routes.ts';
import { tenantTx } from '../../db/database.ts';
import { principalOf, tenantIdOf } from '../../http/access.ts';
import { list, namedObject, Timestamp } from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { TrackedBranchNames } from '../../inventory/repositories/schema.ts';
import { changeSettings, EnvironmentNames, forgeFields, SettingsChange } from './change-settings.ts';
import { getSettings, listForges } from './service.ts';

const access = { scopes: ['workspace:admin'], role: 'admin' } as const;
const tags = ['Workspaces'];

const Forge = namedObject('Forge', forgeFields);

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
      body: SettingsChange,
      response: { 200: Settings },
    },
    handler: async (request) => {
      const principal = principalOf(request);
      const { id } = principal.tenant;
      await tenantTx(db, id, (tx) => changeSettings(tx, principal, request.body));
      return getSettings(db, config, id);
    },
  });
}
