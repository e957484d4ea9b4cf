import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { firstIdSince, formatId, isUuid, newId, parseId, type ScanId, type VulnerabilityId } from './ids.ts';

test('a formatted id parses back to the same UUID, and the order is kept', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), (a, b) => {
      const [x, y] = [a, b].map((id) => formatId('vulnerability', id as VulnerabilityId)) as [string, string];
      assert.match(x, /^vc_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
      assert.equal(parseId('vulnerability', x), a);
      assert.equal(x < y, a < b);
    }),
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
