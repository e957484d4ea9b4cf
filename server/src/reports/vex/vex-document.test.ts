/** Tests of contradictions: a document denies no vulnerability in a package that it also calls affected. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Statement, withoutContradictions } from './vex-document.ts';

const product = { id: 'pkg:generic/acme/shop', name: 'acme/shop' };

function statement(
  status: Statement['status'],
  [advisory = '', ...aliases]: string[],
  parts: string[],
): Statement {
  return {
    advisory,
    aliases,
    title: '',
    status,
    isFalsePositive: false,
    justification: null,
    text: 'As we know.',
    at: new Date(0),
    product,
    parts,
  };
}

test('a denial goes if another statement names the same vulnerability by another id, or the package in all versions', () => {
  const rake = (version: string): string => `pkg:npm/%40tools/rake${version}`;
  const cases: [denied: [string[], string[]], open: [string[], string[]], kept: string[]][] = [
    [[['CVE-1', 'GHSA-1'], [rake('@1')]], [['GHSA-1'], [rake('@1')]], []],
    [[['GHSA-1'], [rake('@1')]], [['CVE-1', 'GHSA-1'], [rake('@1')]], []],
    [[['CVE-1', 'GHSA-1'], [rake('@1')]], [['CVE-2', 'GHSA-1'], [rake('@1')]], []],
    [[['CVE-1', 'GHSA-1'], [rake('@1')]], [['GHSA-2'], [rake('@1')]], [rake('@1')]],
    [[['CVE-1'], [rake('@1'), rake('@2')]], [['CVE-1'], [rake('@2')]], [rake('@1')]],
    [[['CVE-1'], [rake('@1')]], [['CVE-1'], [rake('')]], []],
    [[['CVE-1'], [rake('')]], [['CVE-1'], [rake('@1')]], []],
    [[['CVE-1'], [rake('')]], [['CVE-1'], [rake('')]], []],
    [[['CVE-1'], [rake('')]], [['CVE-1'], [`${rake('')}-more@1`]], [rake('')]],
  ];
  for (const [denied, open, kept] of cases) {
    const statements = [statement('not_affected', ...denied), statement('affected', ...open)];
    for (const order of [statements, statements.toReversed()]) {
      const left = withoutContradictions(order, () => product.id);
      const denials = left.filter(({ status }) => status === 'not_affected');
      assert.deepEqual(
        denials.flatMap(({ parts }) => parts),
        kept,
        JSON.stringify([denied, open]),
      );
      assert.deepEqual(left.find(({ status }) => status === 'affected')?.parts, open[1]);
    }
  }
});
