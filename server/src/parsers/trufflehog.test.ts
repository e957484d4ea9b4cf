import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  emptyFinding,
  findingsOf,
  readContent,
  readFixture,
  recognises,
  unreadableIn,
} from '../../test/support/format-reports.ts';
import type { Report, ReportFinding } from './report.ts';
import { trufflehog } from './trufflehog.ts';

const fixture = (name: string): Report => readFixture(trufflehog, `${name}.jsonl`);

test('a secret is the same in base64 and as text, from Git and from GitHub', () => {
  const [before, gone] = findingsOf(fixture('before'));
  const [after, added] = findingsOf(fixture('after'));
  assert.equal(before?.secret?.value, 'gdn_Zx81Yw72Vu63Ts54');
  assert.equal(after?.secret?.value, before.secret.value);
  assert.deepEqual([before.path, before.line], ['shed/keys', 4]);
  assert.deepEqual([after.path, after.line], ['shed/keys', 40]);
  assert.equal(gone?.secret?.value, 'https://gate:keeper@gate.example');
  assert.equal(added?.secret?.value, 'c29tZS1iYXNlNjQtdGV4dC0wMQ==');
});

test('reads a result with everything it says', () => {
  const report = fixture('before');
  const [first, second] = findingsOf(report);
  assert.deepEqual(first, {
    ...emptyFinding,
    pointer: '/1',
    type: 'secret',
    severity: 'critical',
    title: 'Garden secret',
    description: 'In commit 0123456789abcdef0123456789abcdef01234567.',
    rule: 'Garden',
    path: 'shed/keys',
    line: 4,
    secret: { value: 'gdn_Zx81Yw72Vu63Ts54', maskedLine: null },
    verified: true,
    committedAt: '2031-06-16T17:17:40.000Z',
  } satisfies ReportFinding);
  assert.deepEqual([second?.severity, second?.committedAt], ['high', '2031-06-16T10:17:40.000Z']);
  assert.match(second?.secret?.maskedLine ?? '', /\*\*\*\*/);
  assert.equal(report.read, 4, 'its log is no row');
  assert.deepEqual(unreadableIn(report), ['/3', '/4']);
  assert.equal(report.runs[0]?.history, true);
});

test('the secret is in its own field only', () => {
  for (const name of ['before', 'after']) {
    const report = fixture(name);
    const values = findingsOf(report).map(({ secret }) => secret?.value ?? null);
    const rest = JSON.stringify(report, (key, value: unknown) =>
      key === 'secret' ? { ...(value as object), value: null } : value,
    );
    for (const value of values) assert.ok(value === null || !rest.includes(value), `${name}: ${value}`);
    assert.ok(!rest.includes('Second-Half-77'));
  }
});

test('a custom detector is named by its own name, and a file outside Git by its path', () => {
  const report = fixture('after');
  const [described, custom] = findingsOf(report);
  assert.equal(
    described?.description,
    'Opens the shed, as **** does.\n\nIn commit 89abcdef0123456789abcdef0123456789abcdef.',
  );
  assert.deepEqual(described?.links, [
    'https://code.example/garden/blob/0123/shed/keys#L40',
    'https://rotate.example/garden',
  ]);
  assert.deepEqual([custom?.rule, custom?.path, custom?.line], ['shed-code', 'shed/new', null]);
  assert.equal(report.runs[0]?.toolVersion, '3.90.0');
});

test('a report with log lines only is a run without findings, and its errors are warnings', () => {
  const report = readContent(
    trufflehog,
    '{"level":"error","logger":"trufflehog","msg":"cannot read gdn_Zx81"}\n{"level":"info-0","logger":"trufflehog","msg":"finished scanning"}\n',
  );
  assert.deepEqual([report.read, findingsOf(report).length, report.unreadable.length], [0, 0, 0]);
  assert.match(report.warnings.join(), /logged errors/);
  assert.equal(report.runs[0]?.history, false);
});

test('reads an image: its name is the category', () => {
  const [run] = readContent(
    trufflehog,
    '{"SourceMetadata":{"Data":{"Docker":{"image":"registry.example/garden/shed:1.2","file":"/etc/key","layer":"sha256:1"}}},"DetectorName":"Garden","Raw":"abcdefgh","RawV2":""}',
  ).runs;
  assert.deepEqual([run?.category, run?.history, run?.findings[0]?.path], ['garden/shed', false, 'etc/key']);
});

test('a source other than an image is no category, because a report without findings names none', () => {
  const row = { SourceMetadata: { Data: { S3: { file: 'key' } } }, DetectorName: 'Garden', Raw: 'abcdefgh' };
  assert.equal(readContent(trufflehog, JSON.stringify(row)).runs[0]?.category, '');
});

test('reads version 2: each string found is a secret', () => {
  const report = readContent(
    trufflehog,
    '{"branch":"origin/main","commit":"words","commitHash":"abc","date":"2020-01-02 03:04:05","diff":"x","path":"a/b","reason":"High Entropy","stringsFound":["Abcdef123456","Abcdef123456","short"]}',
  );
  assert.deepEqual(
    findingsOf(report).map(({ rule, path, secret, committedAt }) => [rule, path, secret?.value, committedAt]),
    [
      ['High Entropy', 'a/b', 'Abcdef123456', '2020-01-02T03:04:05.000Z'],
      ['High Entropy', 'a/b', null, '2020-01-02T03:04:05.000Z'],
    ],
  );
  assert.deepEqual([report.read, report.runs[0]?.history], [1, true]);
});

test('Rusty Hog writes similar fields and is not recognised as TruffleHog', () => {
  const shared = { reason: 'Email address', stringsFound: ['rake@garden.example'], path: 'a/b', diff: 'x' };
  assert.equal(
    recognises(trufflehog, [{ ...shared, commitHash: 'abc', new_file_id: '0', old_file_id: '1' }]),
    false,
  );
  assert.equal(recognises(trufflehog, [{ ...shared, linenum: 7 }]), false);
});

test('a log that ends with an error, or sums up errors of the scan, closes nothing', () => {
  const line = (level: string, msg: string): string => JSON.stringify({ level, logger: 'trufflehog', msg });
  const outcome = (...lines: string[]): unknown =>
    readContent(trufflehog, `${lines.join('\n')}\n`).runs[0]?.outcome;
  const finished = line('info-0', 'finished scanning');
  assert.equal(outcome(line('info-0', 'running source'), line('error', 'error running scan')), 'failed');
  assert.equal(outcome(line('error', 'encountered errors during scan'), finished), 'failed');
  assert.equal(outcome(line('error', 'cannot read'), finished), 'succeeded');
});
