import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldsOf } from '../../test/support/fields.ts';
import {
  emptyFinding,
  findingsOf,
  readContent,
  readFixture,
  recognises,
  unreadableIn,
} from '../../test/support/format-reports.ts';
import { parseReport } from './parse-report.ts';
import type { Report, ReportFinding } from './report.ts';
import { rustyHog } from './rusty-hog.ts';
import { trufflehog } from './trufflehog.ts';

const fixture = (name: string): Report => readFixture(rustyHog, `${name}.json`);

test('reads a row of Choctaw with everything it says: each text is a secret', () => {
  const report = fixture('choctaw-before');
  const [first, second, removed] = findingsOf(report);
  assert.deepEqual(first, {
    ...emptyFinding,
    pointer: '/0',
    type: 'secret',
    severity: 'high',
    title: 'Garden key',
    description: 'In commit 0123456789abcdef0123456789abcdef01234567.',
    rule: 'Garden key',
    path: 'shed/keys.py',
    line: 4,
    secret: { value: 'gdn_Zx81Yw72Vu63Ts54', maskedLine: 'key = "****" # for \'****\'\n' },
    committedAt: '2031-01-02T03:04:05.000Z',
  } satisfies ReportFinding);
  assert.equal(second?.secret?.value, 'gdn_Second_Key_99');
  assert.deepEqual([removed?.line, removed?.secret?.value], [31, 'openSesame77']);
  assert.deepEqual([report.read, report.unreadable.length], [2, 0]);
  assert.deepEqual(fieldsOf(report.runs, 'tool', 'category', 'history'), [['rusty-hog', 'choctaw', true]]);
});

test('a secret is the same in another commit, and in a file that Duroc reads', () => {
  const [before] = findingsOf(fixture('choctaw-before'));
  const [after] = findingsOf(fixture('choctaw-after'));
  const [file] = findingsOf(fixture('duroc'));
  assert.equal(after?.secret?.value, before?.secret?.value);
  assert.equal(file?.secret?.value, before?.secret?.value);
  assert.deepEqual([file?.path, file?.line, after?.line], ['shed/keys.py', 40, null]);
  assert.deepEqual([fixture('duroc').runs[0]?.category, fixture('duroc').runs[0]?.history], ['duroc', false]);
});

test('Essex and Göttingen name pages and issues', () => {
  const pages = findingsOf(fixture('essex'));
  assert.deepEqual(
    pages.map(({ path, secret }) => [path, secret?.value ?? null]),
    [
      ['https://wiki.example/pages/viewpage.action?pageId=4711', null],
      ['https://wiki.example/spaces/garden/pages/4712/Shed', 'gdn_Page_Key_2031'],
    ],
  );
  const [short, whole] = findingsOf(fixture('gottingen'));
  assert.deepEqual(short?.secret, { value: null, maskedLine: 'password: ****' });
  assert.deepEqual(
    [whole?.path, whole?.description, whole?.links],
    [
      'https://tickets.example/browse/BED-8',
      'Found in: comment by "Ada" on "2031-01-02T03:04:05.000+0000"',
      ['https://tickets.example/browse/BED-8'],
    ],
  );
  assert.deepEqual(
    [fixture('gottingen').runs[0]?.category, fixture('essex').runs[0]?.category],
    ['gottingen', 'essex'],
  );
});

test('the secret is in its own field only', () => {
  for (const name of ['choctaw-before', 'choctaw-after', 'duroc', 'essex', 'gottingen', 'broken']) {
    const report = fixture(name);
    const rest = JSON.stringify(report, (key, value: unknown) =>
      key === 'secret' ? { ...(value as object), value: null } : value,
    );
    for (const { secret } of findingsOf(report)) {
      assert.ok(secret?.value == null || !rest.includes(secret.value), `${name}: ${secret?.value}`);
    }
  }
});

test('objects in S3 and files in Google Drive are read', () => {
  const read = (row: object): unknown => {
    const report = readContent(rustyHog, [
      { stringsFound: ['gdn_Zx81Yw72Vu63Ts54'], reason: 'Garden key', ...row },
    ]);
    return [report.runs[0]?.category, findingsOf(report)[0]?.path];
  };
  assert.deepEqual(read({ bucket: 'shed', key: 'old/keys', region: 'garden-1' }), [
    'berkshire',
    'shed/old/keys',
  ]);
  assert.deepEqual(
    read({ g_drive_id: 'x1', web_link: 'https://drive.example/d/x1/edit?usp=y', path: 'Keys' }),
    ['ankamali', 'https://drive.example/d/x1/edit'],
  );
});

test('rows without a secret are unreadable, the others are read', () => {
  const report = fixture('broken');
  assert.deepEqual(unreadableIn(report), ['/0', '/2', '/3', '/4']);
  assert.deepEqual([report.read, findingsOf(report).length], [5, 1]);
  assert.deepEqual([findingsOf(report)[0]?.rule, findingsOf(report)[0]?.path], ['7', null]);
});

test('an empty list is read by name alone, with a warning', () => {
  const report = parseReport(Buffer.from('[]'), { format: 'rusty-hog' });
  assert.deepEqual([report.read, report.runs[0]?.category], [0, '']);
  assert.match(report.warnings.join(), /does not name its Rusty Hog tool/);
});

test('TruffleHog 2 is not recognised as Rusty Hog, and no hog as TruffleHog', () => {
  const shared = {
    reason: 'High Entropy',
    stringsFound: ['gdn_Zx81'],
    path: 'a',
    diff: 'x',
    commitHash: 'abc',
  };
  assert.equal(recognises(rustyHog, [{ ...shared, branch: 'main' }]), false);
  for (const more of [
    { new_file_id: '0' },
    { old_line_num: 1 },
    { parent_commit_hash: 'None' },
    { linenum: 1 },
  ]) {
    assert.deepEqual(
      [recognises(rustyHog, [{ ...shared, ...more }]), recognises(trufflehog, [{ ...shared, ...more }])],
      [true, false],
      JSON.stringify(more),
    );
  }
});
