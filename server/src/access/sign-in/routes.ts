/** `/console/session`, `/console/password`: sign-in by password, the current session, sign-out, a new password. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { invalidInput, resourceNotFound } from '../../domain/errors.ts';
import { formatId } from '../../domain/ids.ts';
import { callerOf } from '../../http/access.ts';
import {
  Account,
  closedObject,
  NullableString,
  namedObject,
  Timestamp,
  timestamp,
} from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { maxPasswordLength } from '../users/service.ts';
import { requestHeadersOf } from './lazy-auth.ts';
import { logPasswordChange, logSignOutEverywhere } from './log.ts';
import { checkOrigin, type Session } from './sessions.ts';
import { isSetUp } from './setup.ts';
import { attemptOf, changePassword, type SignIn, signInByPassword } from './sign-in.ts';

const Methods = namedObject('SignInMethods', {
  password: Type.Boolean(),
  oidc: Type.Union([Type.Object({ name: Type.String() }), Type.Null()]),
});
const Email = Type.String({ minLength: 3, maxLength: 254 });
const Password = Type.String({ minLength: 1, maxLength: maxPasswordLength });
const tags = ['Console'];

export function signInRoutes(app: Server, signIn: SignIn): void {
  const { auth, sessions, lockOut, ownOrigin } = signIn;
  const { db, config } = app.deps;
  const { passwords } = config;
  const methods = { password: passwords, oidc: config.oidc && { name: config.oidc.name } };

  app.get('/console/session', {
    config: { access: 'public' },
    schema: {
      operationId: 'getSession',
      tags,
      summary: 'Show who is signed in, and how one can sign in',
      response: {
        200: namedObject('Session', {
          signed_in: Type.Boolean(),
          methods: Methods,
          setup: Type.Boolean({ description: 'No account exists yet: the server printed a link.' }),
          user: Type.Union([Account, Type.Null()]),
          operator: Type.Boolean({ description: 'May make workspaces.' }),
          signed_in_at: Type.Union([Timestamp, Type.Null()]),
          expires_at: Type.Union([Timestamp, Type.Null()]),
          csrf_token: NullableString,
        }),
      },
    },
    handler: async (request, reply) => {
      reply.header('vary', 'Cookie');
      const session = await sessions.find(request, { prolong: true });
      if (session?.cookies.length) reply.header('set-cookie', session.cookies);
      return shown(session, methods, passwords && session === undefined && !(await isSetUp(db)));
    },
  });

  app.post('/console/session', {
    config: { access: 'public' },
    schema: {
      operationId: 'signIn',
      tags,
      summary: 'Sign in with a password',
      body: closedObject({ email: Email, password: Password }),
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      checkOrigin(request, ownOrigin);
      if (!passwords) throw resourceNotFound();
      const { email, password } = request.body;
      const before = await sessions.find(request);
      await signInByPassword(db, signIn, request, reply, email, password);
      // The new session replaces the previous one.
      if (before) await endSession(request);
      return reply.code(204).send(null);
    },
  });

  app.delete('/console/session', {
    config: { access: { session: 'any' } },
    schema: {
      operationId: 'signOut',
      tags,
      summary: 'Sign out',
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => signOut(request, reply),
  });

  app.delete('/console/sessions', {
    config: { access: { session: 'any' } },
    schema: {
      operationId: 'signOutEverywhere',
      tags,
      summary: 'Sign out everywhere',
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      await (await auth()).api.revokeSessions({ headers: requestHeadersOf(request) });
      logSignOutEverywhere(request.log, callerOf(request).user.id);
      return signOut(request, reply);
    },
  });

  app.put('/console/password', {
    config: { access: { session: 'any' } },
    schema: {
      operationId: 'changePassword',
      tags,
      summary: 'Change the password; sessions elsewhere end',
      body: closedObject({ current: Password, new: Password }),
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      if (!passwords) throw resourceNotFound();
      const { user } = callerOf(request);
      const attempt = await attemptOf(db, signIn, request, user.email);
      const changed = await lockOut.guard(attempt, () => changePassword(db, user, request.body, request.id));
      if (!changed) throw invalidInput('Is not the current password.', 'current');
      logPasswordChange(request.log, user.id);
      await signInByPassword(db, signIn, request, reply, user.email, request.body.new, attempt.browser);
      return reply.code(204).send(null);
    },
  });

  async function endSession(request: FastifyRequest): Promise<void> {
    await (await auth()).api.signOut({ headers: requestHeadersOf(request), asResponse: true });
  }

  async function signOut(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const response = await (await auth()).api.signOut({
      headers: requestHeadersOf(request),
      asResponse: true,
    });
    return reply.header('set-cookie', response.headers.getSetCookie()).code(204).send(null);
  }
}

function shown(
  session: Session | undefined,
  methods: { password: boolean; oidc: { name: string } | null },
  setup: boolean,
) {
  return {
    signed_in: session !== undefined,
    methods,
    setup,
    user: session
      ? { id: formatId('user', session.user.id), name: session.user.name, email: session.user.email }
      : null,
    operator: session?.credential.operator ?? false,
    signed_in_at: session ? timestamp(session.credential.signedInAt) : null,
    expires_at: session ? timestamp(session.credential.expiresAt) : null,
    csrf_token: session?.csrfToken ?? null,
  };
}
