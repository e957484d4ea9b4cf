import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { seedOf } from '../../test/support/form.ts';
import {
  firstIdSince,
  formatId,
  formatTenantId,
  isTenantId,
  isUuid,
  newId,
  newTenantId,
  parseId,
  type ScanId,
  type TenantId,
  tenantUuid,
  type VulnerabilityId,
} from './ids.ts';

test('a formatted id parses back to the same UUID, and the order is kept', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), (a, b) => {
      const [x, y] = [a, b].map((id) => formatId('vulnerability', id as VulnerabilityId)) as [string, string];
      assert.match(x, /^vc_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
      assert.equal(parseId('vulnerability', x), a);
      assert.equal(x < y, a < b);
    }),
    { seed: seedOf(20_260_101) },
  );
  // The example of the TypeID specification.
  assert.equal(
    formatId('scan', '01890a5d-ac96-774b-bcce-b302099a8057' as ScanId),
    'scan_01h455vb4pex5vsknk084sn02q',
  );
});

test('the compiler refuses an id of another kind', () => {
  const scan = newId<'scan'>();
  // @ts-expect-error The kind and the id differ.
  assert.equal(parseId('vulnerability', formatId('vulnerability', scan)), scan);
});

test('any other text is no id', () => {
  const id = formatId('repository', newId());
  for (const text of [
    '',
    'repo_',
    id.slice(0, -1),
    `${id}0`,
    id.replace('repo_', 'org_'),
    `repo_8${id.slice(6)}`,
  ]) {
    assert.equal(parseId('repository', text), undefined, text);
  }
  assert.equal(parseId('repository', id.toUpperCase()), undefined);
  assert.equal(parseId('repository', `repo_${'u'.repeat(26)}`), undefined, 'u is no digit');
});

test('ids of a time are between its first one and that of the next millisecond', () => {
  const before = new Date();
  const id = newId();
  const after = new Date();
  assert.ok(isUuid(firstIdSince(before)));
  assert.ok(firstIdSince(before) < id);
  assert.ok(id < firstIdSince(new Date(after.getTime() + 1)));
});

test('keys of workspaces rise, also within a millisecond, and are exact numbers', () => {
  const keys = Array.from({ length: 2_000 }, newTenantId);
  assert.ok(keys.every(isTenantId));
  for (const [at, key] of keys.slice(1).entries()) assert.ok(Number(key) > Number(keys[at]));
});

test('the UUID of a workspace ends with its number, and the API shows it as an id of its kind', () => {
  const highest = String(Number.MAX_SAFE_INTEGER) as TenantId;
  assert.equal(tenantUuid(highest), '00000000-0000-0000-001f-ffffffffffff');
  assert.equal(tenantUuid('1' as TenantId), '00000000-0000-0000-0000-000000000001');
  assert.equal(parseId('tenant', formatTenantId(highest)), tenantUuid(highest));
});

test('only a whole number from 1 to 2^53 - 1 is the key of a workspace', () => {
  for (const text of ['1', '4096', '9007199254740991']) assert.ok(isTenantId(text), text);
  for (const text of [
    '',
    '0',
    '01',
    '-1',
    '+1',
    '1.5',
    '1e3',
    ' 1',
    '1\n',
    "1'",
    '9007199254740992',
    '9'.repeat(400),
  ]) {
    assert.ok(!isTenantId(text), text);
  }
});
