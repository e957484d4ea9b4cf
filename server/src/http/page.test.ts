import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DomainError } from '../domain/domain-error.ts';
import { cursorScope, cursors, openPage } from './page.ts';

const key = Buffer.alloc(32, 1);
const scope = cursorScope('t', 'list', ['a']);

test('a cursor decodes to the same values, in its own scope only', () => {
  const { encode, decode } = cursors(key);
  const values = [5, 1_700_000_000_123, '01890a5d-ac96-774b-bcce-b302099a8057'];
  const text = encode(scope, values);
  assert.ok(text.length <= 255);
  assert.deepEqual(decode(scope, text), values);
  for (const other of [
    cursorScope('u', 'list', ['a']),
    cursorScope('t', 'lost', ['a']),
    cursorScope('t', 'list', ['b']),
  ]) {
    assert.throws(() => decode(other, text), DomainError);
  }
  assert.throws(() => cursors(Buffer.alloc(32, 2)).decode(scope, text), DomainError);
});

test('a cursor with any altered bit is refused', () => {
  const { encode, decode } = cursors(key);
  const text = encode(scope, [1, 'x']);
  const bytes = Buffer.from(text, 'base64url');
  for (let i = 0; i < bytes.length; i++) {
    const altered = Buffer.from(bytes);
    altered[i] = (altered[i] ?? 0) ^ 1;
    assert.throws(() => decode(scope, altered.toString('base64url')), DomainError);
  }
  for (const nothing of ['', 'x', text.slice(0, 10), `${text}=`, `${text}A`, ' ']) {
    assert.throws(() => decode(scope, nothing), DomainError, nothing);
  }
});

test('a cursor belongs to the same list, object and parameters, in any order', () => {
  const open = (object: string, query: Record<string, unknown>) =>
    openPage(cursors(key), ['t', 'list', object], query);
  const { next_cursor: cursor } = open('o', { q: 'a', type: ['b'], per_page: 1 }).answer(
    [1, 2],
    (row) => row,
    (last) => [last],
  );
  assert.equal(open('o', { cursor, type: ['b'], per_page: 9, q: 'a' }).afterId, '1');
  for (const other of [
    { q: 'a' },
    { q: 'a', type: ['c'] },
    { q: 'a', type: ['b'], repo: 'r' },
    { q: 'a', type: ['b'], actorId: null },
  ]) {
    assert.throws(() => open('o', { cursor, ...other }), DomainError);
  }
  assert.throws(() => open('p', { cursor, q: 'a', type: ['b'] }), DomainError);
});
