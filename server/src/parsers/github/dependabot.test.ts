import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldOf, fieldsOf } from '../../../test/support/fields.ts';
import {
  emptyFinding,
  findingsOf,
  packageKeys,
  readContent,
  readFixture,
  recognises,
  unreadableIn,
} from '../../../test/support/format-reports.ts';
import type { Report, ReportFinding } from '../report.ts';
import { githubDependabot } from './dependabot.ts';

const fixture = (name: string): Report => readFixture(githubDependabot, `${name}.json`);

test('reads an alert with everything it says', () => {
  const report = fixture('before');
  const [trowel] = findingsOf(report);
  assert.deepEqual(trowel, {
    ...emptyFinding,
    pointer: '/0',
    type: 'dependency',
    severity: 'high',
    title: 'Loose handle',
    description: 'The handle of the trowel comes off.',
    rule: 'GHSA-2222-3333-4441',
    advisories: ['GHSA-2222-3333-4441', 'CVE-2031-0101'],
    package: { purl: 'pkg:npm/trowel', name: 'trowel', version: null },
    fixedVersions: ['2.0.1'],
    cvss: { score: 7.5, vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N' },
    cwes: ['CWE-672'],
    path: 'shed/package-lock.json',
    artifact: { type: 'package_version', name: 'trowel', purl: 'pkg:npm/trowel', digest: null },
    links: ['https://github.example/green/garden/security/dependabot/1', 'https://trowels.example/loose'],
  } satisfies ReportFinding);
  assert.deepEqual(
    [report.read, report.runs[0]?.tool, report.runs[0]?.outcome],
    [6, 'dependabot', 'succeeded'],
  );
});

test('dismissed alerts are suppressed, and fixed ones are no findings', () => {
  const report = fixture('before');
  assert.deepEqual(
    findingsOf(report).map(({ pointer, suppression }) => [pointer, suppression?.reason ?? null]),
    [
      ['/0', null],
      ['/1', null],
      ['/2', 'tolerable_risk: The garden has none.'],
      ['/3', 'Dismissed in GitHub.'],
      ['/5', null],
    ],
  );
  assert.match(report.warnings.join(), /closed/);
});

test('the ecosystem of GitHub names the package, and a score of 0 is read as no score', () => {
  const [, mower, , , gate] = findingsOf(fixture('before'));
  assert.deepEqual(
    [mower?.package?.purl, mower?.fixedVersions, mower?.severity],
    ['pkg:composer/green/mower', [], 'medium'],
  );
  assert.deepEqual([gate?.package?.purl, gate?.cvss?.score], ['pkg:github/actions/gate', 9.3]);
});

test('answers of GraphQL are read in each nesting, with the version of an exact requirement', () => {
  const report = fixture('graphql');
  assert.deepEqual(packageKeys(report), [
    'dependency GHSA-2222-3333-4441=CVE-2031-0101 pkg:npm/trowel 1.0.0 shed/package-lock.json',
    'dependency GHSA-2222-3333-4442=CVE-2031-0102 pkg:npm/trowel 1.0.0 shed/package-lock.json',
  ]);
  assert.equal(report.read, 4);
  assert.deepEqual(
    findingsOf(report).map(({ severity, cvss, cwes, suppression }) => [
      severity,
      cvss?.score,
      cwes,
      suppression?.reason ?? null,
    ]),
    [
      ['medium', 7.5, ['CWE-672'], null],
      ['medium', 7.5, ['CWE-672'], 'not_used'],
    ],
  );
  assert.deepEqual(unreadableIn(report), ['/data/repository/vulnerabilityAlerts/nodes/3']);
  const search = fixture('search');
  assert.deepEqual(
    findingsOf(search).map(({ package: named, path, suppression }) => [
      named?.purl,
      named?.version,
      path,
      suppression?.by ?? null,
    ]),
    [
      ['pkg:maven/garden.green/mower', null, 'pom.xml', null],
      ['pkg:maven/garden.green/mower', null, 'pom.xml', 'file'],
    ],
  );
  assert.equal(fixture('empty').read, 0);
  assert.equal(readContent(githubDependabot, [{ data: { shed: { vulnerabilityAlerts: {} } } }]).read, 0);
});

test('one page of several closes nothing, and joined pages are read', () => {
  assert.equal(fixture('search').runs[0]?.outcome, 'failed');
  assert.deepEqual(fieldOf(findingsOf(fixture('pages')), 'pointer'), ['/0/0', '/1/0']);
});

test('rows that cannot be understood are unreadable, and fields of other types are missing', () => {
  const report = fixture('broken');
  assert.deepEqual(unreadableIn(report), ['/0', '/1', '/3']);
  assert.deepEqual(fieldsOf(findingsOf(report), 'rule', 'severity', 'title', 'links'), [
    ['GHSA-2222-3333-4442', 'unknown', 'GHSA-2222-3333-4442 in hoe', []],
  ]);
});

test('alerts of several repositories are read with a warning', () => {
  const alert = (name: string): unknown => ({
    number: 1,
    state: 'open',
    repository: { full_name: name },
    security_advisory: { ghsa_id: 'GHSA-2222-3333-4441' },
  });
  const report = readContent(githubDependabot, [alert('green/garden'), alert('green/house')]);
  assert.match(report.warnings.join(), /several repositories/);
  assert.equal(recognises(githubDependabot, [{ state: 'open', number: 1 }]), false);
  assert.equal(recognises(githubDependabot, { data: { repository: { issues: { nodes: [] } } } }), false);
});

test('an answer that does not say whether there are more pages closes nothing if it is as long as a page', () => {
  const node = {
    securityVulnerability: { advisory: { ghsaId: 'GHSA-2222-3333-4441' }, package: { name: 'hoe' } },
  };
  const outcome = (length: number, more: object = {}): unknown => {
    const vulnerabilityAlerts = { nodes: Array.from({ length }, () => node), ...more };
    return readContent(githubDependabot, { data: { repository: { vulnerabilityAlerts } } }).runs[0]?.outcome;
  };
  assert.deepEqual([outcome(99), outcome(100)], ['succeeded', 'failed']);
  assert.deepEqual(
    [outcome(2, { totalCount: 3 }), outcome(100, { totalCount: 100 })],
    ['failed', 'succeeded'],
  );
  assert.equal(outcome(100, { pageInfo: { hasNextPage: false } }), 'succeeded');
});
