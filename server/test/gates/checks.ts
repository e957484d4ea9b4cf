/** Checks that a refusal has the promised form, and that no answer shows anything foreign. */

import assert from 'node:assert/strict';
import type { World } from '../../src/doctor/isolation/canaries.ts';
import {
  type Credential,
  type ExpectedRefusal,
  notRefused,
  sentBy,
} from '../../src/doctor/isolation/credentials.ts';
import type { Request } from '../../src/doctor/isolation/known-route.ts';
import { leaksIn } from '../../src/doctor/isolation/leaks.ts';
import type { Id, IdKind } from '../../src/domain/ids.ts';
import type { Server } from '../../src/http/server.ts';
import { type Answer, send } from '../support/client.ts';

export const unknownTenant: ExpectedRefusal = { status: 404, code: 'TENANT_NOT_FOUND' };
const messages: Record<string, string> = {
  AUTHENTICATION_REQUIRED: 'Unauthenticated.',
  TOKEN_INVALID_FOR_TENANT: 'Token not valid for this tenant.',
  TOKEN_ABILITY_DENIED: 'Forbidden.',
  TENANT_NOT_FOUND: 'Workspace not found',
  RESOURCE_NOT_FOUND: 'Not found.',
  VALIDATION_FAILED: 'The given data was invalid.',
};

/** The checks of a world. Each sends the request and fails on any other answer, or on one that shows foreign data. */
export function checksOf({ server, foreign }: World, foreignUuids: ReadonlySet<Id<IdKind>>) {
  async function refused(
    app: Server,
    credential: Credential,
    request: Request,
    refusal: ExpectedRefusal,
    what: string,
  ): Promise<Answer> {
    const answer = await send(app, sentBy(credential, request));
    const shown = `${what}: ${request.method ?? 'GET'} ${request.path} → ${answer.status} ${answer.text}`;
    assert.equal(notRefused(answer, refusal), null, shown);
    const message = messages[refusal.code];
    if (message !== undefined) assert.equal(answer.body.message, message, shown);
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
