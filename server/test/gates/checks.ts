/** What a refusal must look like, checked on an answer; and that no answer shows what is foreign. */
import assert from 'node:assert/strict';
import type { Server } from '../../src/http/server.ts';
import { type Answer, send } from '../support/client.ts';
import type { KnownRoute, Request } from './known-route.ts';
import type { SessionHeaders } from './sessions.ts';
import { leaksIn, type World } from './two-workspaces.ts';

/** A key, a whole Authorization header (with a blank in it), a session, or nothing. */
export type Credential = string | SessionHeaders | null;

/** The request as it is sent with that credential. */
export function sentBy(credential: Credential, request: Request): Request & { authorization?: string } {
  if (credential === null) return request;
  if (typeof credential === 'string') {
    return { ...request, authorization: credential.includes(' ') ? credential : `Bearer ${credential}` };
  }
  return { ...request, headers: { ...credential.headers, ...request.headers } };
}

export interface Refusal {
  status: number;
  code: string;
  /** A field that `details.errors` names. */
  field?: string;
  /** What the WWW-Authenticate header says. */
  challenge?: RegExp;
  /** The caller's own word, which the refusal repeats. */
  echo?: string;
}

export const unauthenticated: Refusal = {
  status: 401,
  code: 'AUTHENTICATION_REQUIRED',
  challenge: /^Bearer/,
};
export const unknownTenant: Refusal = { status: 404, code: 'TENANT_NOT_FOUND' };
export const wrongTenant: Refusal = {
  status: 403,
  code: 'TOKEN_INVALID_FOR_TENANT',
  challenge: /^Bearer error="insufficient_scope"/,
};
const messages: Record<string, string> = {
  AUTHENTICATION_REQUIRED: 'Unauthenticated.',
  TOKEN_INVALID_FOR_TENANT: 'Token not valid for this tenant.',
  TOKEN_ABILITY_DENIED: 'Forbidden.',
  TENANT_NOT_FOUND: 'Workspace not found',
  RESOURCE_NOT_FOUND: 'Not found.',
  VALIDATION_FAILED: 'The given data was invalid.',
};

export function denied(route: KnownRoute): Refusal {
  return {
    status: 403,
    code: 'TOKEN_ABILITY_DENIED',
    challenge: new RegExp(
      `insufficient_scope.*${route.access !== 'key' && 'scopes' in route.access ? route.access.scopes[0] : ''}`,
    ),
  };
}

/** Checks of a world: each sends the request and fails on any other answer, or on one that shows foreign things. */
export function checksOf({ server, foreign }: World, foreignUuids: ReadonlySet<string>) {
  async function refused(
    app: Server,
    credential: Credential,
    request: Request,
    refusal: Refusal,
    what: string,
  ): Promise<Answer> {
    const answer = await send(app, sentBy(credential, request));
    const shown = `${what}: ${request.method ?? 'GET'} ${request.path} → ${answer.status} ${answer.text}`;
    assert.equal(answer.status, refusal.status, shown);
    assert.equal(answer.body.code, refusal.code, shown);
    const message = messages[refusal.code];
    if (message !== undefined) assert.equal(answer.body.message, message, shown);
    if (refusal.field !== undefined) {
      const details = answer.body.details as { errors?: Record<string, string[]> } | undefined;
      assert.deepEqual(Object.keys(details?.errors ?? {}), [refusal.field], shown);
    }
    if (refusal.challenge) assert.match(answer.headers['www-authenticate'] ?? '', refusal.challenge, shown);
    const text = refusal.echo === undefined ? answer.text : answer.text.replaceAll(refusal.echo, '…');
    assert.deepEqual(leaksIn(text, foreignUuids, foreign), [], shown);
    return { ...answer, text };
  }

  async function succeeds(
    credential: Credential,
    request: Request,
    what: string,
    status = 200,
  ): Promise<Answer> {
    const answer = await send(server.app, sentBy(credential, request));
    const shown = `${what}: ${request.method ?? 'GET'} ${request.path} → ${answer.status} ${answer.text}`;
    assert.equal(answer.status, status, shown);
    assert.deepEqual(leaksIn(answer.text, foreignUuids, foreign), [], shown);
    return answer;
  }

  return { refused, succeeds };
}
