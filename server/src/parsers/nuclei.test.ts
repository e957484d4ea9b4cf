import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  emptyFinding,
  findingsOf,
  readContent,
  readFixture,
  unreadableIn,
} from '../../test/support/format-reports.ts';
import { nuclei } from './nuclei.ts';
import type { Report, ReportFinding } from './report.ts';

const fixture = (name: string): Report => readFixture(nuclei, name);

test('a result is the same under old and new keys, as lines and as a list, with another session', () => {
  const keys = (name: string): string[] =>
    findingsOf(fixture(name)).map(({ rule, path, code }) => `${rule} ${path} ${code?.replaceAll('\n', ' ')}`);
  const before = keys('before.jsonl');
  assert.deepEqual(before, [
    'garden-panel https://garden.example/panel rose',
    'CVE-2031-0003 garden.example:22 undefined',
  ]);
  assert.deepEqual(keys('after.json'), [
    before[1],
    before[0],
    'garden-panel https://garden.example/panel tulip',
  ]);
});

test('reads a result with everything it says', () => {
  const report = fixture('after.json');
  assert.deepEqual(findingsOf(report)[0], {
    ...emptyFinding,
    pointer: '/0',
    type: 'dast',
    severity: 'critical',
    title: 'Garden Hose - Overflow',
    description: 'The hose overflows.\n\nTurn it off.',
    rule: 'CVE-2031-0003',
    relatedAdvisories: ['CVE-2031-0003'],
    cvss: { score: 9.8, vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' },
    cwes: ['CWE-787'],
    path: 'garden.example:22',
    links: ['https://templates.example/CVE-2031-0003', 'https://nvd.example/CVE-2031-0003'],
  } satisfies ReportFinding);
  assert.equal(report.read, 5);
  assert.deepEqual(unreadableIn(report), ['/4']);
  assert.match(report.warnings.join(), /did not match/);
});

test('a random name in the address is the same in each run', () => {
  const pathOf = (address: string): unknown => {
    const row = { 'template-id': 'garden-upload', info: { name: 'Upload' }, 'matched-at': address };
    return findingsOf(readContent(nuclei, row))[0]?.path;
  };
  const [first, second] = ['3Hq7TzRk2mVn9XbLc4WdYp8Gs1A', '3JaB6eUfQ0xKt5oZrM2hNvC7wDy'];
  assert.equal(pathOf(`https://garden.example/${first}`), pathOf(`https://garden.example/${second}`));
  assert.equal(
    pathOf(`https://garden.example/files/${first}.php`),
    'https://garden.example/files/{{randstr}}.php',
  );
  assert.equal(
    pathOf(`https://garden.example/${first}/${second}?a`),
    'https://garden.example/{{randstr}}/{{randstr}}',
  );
  for (const name of [
    '3hq7tzrk2mvn9xblc4wdyp8gs1a',
    'aBq7TzRk2mVn9XbLc4WdYp8Gs1A',
    `${first}b`,
    `rose-${first}`,
  ]) {
    assert.equal(pathOf(`https://garden.example/${name}`), `https://garden.example/${name}`);
  }
});

test('reads old lines: references in one text, a template that is a CVE, a broken line', () => {
  const report = fixture('before.jsonl');
  const [panel, hose] = findingsOf(report);
  assert.equal(panel?.title, 'Garden Panel: rose');
  assert.deepEqual(panel?.links, ['https://panel.example/1', 'https://panel.example/2']);
  assert.deepEqual(hose?.relatedAdvisories, ['CVE-2031-0003']);
  assert.equal(report.read, 3);
  assert.deepEqual(unreadableIn(report), ['/1']);
  assert.ok(!JSON.stringify(report).includes('gdn_'), 'what a template has extracted may be a secret');
});

test('the parameters of the scanned address are a part of the evidence, without their values', () => {
  const codeOf = (address: string, more: object = {}): unknown => {
    const row = {
      'template-id': 'garden-redirect',
      info: { name: 'Redirect' },
      'matched-at': address,
      url: address,
      ...more,
    };
    return findingsOf(readContent(nuclei, row))[0]?.code;
  };
  assert.equal(codeOf('https://garden.example/go?next=//weed'), 'next');
  assert.equal(codeOf('https://garden.example/go?url=//weed'), 'url');
  assert.equal(codeOf('https://garden.example/?id=1%27&bed=a&id=2#x'), 'bed id');
  assert.equal(codeOf('https://garden.example/?bed=b&id=7'), 'bed id');
  assert.equal(codeOf('https://garden.example/?%3Cscript%3E&3Hq7TzRk2mVn9XbLc4WdYp8Gs1A=1'), null);
  assert.equal(codeOf('https://garden.example/?bed=b&id=7', { fuzzing_parameter: 'id' }), 'id');
  assert.equal(codeOf('garden.example:22'), null);
  const asked = 'https://garden.example/?id=7&kqzvbn=1';
  assert.equal(codeOf(asked, { url: 'https://garden.example' }), null, 'the template has made up the names');
  assert.equal(codeOf(asked, { url: 'https://garden.example/?bed=a&id=1', host: 'garden.example' }), 'id');
  assert.equal(codeOf(asked, { url: null, host: 'https://garden.example/?id=1' }), 'id', 'before version 3');
});

test('a long address that is none without its end does not stop the report', () => {
  const address = `http://a:${'x'.repeat(5_000)}@garden.example/?q=1`;
  const row = { 'template-id': 'garden-redirect', info: { name: 'Redirect' }, 'matched-at': address };
  assert.equal(findingsOf(readContent(nuclei, row)).length, 1);
});
