import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldOf, fieldsOf } from '../../test/support/fields.ts';
import { readContent, readFixture, recognises, unreadableIn } from '../../test/support/format-reports.ts';
import { openvex } from './openvex.ts';
import { productKey } from './reading/text.ts';
import { type Report, ReportError } from './report.ts';

function document(statements: unknown): object {
  return { '@context': 'https://openvex.dev/ns/v0.2.0', author: 'Gardener', statements };
}

function rows(report: Report): unknown[] {
  return report.statements.map(({ pointer, advisories, status, reason, package: named, at }) => [
    pointer.replace('/statements', ''),
    advisories.join('='),
    status,
    reason,
    named === null ? null : `${named.purl} ${named.version}`,
    at?.slice(0, 10),
  ]);
}

test('each product or subcomponent of a statement gives one statement', () => {
  const report = readFixture(openvex, 'garden-0.2.0.json');
  const reason = 'vulnerable_code_not_in_execute_path: The hose is never opened.';
  const names = 'GO-2030-0001=CVE-2030-0300=GHSA-2222-3333-4444';
  assert.deepEqual(rows(report), [
    [
      '/0/products/0/subcomponents/0',
      names,
      'not_affected',
      reason,
      'pkg:golang/garden.example/hose 1.2.3',
      '2030-01-03',
    ],
    [
      '/0/products/0/subcomponents/1',
      names,
      'not_affected',
      reason,
      'pkg:npm/%40tools/spade null',
      '2030-01-03',
    ],
    ['/1/products/0', 'CVE-2030-0301', 'under_investigation', null, null, '2030-01-04'],
    ['/1/products/1', 'CVE-2030-0301', 'under_investigation', null, 'pkg:pypi/rake-tool 0.9', '2030-01-04'],
    ['/2', 'CVE-2030-0302', 'fixed', null, null, '2030-01-04'],
  ]);
  assert.deepEqual([report.read, report.runs, report.unreadable, report.warnings], [3, [], [], []]);
});

test('the first version names vulnerabilities and products by text alone', () => {
  const report = readFixture(openvex, 'garden-0.0.1.json');
  assert.deepEqual(rows(report), [
    ['/0/products/0', 'CVE-2030-0301', 'affected', 'Use a spade.', 'pkg:pypi/rake-tool 0.9', '2030-01-01'],
    [
      '/1/subcomponents/0',
      'CVE-2030-0300',
      'not_affected',
      'Checked by hand.',
      'pkg:golang/garden.example/hose 1.2.3',
      '2030-01-01',
    ],
    [
      '/1/subcomponents/0',
      'CVE-2030-0300',
      'not_affected',
      'Checked by hand.',
      'pkg:golang/garden.example/hose 1.2.3',
      '2030-01-01',
    ],
  ]);
  assert.deepEqual(
    fieldOf(report.statements, 'product'),
    ['pkg:pypi/rake-tool@0.9', 'pkg:oci/shed', 'https://garden.example/shed'].map(productKey),
    'the parts belong to each product',
  );
  assert.equal(report.read, 2);
  assert.match(report.warnings.join(), /were left out/);
});

test('a statement about unknown subcomponents does not cover the whole product', () => {
  const report = readContent(
    openvex,
    document([
      {
        vulnerability: 'CVE-1',
        status: 'not_affected',
        products: [{ '@id': 'pkg:oci/shed', subcomponents: [{ '@id': 'hinge' }, null] }],
      },
      { vulnerability: 'CVE-2', status: 'not_affected', products: ['https://garden.example/shed'] },
    ]),
  );
  assert.deepEqual(unreadableIn(report), ['/statements/0']);
  assert.deepEqual(fieldsOf(report.statements, 'advisories', 'package'), [[['CVE-2'], null]]);
  assert.equal(report.warnings.length, 2);
});

