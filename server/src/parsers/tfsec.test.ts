import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldOf, fieldsOf } from '../../test/support/fields.ts';
import {
  emptyEvidence,
  emptyFinding,
  findingsOf,
  readFixture,
  recognises,
  unreadableIn,
} from '../../test/support/format-reports.ts';
import type { Report, ReportFinding } from './report.ts';
import { tfsec } from './tfsec.ts';

const fixture = (name: string): Report => readFixture(tfsec, `${name}.json`);

test('reads a result with everything it says', () => {
  const report = fixture('before');
  assert.deepEqual(findingsOf(report)[0], {
    ...emptyFinding,
    pointer: '/results/0',
    type: 'iac',
    severity: 'critical',
    title: 'The shed has no log.',
    description: "Resource 'module.NORTH:aws_s3_bucket.shed[0]' has no log.\n\nNobody knows who was there",
    rule: 'aws-s3-enable-shed-logging',
    path: 'modules/shed/main.tf',
    line: 7,
    code: 'module.NORTH:aws_s3_bucket.shed[0]',
    links: ['https://check.example/shed-logging', 'https://registry.example/shed'],
    evidence: {
      ...emptyEvidence,
      remediation: 'Write a log',
    },
  } satisfies ReportFinding);
  assert.deepEqual([report.read, findingsOf(report).length, report.unreadable.length], [3, 2, 0]);
  assert.match(report.warnings.join(), /Checks that passed/);
});

test('a result is the same in version 1, and a module that is used twice gives two', () => {
  const keys = (name: string): string[] =>
    findingsOf(fixture(name)).map(({ rule, path, code }) => `${rule} ${path} ${code}`);
  const before = keys('before');
  assert.equal(new Set(before).size, 2);
  assert.equal(keys('after')[0], before[0]);
});

test('an ignored result is suppressed beside the code, as a word and as a number', () => {
  for (const name of ['before', 'after']) {
    const suppressed = findingsOf(fixture(name)).filter(({ suppression }) => suppression !== null);
    assert.deepEqual(
      fieldOf(suppressed, 'suppression'),
      [{ by: 'source', reason: null, expiresAt: null }],
      name,
    );
  }
});

test('reads the oldest versions, with a single link and other words of severity', () => {
  const report = fixture('old');
  assert.deepEqual(
    findingsOf(report).map(({ rule, severity, line, code, links }) => [
      rule,
      severity,
      line,
      code,
      links.length,
    ]),
    [
      ['AWS900', 'high', 9, 'provider.aws', 1],
      ['GCP008', 'medium', null, null, 0],
    ],
  );
  assert.equal(report.read, 3);
});

test('results without a rule are unreadable, the others are read', () => {
  const report = fixture('broken');
  assert.deepEqual(unreadableIn(report), ['/results/0', '/results/2']);
  assert.deepEqual(fieldsOf(findingsOf(report), 'rule', 'severity', 'path'), [
    ['GEN001', 'unknown', 'a.tf'],
    ['GEN002', 'unknown', null],
  ]);
});

test('a report without results is empty, and shows a scan only with checks that passed', () => {
  assert.deepEqual([fixture('empty').read, fixture('empty').runs[0]?.showsScan], [0, false]);
  assert.equal(recognises(tfsec, { results: null, errors: [] }), false);
});
