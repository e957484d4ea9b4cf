import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldsOf } from '../../test/support/fields.ts';
import {
  emptyFinding,
  findingsOf,
  readContent,
  readFixture,
  unreadableIn,
} from '../../test/support/format-reports.ts';
import { gitleaks } from './gitleaks.ts';
import type { Report, ReportFinding } from './report.ts';

const fixture = (name: string): Report => readFixture(gitleaks, `${name}.json`);

test('a secret is the same in version 7 and 8, in another line and commit', () => {
  const [version8] = findingsOf(fixture('version8'));
  const [version7, , added] = findingsOf(fixture('version7'));
  assert.equal(version8?.secret?.value, 'gdn_Zx81Yw72Vu63Ts54');
  assert.equal(version7?.secret?.value, version8.secret.value);
  assert.equal(version7.path, version8.path);
  assert.deepEqual([version8.line, version7.line], [4, 31]);
  assert.equal(added?.secret?.value, 'Qp09Wo82Ei73Ru64');
});

test('reads a leak with everything it says', () => {
  const report = fixture('version8');
  assert.deepEqual(findingsOf(report)[0], {
    ...emptyFinding,
    pointer: '/0',
    type: 'secret',
    severity: 'high',
    title: 'Found the garden key ****, which opens the shed',
    description: 'In commit 0123456789abcdef0123456789abcdef01234567.',
    rule: 'garden-key',
    path: 'shed/key.py',
    line: 4,
    secret: { value: 'gdn_Zx81Yw72Vu63Ts54', maskedLine: 'key = "****"' },
    committedAt: '2031-02-03T04:05:06.000Z',
  } satisfies ReportFinding);
  assert.equal(report.read, 8);
  assert.deepEqual(unreadableIn(report), ['/6', '/7']);
  assert.deepEqual(fieldsOf(report.runs, 'tool', 'category', 'history'), [['gitleaks', '', true]]);
});

test('the secret is in its own field only', () => {
  for (const name of ['version8', 'version7']) {
    const report = fixture(name);
    const values = findingsOf(report).map(({ secret }) => secret?.value ?? null);
    const rest = JSON.stringify(report, (key, value: unknown) =>
      key === 'secret' ? { ...(value as object), value: null } : value,
    );
    for (const value of values) assert.ok(value === null || !rest.includes(value), `${name}: ${value}`);
    assert.ok(!rest.includes('gdn_Zx81Yw'), 'nor a part of one that the tool left over');
  }
});

test('headers that keys share and masked texts are no secret', () => {
  const [, left, right, header, redacted, partly] = findingsOf(fixture('version8'));
  assert.deepEqual([left?.path, left?.secret?.maskedLine], ['shed/pair.sh', 'left=**** right=****']);
  assert.deepEqual([right?.path, right?.secret?.maskedLine], ['shed/pair.sh', 'left=**** right=****']);
  assert.deepEqual(header?.secret, { value: null, maskedLine: '****' });
  assert.deepEqual(redacted?.secret, { value: null, maskedLine: 'key = ****' });
  assert.deepEqual(partly?.secret, { value: null, maskedLine: 'key = ****' });
});

test('a scan of the current tree has no commits', () => {
  const report = readContent(
    gitleaks,
    '[{"RuleID":"r","Secret":"abcdefgh","Match":"abcdefgh","File":"a","Commit":"","Date":"2031-01-01T00:00:00Z","StartLine":"3"}]',
  );
  assert.equal(report.runs[0]?.history, false);
  assert.deepEqual([findingsOf(report)[0]?.committedAt, findingsOf(report)[0]?.line], [null, 3]);
});

test('the field `reason` of the first versions is read as the rule', () => {
  const [, token] = findingsOf(fixture('version7'));
  assert.deepEqual(
    [token?.rule, token?.path, token?.secret],
    ['Token', 'c.yml', { value: null, maskedLine: '****' }],
  );
});