test('a denial about a product without a name, or with a CPE, a digest or an invalid package URL only, is left out', () => {
  const cpe = 'cpe:2.3:a:garden:rake:1.0:*:*:*:*:*:*:*';
  const products = [
    { '@id': 'https://garden.example/rake', identifiers: { cpe23: cpe } },
    { identifiers: { cpe22: 'cpe:/a:garden:rake:1.0' } },
    { '@id': cpe },
    { '@id': 'rake', hashes: { 'sha-256': 'abc' } },
    { '@id': 'pkg:npm/' },
    'pkg:npm',
    {},
    null,
  ];
  const whole = ['https://garden.example/shed', { '@id': 'pkg:oci/shed', hashes: { 'sha-256': 'abc' } }];
  const read = (status: string, listed: unknown[]): Report =>
    readContent(openvex, document([{ vulnerability: 'CVE-1', status, products: listed }]));
  for (const product of products) {
    const denial = read('not_affected', [product]);
    assert.deepEqual([denial.statements, unreadableIn(denial)], [[], ['/statements/0']]);
    assert.match(denial.warnings.join(), /were left out/);
    for (const status of ['affected', 'fixed', 'under_investigation']) {
      assert.deepEqual(fieldOf(read(status, [product]).statements, 'package'), [null]);
    }
  }
  for (const product of whole) {
    assert.deepEqual(fieldOf(read('not_affected', [product]).statements, 'package'), [null]);
  }
  const mixed = read('not_affected', [...products, 'pkg:npm/spade@1.0.0']);
  assert.deepEqual(rows(mixed), [
    ['/0/products/8', 'CVE-1', 'not_affected', null, 'pkg:npm/spade 1.0.0', undefined],
  ]);
});

test('a statement whose products or parts are no list is unreadable, and does not cover the whole repository', () => {
  const purl = 'pkg:npm/spade@1.0.0';
  const part = { '@id': purl };
  const products = [{ '@id': 'pkg:oci/shed' }];
  const wrong = [
    { products: purl },
    { products: part },
    { products: [{ '@id': 'pkg:oci/shed', subcomponents: part }] },
    { products: [{ '@id': 'pkg:oci/shed', subcomponents: purl }] },
    { products, subcomponents: part },
    { subcomponents: part },
  ];
  const right = [{ products: null }, { products: [{ ...products[0], subcomponents: null }] }];
  for (const status of ['not_affected', 'affected']) {
    const rowsOf = (named: object[]): object[] =>
      named.map((each) => ({ vulnerability: 'CVE-1', status, ...each }));
    const report = readContent(openvex, document(rowsOf([...wrong, ...right])));
    assert.deepEqual(
      unreadableIn(report),
      wrong.map((_, index) => `/statements/${index}`),
    );
    assert.deepEqual(fieldOf(report.statements, 'package'), [null, null]);
  }
});

test('bad rows are unreadable, and the others are read', () => {
  const report = readContent(
    openvex,
    document([
      null,
      { status: 'fixed' },
      { vulnerability: { name: '' }, status: 'fixed' },
      { vulnerability: 'CVE-1', status: 'exploded' },
      { vulnerability: 'CVE-1' },
      { vulnerability: { name: 'CVE-2', aliases: null }, status: 'fixed', products: null },
    ]),
  );
  assert.equal(report.read, 6);
  assert.deepEqual(
    unreadableIn(report),
    [0, 1, 2, 3, 4].map((index) => `/statements/${index}`),
  );
  assert.equal(report.statements.length, 1);
  assert.equal(readContent(openvex, document(null)).read, 0);
});

test('only OpenVEX is recognised', () => {
  assert.ok(recognises(openvex, document([])));
  assert.ok(recognises(openvex, { '@context': ['https://openvex.dev/ns/v0.2.0'] }));
  for (const context of ['https://openvex.dev/nsx', 'https://spdx.org/rdf/3.0.1/spdx-context.jsonld', null]) {
    assert.ok(!recognises(openvex, { '@context': context, statements: [] }));
  }
});

test('a statement about many products, or about parts of each of them, counts against the limit', () => {
  const many = (length: number) => Array.from({ length }, () => 'pkg:npm/spade');
  for (const subjects of [{ products: many(250_001) }, { products: many(501), subcomponents: many(501) }]) {
    assert.throws(
      () => readContent(openvex, document([{ vulnerability: 'CVE-1', status: 'fixed', ...subjects }])),
      (error) => error instanceof ReportError && error.code === 'LIMIT_EXCEEDED',
    );
  }
});
