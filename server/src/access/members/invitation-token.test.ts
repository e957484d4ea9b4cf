import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId, newTenantId } from '../../domain/ids.ts';
import {
  createSecret,
  formatInvitationToken,
  isSameDigest,
  parseInvitationToken,
} from './invitation-token.ts';

test('a token parses back to its workspace, its invitation and the digest of its secret', () => {
  const [tenantId, id, { secret, digest }] = [newTenantId(), newId<'invitation'>(), createSecret()];
  const token = parseInvitationToken(formatInvitationToken(tenantId, id, secret));
  assert.deepEqual([token?.tenantId, token?.id], [tenantId, id]);
  assert.ok(token && isSameDigest(token.digest, digest));
});

test('a token with a number that no workspace can have, or of another length, is none', () => {
  const token = Buffer.from(
    formatInvitationToken(newTenantId(), newId(), createSecret().secret),
    'base64url',
  );
  for (const number of [0n, 2n ** 53n, 2n ** 63n, 2n ** 64n - 1n]) {
    token.writeBigUInt64BE(number);
    assert.equal(parseInvitationToken(token.toString('base64url')), undefined, String(number));
  }
  token.writeBigUInt64BE(1n);
  assert.ok(parseInvitationToken(token.toString('base64url')));
  for (const bytes of [token.subarray(1), Buffer.concat([token, token])]) {
    assert.equal(parseInvitationToken(bytes.toString('base64url')), undefined);
  }
});
