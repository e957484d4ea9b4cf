import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  findingsOf,
  packageKeys,
  readContent,
  readFixture,
  recognises,
  unreadableIn,
} from '../../test/support/format-reports.ts';
import { npmAudit } from './npm-audit.ts';
import { ReportError } from './report.ts';

test('one advisory in four reports: its numbers change, and each report shares a name with another', () => {
  assert.deepEqual(packageKeys(readFixture(npmAudit, 'v6-old-numbers.json')), [
    'dependency CVE-2030-0200=NPM-1001 pkg:npm/%40tools/spade 0.0.8 -',
    'dependency CVE-2030-0200=NPM-1001 pkg:npm/%40tools/spade 1.2.0 -',
    'dependency NPM-1002 pkg:npm/rope - -',
  ]);
  assert.deepEqual(packageKeys(readFixture(npmAudit, 'v6-new-numbers.json')), [
    'dependency GHSA-aaaa-bbbb-cccc=CVE-2030-0200=NPM-200001 pkg:npm/%40tools/spade 0.0.8 -',
    'dependency GHSA-aaaa-bbbb-cccc=CVE-2030-0200=NPM-200001 pkg:npm/%40tools/spade 1.2.0 -',
  ]);
  assert.deepEqual(packageKeys(readFixture(npmAudit, 'v7-old-numbers.json')), [
    'dependency NPM-1001 pkg:npm/%40tools/spade - -',
  ]);
  assert.deepEqual(packageKeys(readFixture(npmAudit, 'v7-new-numbers.json')), [
    'dependency GHSA-aaaa-bbbb-cccc pkg:npm/%40tools/spade - -',
    'dependency GHSA-dddd-eeee-ffff pkg:npm/%40tools/spade - -',
  ]);
});

test('version 6: reads an advisory with everything it says', () => {
  const report = readFixture(npmAudit, 'v6-old-numbers.json');
  const [spade, , rope] = findingsOf(report);
  assert.equal(report.read, 3);
  assert.deepEqual(unreadableIn(report), ['/advisories/1003']);
  assert.deepEqual(
    [spade?.pointer, spade?.severity, spade?.title, spade?.rule, spade?.fixedVersions, spade?.cwes],
    ['/advisories/1001', 'high', 'Spade digs outside of its bed', 'CVE-2030-0200', ['1.2.3'], ['CWE-22']],
  );
  assert.equal(spade?.description, 'The spade of `@tools/spade` digs anywhere.\n\nUpdate to 1.2.3.');
  assert.deepEqual(spade?.links, [
    'https://npmjs.com/advisories/1001',
    'https://garden.example/spade',
    'https://garden.example/more',
  ]);
  assert.equal(spade?.cvss?.score, 7.5);
  assert.deepEqual([rope?.severity, rope?.cvss, rope?.fixedVersions], ['medium', null, []]);
});

test('version 7: packages are rows, advisories are findings', () => {
  const report = readFixture(npmAudit, 'v7-new-numbers.json');
  const [spade, second] = findingsOf(report);
  assert.equal(report.read, 4);
  assert.deepEqual(unreadableIn(report), ['/vulnerabilities/broken', '/vulnerabilities/list']);
  assert.match(report.warnings.join(' '), /vulnerable only through others/);
  assert.equal(spade?.pointer, '/vulnerabilities/@tools~1spade/via/1');
  assert.deepEqual(spade?.fixedVersions, ['1.2.3'], 'an end that is vulnerable itself fixes nothing');
  assert.deepEqual([spade?.cwes, spade?.cvss?.score], [['CWE-22'], 7.5]);
  assert.match(spade?.description ?? '', /Installed at: node_modules\/@tools\/spade/);
  assert.deepEqual([second?.severity, second?.cvss], ['medium', null]);
  assert.deepEqual(second?.relatedAdvisories, ['NPM-200002']);
});

test('version 7: the chain leads from a package of the project to the vulnerable one', () => {
  const row = (name: string, isDirect: boolean, effects: string[]) => ({
    name,
    isDirect,
    effects,
    via: [{ source: 7, title: `Old ${name}` }],
  });
  const report = readContent(npmAudit, {
    auditReportVersion: 2,
    vulnerabilities: {
      spade: row('spade', false, ['rope']),
      rope: row('rope', false, ['tools', 'spade']),
      tools: row('tools', true, []),
    },
  });
  assert.deepEqual(
    findingsOf(report).map(({ evidence }) => evidence?.dependencyPaths ?? []),
    [[['tools', 'rope', 'spade']], [['tools', 'rope']], []],
  );
});

test('an advisory with several CVEs and no GitHub id is named by its number, with the CVEs as aliases', () => {
  const [finding] = findingsOf(
    readContent(npmAudit, {
      actions: [],
      advisories: { 7: { module_name: 'rope', cves: ['CVE-2030-1000', 'CVE-2030-1001'], findings: null } },
    }),
  );
  assert.deepEqual(finding?.advisories, ['NPM-7']);
  assert.deepEqual(finding?.relatedAdvisories, ['CVE-2030-1000', 'CVE-2030-1001']);
});

test('names such as __proto__ are ordinary package names', () => {
  const report = readContent(
    npmAudit,
    '{"auditReportVersion":2,"vulnerabilities":{"__proto__":{"via":[{"source":1,"title":"t"}]},"constructor":{"via":["a"]}}}',
  );
  assert.deepEqual([report.read, findingsOf(report)[0]?.package?.purl], [2, 'pkg:npm/__proto__']);
});

test('an error instead of a report is refused', () => {
  const failed = { error: { code: 'ENOLOCK', summary: 'This command requires an existing lockfile.' } };
  assert.ok(recognises(npmAudit, failed));
  assert.throws(() => readContent(npmAudit, failed), ReportError);
  assert.throws(() => readContent(npmAudit, { auditReportVersion: 2 }), ReportError);
  assert.equal(recognises(npmAudit, { vulnerabilities: { list: [] }, database: {} }), false);
});

test('a long text as the number of an advisory is cut together with its prefix', () => {
  const report = readContent(npmAudit, {
    auditReportVersion: 2,
    vulnerabilities: {
      gate: { name: 'gate', via: [{ source: 'n'.repeat(600), name: 'gate', title: 'Gate' }] },
    },
  });
  assert.equal(findingsOf(report)[0]?.rule, `NPM-${'n'.repeat(496)}`);
});
