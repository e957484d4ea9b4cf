/** `/console/workspaces`: the workspaces of the person at the console, and a new one. */
import { Type } from 'typebox';
import { listCountedWorkspaces, type Membership } from '../../access/workspaces/service.ts';
import type { WorkspaceCounts } from '../../access/workspaces/store.ts';
import { tokenAbilityDenied } from '../../domain/errors.ts';
import { formatTenantId } from '../../domain/ids.ts';
import { maxNameLength } from '../../domain/plain-name.ts';
import { callerOf } from '../../http/access.ts';
import type { Caller } from '../../http/principal.ts';
import { closedObject, namedObject, RoleName } from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { createWorkspaceWithAdmin } from './create-workspace.ts';

const tags = ['Console'];

const WorkspaceItem = namedObject('MemberWorkspace', {
  id: Type.String(),
  slug: Type.String(),
  workspace: Type.String(),
  role: RoleName,
  repositories: Type.Integer(),
  open: Type.Integer({ description: 'Number of open vulnerabilities.' }),
});

export function workspaceRoutes(app: Server): void {
  const { db } = app.deps;

  app.get('/console/workspaces', {
    config: { access: { session: 'any' } },
    schema: {
      operationId: 'listWorkspaces',
      tags,
      summary: 'List the workspaces of the caller, by name',
      response: {
        200: namedObject('MemberWorkspaceList', {
          items: Type.Array(WorkspaceItem),
          may_create: Type.Boolean({
            description: 'True: the caller is an operator and may create workspaces.',
          }),
        }),
      },
    },
    handler: async (request) => {
      const caller = callerOf(request);
      const workspaces = await listCountedWorkspaces(db, caller.user.id);
      return { items: workspaces.map(workspaceItem), may_create: isOperator(caller) };
    },
  });

  app.post('/console/workspaces', {
    config: { access: { session: 'any' } },
    schema: {
      operationId: 'createWorkspace',
      tags,
      summary: 'Create a workspace; the operator who creates it is its first admin',
      body: closedObject({
        slug: Type.String({ minLength: 1, maxLength: 40 }),
        name: Type.String({ minLength: 1, maxLength: maxNameLength }),
      }),
      response: { 201: WorkspaceItem },
    },
    handler: async (request, reply) => {
      const caller = callerOf(request);
      if (!isOperator(caller)) throw tokenAbilityDenied({ person: 'Only an operator may make workspaces' });
      const actor = { actorId: caller.user.id, requestId: request.id };
      const tenant = await createWorkspaceWithAdmin(db, request.body, actor);
      return reply.code(201).send(workspaceItem({ ...tenant, role: 'admin', repositories: 0, open: 0 }));
    },
  });
}

function isOperator({ credential }: Caller): boolean {
  return credential.type === 'session' && credential.operator;
}

function workspaceItem({ id, slug, name, role, repositories, open }: Membership & WorkspaceCounts) {
  return { id: formatTenantId(id), slug, workspace: name, role, repositories, open };
}
