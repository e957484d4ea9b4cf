/** `/manage/v1/{tenant_slug}/settings`: the workspace's name, and the settings of the server. */
import { Type } from 'typebox';
import { renameWorkspace, setNewRepositories } from '../../access/workspaces/service.ts';
import { IntelFeeds } from '../../actions/intel/routes.ts';
import { setTrackedBranches } from '../../actions/repositories/tracked-branches.ts';
import { tenantTx } from '../../db/database.ts';
import { maxNameLength } from '../../domain/plain-name.ts';
import { principalOf } from '../../http/access.ts';
import { namedObject, Timestamp, tenantParams } from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { newRepositories } from '../../inventory/repositories/create.ts';
import { TrackedBranchNames } from '../../inventory/repositories/schema.ts';
import { getSettings } from './service.ts';

const access = { scopes: ['workspace:admin'], role: 'admin' } as const;
const tags = ['Workspaces'];

const Settings = namedObject('Settings', {
  workspace: Type.Object({
    id: Type.String(),
    slug: Type.String(),
    name: Type.String(),
    new_repositories: Type.String({ description: 'Which repositories a report may make.' }),
    tracked_branches: TrackedBranchNames,
    created_at: Timestamp,
  }),
  retention: Type.Object({
    keep_reports_days: Type.Integer({ description: 'After its scan is final; 0: not at all.' }),
    active_days: Type.Integer({
      description: 'After its last scan, for which a reference that is not tracked counts.',
    }),
  }),
  limits: Type.Object({
    requests_per_minute: Type.Integer({ description: 'Of a key; 0: as many as come.' }),
    uploads_per_minute: Type.Integer({ description: 'Of a key; 0: as many as come.' }),
    max_upload_mb: Type.Integer(),
    max_inflated_mb: Type.Integer(),
    max_findings: Type.Integer({ description: 'Of one report.' }),
  }),
  oidc: Type.Union([
    Type.Object({ name: Type.String(), issuer: Type.String(), client_id: Type.String() }),
    Type.Null({ description: 'People sign in with a password only.' }),
  ]),
  intel: IntelFeeds,
});

export function settingsRoutes(app: Server): void {
  const { db, config } = app.deps;

  app.get(
    '/manage/v1/:tenant_slug/settings',
    {
      config: { access },
      schema: {
        operationId: 'getSettings',
        tags,
        summary: 'Show how the workspace and the server are set up',
        params: tenantParams,
        response: { 200: Settings },
      },
    },
    async (request) => getSettings(db, config, principalOf(request).tenant.id),
  );

  app.patch(
    '/manage/v1/:tenant_slug/settings',
    {
      config: { access },
      schema: {
        operationId: 'changeSettings',
        tags,
        summary:
          'Rename the workspace, set the names of tracked branches, or which repositories a report may make',
        params: tenantParams,
        body: Type.Object(
          {
            name: Type.Optional(Type.String({ minLength: 1, maxLength: maxNameLength })),
            tracked_branches: Type.Optional(TrackedBranchNames),
            new_repositories: Type.Optional(
              Type.Unsafe<(typeof newRepositories)[number]>({ type: 'string', enum: newRepositories }),
            ),
          },
          { additionalProperties: false },
        ),
        response: { 200: Settings },
      },
    },
    async (request) => {
      const principal = principalOf(request);
      const { id } = principal.tenant;
      const { name, tracked_branches: trackedBranches, new_repositories: created } = request.body;
      await tenantTx(db, id, async (tx) => {
        if (name !== undefined) await renameWorkspace(tx, principal, name, request.id);
        if (trackedBranches !== undefined) {
          await setTrackedBranches(tx, principal, null, trackedBranches, request.id);
        }
        if (created !== undefined) {
          await setNewRepositories(tx, principal, created, newRepositories[0], request.id);
        }
      });
      return getSettings(db, config, id);
    },
  );
}
