/** `/manage/v1/{tenant_slug}/members` and `/invitations`: the members of a workspace, and its open invitations. */
import { Type } from 'typebox';
import { tenantReadTx, tenantTx } from '../../db/database.ts';
import { principalOf, tenantIdOf } from '../../http/access.ts';
import { peopleAccess } from '../../http/principal.ts';
import { closedObject, list, namedObject, paramsWith, RoleName } from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import type { InvitationMails } from './invitation-mail.ts';
import { listInvitations } from './invitation-store.ts';
import { invite, withdraw } from './invitations.ts';
import { InvitationItem, invitationItem, MemberItem, memberItem } from './schema.ts';
import { changeRole } from './service.ts';
import { listMembers } from './store.ts';

const admin = { scopes: ['workspace:admin'], role: 'admin' } as const;
export const recentAdmin = { ...admin, recent: true } as const;
const tags = ['Members'];

export const memberParams = paramsWith({ user: 'Id of the user, usr_….' });
const invitationParams = paramsWith({ invitation: 'Id of the invitation, inv_….' });

export function memberRoutes(app: Server, invitationMails: InvitationMails): void {
  const { db, config } = app.deps;

  app.get('/manage/v1/:tenant_slug/members', {
    config: { access: peopleAccess },
    schema: {
      operationId: 'listMembers',
      tags,
      summary: 'List the members, by name',
      response: { 200: list(MemberItem) },
    },
    handler: async (request) => {
      const rows = await tenantReadTx(db, tenantIdOf(request), (tx) => listMembers(tx));
      return { items: rows.map(memberItem) };
    },
  });

  app.patch('/manage/v1/:tenant_slug/members/:user', {
    config: { access: recentAdmin, conflicts: true },
    schema: {
      operationId: 'changeRole',
      tags,
      summary: 'Change the role of a member',
      params: memberParams,
      body: closedObject({ role: RoleName }),
      response: { 200: MemberItem },
    },
    handler: async (request) => {
      const { user } = request.params;
      return memberItem(await changeRole(db, principalOf(request), user, request.body.role));
    },
  });

  app.get('/manage/v1/:tenant_slug/invitations', {
    config: { access: admin },
    schema: {
      operationId: 'listInvitations',
      tags,
      summary: 'List the open invitations, newest first',
      response: { 200: list(InvitationItem) },
    },
    handler: async (request) => {
      const rows = await tenantReadTx(db, tenantIdOf(request), (tx) => listInvitations(tx));
      return { items: rows.map(invitationItem) };
    },
  });

  app.post('/manage/v1/:tenant_slug/invitations', {
    config: { access: recentAdmin },
    schema: {
      operationId: 'invite',
      tags,
      summary: 'Invite a person by mail, and by a link that is shown once',
      body: closedObject({ email: Type.String({ minLength: 3, maxLength: 254 }), role: RoleName }),
      response: {
        201: namedObject('CreatedInvitation', {
          invitation: InvitationItem,
          link_token: Type.String({
            description: 'Secret of the link: the address of the server, then /invite#, then this.',
          }),
        }),
      },
    },
    handler: async (request, reply) => {
      const principal = principalOf(request);
      const { tenant } = principal;
      const make = (mail: { error: string | null } | null) =>
        tenantTx(db, tenant.id, (tx) => invite(tx, principal, request.body, mail));
      const { invitation, token } =
        config.smtp === null
          ? await make(null)
          : await invitationMails.count(tenant.id, request.body.email, (error) => make({ error }));
      return reply.code(201).send({ invitation: invitationItem(invitation), link_token: token });
    },
  });

  app.delete('/manage/v1/:tenant_slug/invitations/:invitation', {
    config: { access: admin },
    schema: {
      operationId: 'withdrawInvitation',
      tags,
      summary: 'Withdraw an invitation',
      params: invitationParams,
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      await withdraw(db, principalOf(request), request.params.invitation);
      return reply.code(204).send(null);
    },
  });
}
