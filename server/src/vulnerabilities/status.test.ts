import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  agree,
  fixesAbove,
  overallStatus,
  type ReporterClaim,
  statusOnReference,
  type VexClaim,
  vexClaimOfAll,
} from './status.ts';

const main = (live: boolean) => ({ live, tracked: true, active: true });
const branch = (live: boolean, active = true) => ({ live, tracked: false, active });

test('the own status is the decision, else open on a tracked reference, else open on an active one', () => {
  const statusOf = (...[decision, references]: Parameters<typeof overallStatus>): string => {
    const { status, reach } = overallStatus(decision, references);
    return `${status} ${reach}`;
  };
  assert.equal(statusOf('accepted', [main(true)]), 'accepted tracked');
  assert.equal(statusOf('accepted', [main(false), branch(true)]), 'accepted tracked');
  assert.equal(statusOf('accepted', [branch(true)]), 'accepted branches');
  assert.equal(statusOf(null, [main(true), branch(false)]), 'open tracked');
  assert.equal(statusOf(null, [main(false), branch(true)]), 'fixed elsewhere', 'a tracked one decides');
  assert.equal(statusOf(null, [main(false), branch(true, false)]), 'fixed tracked');
  assert.equal(statusOf(null, [{ ...main(true), active: false }]), 'fixed tracked', 'a branch that is gone');
  assert.equal(statusOf(null, [branch(true)]), 'open branches');
  assert.equal(statusOf(null, [branch(true, false)]), 'fixed branches', 'a quiet branch says nothing');
  assert.equal(statusOf(null, []), 'fixed branches');
  assert.equal(statusOnReference('rejected', true), 'rejected');
  assert.equal(statusOnReference(null, false), 'fixed');
});

test('a denial of all versions has the weakest right and the earliest arrival of its statements', () => {
  const said = (day: number, more: Partial<VexClaim> = {}): VexClaim => ({
    ...{ status: 'not_affected', reason: null, overridesPolicy: true },
    ...{ statedAt: new Date(Date.UTC(2026, 0, day)), saidAt: new Date(Date.UTC(2026, 0, day)) },
    ...more,
  });
  const all = vexClaimOfAll([[said(3)], [said(1), said(2, { overridesPolicy: false })]]);
  assert.deepEqual(
    [all?.statedAt, all?.saidAt, all?.overridesPolicy],
    [said(3).statedAt, said(2).saidAt, false],
  );
  assert.equal(vexClaimOfAll([[said(3)], []]), null);
  assert.equal(vexClaimOfAll([[said(3)], [said(1, { status: 'affected' })]])?.status, 'affected');
});

const claim = (tool: string, more: Partial<ReporterClaim> = {}): ReporterClaim => ({
  tool,
  severity: 'unknown',
  title: `${tool}'s title`,
  fixedVersions: [],
  cvssScore: null,
  exploitable: false,
  verified: false,
  malware: false,
  history: false,
  tracked: true,
  ...more,
});

test('a fix is newer than the installed version; if none is newer, all are returned', () => {
  assert.deepEqual(fixesAbove('maven', '2.14.1', ['2.3.2', '2.12.4', '2.17.1']), ['2.17.1']);
  assert.deepEqual(fixesAbove('maven', '1.2.0', ['1.2.6', '2.0.3']), ['1.2.6', '2.0.3']);
  assert.deepEqual(fixesAbove('maven', null, ['1.2.6']), ['1.2.6']);
  assert.deepEqual(fixesAbove('maven', '3.0.0', ['1.2.6']), ['1.2.6']);
});

test('the claims give the highest severity and score, the fix that satisfies all, and a title independent of their order', () => {
  const claims = [
    claim('semgrep', { severity: 'low', cvssScore: 3 }),
    claim('grype', { severity: 'high', fixedVersions: ['2.0.0', '1.2.0'] }),
    claim('trivy', { cvssScore: 1, fixedVersions: ['1.10.0'] }),
  ];
  for (const order of [claims, [...claims].reverse()]) {
    const agreed = agree(order, 'pkg:npm/tar');
    assert.equal(agreed.severity, 'high');
    assert.equal(agreed.title, "trivy's title");
    assert.equal(agreed.fixVersion, '1.10.0');
    assert.equal(agreed.cvssScore, 3);
  }
  assert.equal(agree([claim('x', { history: true }), claim('y')], null).historyOnly, false);
  assert.throws(() => agree([], null), RangeError);
});

test('a fix that the ecosystem cannot read does not change the order of the others', () => {
  const fixOf = (...lists: string[][]) =>
    agree(
      lists.map((fixedVersions) => claim('trivy', { fixedVersions })),
      'pkg:gem/rails',
    ).fixVersion;
  assert.equal(fixOf(['5.2'], ['5.2.0.rc1']), '5.2');
  assert.equal(fixOf(['5.2'], ['5.2.0.rc1'], ['~> 5.1.4']), '5.2');
  assert.equal(fixOf(['5.2'], ['~> 5.1.4']), '5.2');
  assert.equal(fixOf(['~> 5.1.4', '6.0.0'], ['5.0.1']), '6.0.0');
  assert.equal(fixOf(['~> 5.1.4'], ['~> 5.0.9']), '~> 5.1.4');
});
