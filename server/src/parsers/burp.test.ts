import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldsOf } from '../../test/support/fields.ts';
import {
  emptyEvidence,
  emptyFinding,
  findingsOf,
  readContent,
  readFixture,
  recognises,
  unreadableIn,
} from '../../test/support/format-reports.ts';
import { burp } from './burp.ts';
import type { Report, ReportFinding } from './report.ts';

const fixture = (name: string): Report => readFixture(burp, `${name}.xml`);
const keysOf = (report: Report): string[] =>
  findingsOf(report).map(({ rule, path, code }) => `${rule} ${path} ${code}`);

test('reads an issue with everything it says but requests and responses', () => {
  const report = fixture('before');
  assert.deepEqual(findingsOf(report)[0], {
    ...emptyFinding,
    pointer: '/issues/issue[1]',
    type: 'dast',
    severity: 'high',
    title: 'SQL injection',
    description: "The seed parameter takes ' & breaks.\n\n- First bed",
    rule: '1049088',
    cwes: ['CWE-89', 'CWE-94'],
    path: 'https://garden.example/bed/search',
    code: 'seed parameter',
    links: ['https://help.example/sql'],
    evidence: {
      ...emptyEvidence,
      help: 'The query is built from a text.',
      remediation: 'Handle errors.\n\nUse parameters.\n\nAlso:\n- Check the type',
    },
  } satisfies ReportFinding);
  assert.deepEqual([report.read, report.unreadable.length], [3, 0]);
  assert.deepEqual(fieldsOf(report.runs, 'tool', 'toolVersion', 'category'), [['burp', '2030.12.1', '']]);
  const text = JSON.stringify(report);
  for (const hidden of ['topsecret', 'opsecretRe', 'VG9wc2Vj', 'abcdef0123456789', '192.0.2.99']) {
    assert.ok(!text.includes(hidden), hidden);
  }
});

test('the detail of an issue loses the session of the addresses that it quotes', () => {
  const detail = 'The address https://garden.example/bed?JSESSIONID=R0SE17&amp;row=2 holds the session.';
  const report = readContent(
    burp,
    `<issues burpVersion="2030.12"><issue><type>5244928</type><name>Session in an address</name>
     <host>https://garden.example</host><path>/bed</path><location>/bed</location><severity>Low</severity>
     <issueDetail><![CDATA[${detail}]]></issueDetail>
     <remediationDetail><![CDATA[Not ${detail}]]></remediationDetail></issue></issues>`,
  );
  assert.doesNotMatch(JSON.stringify(report), /R0SE17/);
  assert.match(findingsOf(report)[0]?.description ?? '', /\?JSESSIONID=\*{4}&row=2 holds/);
});

test('an issue is the same with another query, address and serial number', () => {
  const [before, after] = [new Set(keysOf(fixture('before'))), new Set(keysOf(fixture('after')))];
  assert.deepEqual(
    [...before.intersection(after)],
    ['1049088 https://garden.example/bed/search seed parameter'],
  );
  assert.equal(findingsOf(fixture('after'))[0]?.severity, 'high');
});

test('issues of extensions share a type and are told apart by their names', () => {
  assert.equal(findingsOf(fixture('before'))[2]?.rule, 'Old rake detected');
  const spade = findingsOf(fixture('after'))[1];
  assert.deepEqual([spade?.rule, spade?.severity], ['Old spade detected', 'info']);
  assert.deepEqual(
    spade?.evidence?.dataFlow.map(({ text }) => text),
    ['location.hash', 'document.write'],
  );
});

test('an issue marked as a false positive is suppressed', () => {
  const rake = findingsOf(fixture('before'))[2];
  assert.deepEqual(rake?.suppression, {
    by: 'file',
    reason: 'Marked as a false positive in Burp.',
    expiresAt: null,
  });
  assert.deepEqual([rake?.severity, rake?.description], ['unknown', 'Set-Cookie: GATE=****; Path=/; Secure']);
});

test('issues without most fields are read, and without a type and a name they are unreadable', () => {
  const report = fixture('broken');
  assert.equal(report.read, 4);
  assert.deepEqual(keysOf(report), [
    '7340288 192.0.2.7 null',
    'Only a name https://garden.example/gate/open null',
  ]);
  assert.equal(findingsOf(report)[0]?.severity, 'unknown');
  assert.deepEqual(unreadableIn(report), ['/issues/issue[1]', '/issues/issue[4]']);
});

test('an export without issues is empty and shows no scan', () => {
  const report = fixture('empty');
  assert.deepEqual([report.read, report.runs[0]?.showsScan], [0, false]);
});

test('a list of issues of another tool is not recognised, and a document type with entities is refused', () => {
  assert.equal(recognises(burp, '<issues format="6"><issue id="Rake"/></issues>'), false);
  const bomb = '<!DOCTYPE issues [<!ENTITY a "b">]><issues burpVersion="1"><issue>&a;</issue></issues>';
  assert.throws(() => readContent(burp, bomb), /document type/);
});
