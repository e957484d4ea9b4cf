/**
 * Tests of several statements about one package: no document denies what it also calls affected, and CSAF has the
 * worst.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csafVex } from './csaf.ts';
import { openVex } from './openvex.ts';
import { type Statement, statementOf, withoutContradictions } from './vex-document.ts';
import type { VexRow } from './vex-store.ts';

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
    remedy: status === 'affected' ? 'none_available' : null,
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

test('a statement of several CVEs has no other names, and its ids are not read once for each of them', () => {
  let reads = 0;
  const aliasesOf = (ids: string[]): string[] => {
    const row = {
      ...{
        packed_state: 0,
        advisory: 'GHSA-1',
        purls: ['pkg:npm/rake@1'],
        full_name: 'acme/shop',
        source: 'manual',
      },
      get identifiers() {
        reads++;
        return ids;
      },
    };
    return statementOf(row as object as VexRow).aliases;
  };
  assert.deepEqual(aliasesOf(['CVE-1', 'GHSA-2']), ['CVE-1', 'GHSA-2']);
  assert.deepEqual(aliasesOf(['CVE-1', 'CVE-2', 'GHSA-2']), []);
  reads = 0;
  aliasesOf(Array.from({ length: 500 }, (_, index) => `CVE-${index}`));
  assert.ok(reads < 5, `${reads} reads`);
});

test('OpenVEX has equal statements once', () => {
  const one = statement('affected', ['CVE-1'], ['pkg:npm/rake@1']);
  const other = statement('affected', ['CVE-2'], ['pkg:npm/rake@1']);
  const fields = {
    id: 'd',
    title: 't',
    author: 'a',
    namespace: 'https://a.example',
    at: new Date(0),
    version: 1,
  };
  const { statements } = openVex({ ...fields, statements: [one, other, { ...one }] }) as {
    statements: object[];
  };
  assert.equal(statements.length, 2);
});

test('CSAF calls a package affected that another statement about it has under investigation', () => {
  const parts = ['pkg:npm/rake@1'];
  const statements = [
    statement('under_investigation', ['CVE-1'], [...parts, 'pkg:npm/hoe@1']),
    statement('affected', ['CVE-1'], parts),
  ];
  for (const order of [statements, statements.toReversed()]) {
    const at = new Date(0);
    const document = { id: 'd', title: 't', author: 'a', namespace: 'https://a.example', at, version: 1 };
    const { product_tree: tree, vulnerabilities } = csafVex({ ...document, statements: order }) as {
      product_tree: { relationships: { full_product_name: { product_id: string; name: string } }[] };
      vulnerabilities: {
        product_status: Record<string, string[]>;
        remediations: { product_ids: string[] }[];
      }[];
    };
    const names = new Map(
      tree.relationships.map(({ full_product_name: { product_id: id, name } }) => [id, name]),
    );
    const namesOf = (ids: string[] | undefined) => ids?.map((id) => names.get(id));
    const [item] = vulnerabilities;
    assert.deepEqual(namesOf(item?.product_status.known_affected), ['pkg:npm/rake@1 in acme/shop']);
    assert.deepEqual(namesOf(item?.product_status.under_investigation), ['pkg:npm/hoe@1 in acme/shop']);
    assert.deepEqual(
      item?.remediations.map(({ product_ids: ids }) => namesOf(ids)),
      [['pkg:npm/rake@1 in acme/shop']],
    );
  }
});
