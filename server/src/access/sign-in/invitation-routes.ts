/**
 * `/console/setup`, `/console/invitations`: people get their account by links. The secret of a link comes in the body,
 * never in a URL, because URLs are logged.
 */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { installTx } from '../../db/database.ts';
import { invalidInput, orNotFound, resourceNotFound } from '../../domain/errors.ts';
import { goesWith } from '../../domain/field-rules.ts';
import { closedObject, NullableString, namedObject, RoleName } from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { listOwnKeysFor } from '../api-keys/personal-keys.ts';
import { KeyItem, keyItem } from '../api-keys/schema.ts';
import { acceptInvitation, findInvitationByToken } from '../members/invitations.ts';
import { createUser, maxPasswordLength } from '../users/service.ts';
import { inTurn } from './hashing.ts';
import { requestHeadersOf } from './lazy-auth.ts';
import { checkOrigin } from './sessions.ts';
import { isSetUp, setUp } from './setup.ts';
import { type SignIn, signInByPassword } from './sign-in.ts';
import { joinByTransfer } from './transfer-by-mail.ts';

const tags = ['Console'];
const Token = Type.String({ minLength: 1, maxLength: 255 });
const Name = Type.String({ minLength: 1, maxLength: 255 });
const Password = Type.String({ minLength: 1, maxLength: maxPasswordLength });

export function invitationRoutes(app: Server, signIn: SignIn): void {
  const { auth, sessions, ownOrigin } = signIn;
  const { db, config } = app.deps;

  app.post('/console/setup', {
    config: { access: 'public' },
    schema: {
      operationId: 'setUp',
      tags,
      summary: 'Make the first person, by the link that the server printed',
      body: closedObject({
        token: Token,
        email: Type.String({ minLength: 3, maxLength: 254 }),
        name: Name,
        password: Password,
      }),
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      checkOrigin(request, ownOrigin);
      // Without this check, requests without a link take places in the queue of people who sign in.
      if (!config.passwords || (await isSetUp(db))) throw resourceNotFound();
      await inTurn(request.body.email, () => setUp(db, request.body));
      await signInByPassword(db, signIn, request, reply, request.body.email, request.body.password);
      return reply.code(204).send(null);
    },
  });

  app.post('/console/invitations/preview', {
    config: { access: 'public' },
    schema: {
      operationId: 'previewInvitation',
      tags,
      summary: 'Show what the link of an invitation opens',
      body: closedObject({ token: Token }),
      response: {
        200: namedObject('InvitationPreview', {
          workspace: Type.Object({ slug: Type.String(), name: Type.String() }),
          email: Type.String(),
          role: RoleName,
          signed_in_as: NullableString,
          keys: Type.Array(KeyItem, {
            description:
              'Personal keys of who is signed in that open the workspace once it is joined; empty for everybody but the invited.',
          }),
        }),
      },
    },
    handler: async (request) => {
      checkOrigin(request, ownOrigin);
      const [found, session] = await Promise.all([
        findInvitationByToken(db, request.body.token, request.ip),
        sessions.find(request),
      ]);
      const invitation = orNotFound(found);
      return {
        workspace: { slug: invitation.tenant.slug, name: invitation.tenant.name },
        email: invitation.email,
        role: invitation.role,
        signed_in_as: session?.user.email ?? null,
        keys:
          session?.user.email === invitation.email
            ? (await listOwnKeysFor(db, session.user.id, invitation.tenant.slug)).map(keyItem)
            : [],
      };
    },
  });

  app.post('/console/invitations/accept', {
    config: { access: 'public' },
    schema: {
      operationId: 'acceptInvitation',
      tags,
      summary: 'Join the workspace, with the account that is signed in or with a new one',
      body: closedObject({ token: Token, name: Type.Optional(Name), password: Type.Optional(Password) }),
      response: { 200: namedObject('JoinedWorkspace', { slug: Type.String() }) },
    },
    handler: async (request, reply) => {
      checkOrigin(request, ownOrigin);
      const { token, name, password } = request.body;
      if (password !== undefined && !config.passwords) {
        throw invalidInput('This server has no passwords: sign in first.', 'password');
      }
      if (name !== undefined && password !== undefined) {
        return { slug: await joinAsNew(request, reply, token, name, password) };
      }
      if (name !== undefined) throw invalidInput(goesWith('name'), 'password');
      if (password !== undefined) throw invalidInput(goesWith('password'), 'name');
      const { user } = await sessions.authenticate(request);
      const tenant = await installTx(db, (tx) => acceptInvitation(tx, token, user, request.id));
      return { slug: tenant.slug };
    },
  });

  async function joinAsNew(
    request: FastifyRequest,
    reply: FastifyReply,
    token: string,
    name: string,
    password: string,
  ): Promise<string> {
    const invitation = orNotFound(await findInvitationByToken(db, token, request.ip));
    const { email } = invitation;
    const before = await sessions.find(request);
    const { provesAddress } = invitation;
    const transfer = () => joinByTransfer(db, request.log, { token, email, name, password }, request.id);
    const create = () =>
      installTx(db, async (tx) => {
        // While the address is not proved, the account may be transferred to a person whom the provider vouches for.
        const user = await createUser(tx, email, name, password, { emailVerified: provesAddress });
        return acceptInvitation(tx, token, { ...user, isNew: true }, request.id);
      });
    const tenant = await inTurn(
      email,
      async () => (provesAddress ? await transfer() : undefined) ?? (await create()),
    );
    await signInByPassword(db, signIn, request, reply, email, password);
    // The new session replaces the previous one.
    if (before) await (await auth()).api.signOut({ headers: requestHeadersOf(request), asResponse: true });
    return tenant.slug;
  }
}
