import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readContent, readFixture, recognises, unreadableIn } from '../../../test/support/format-reports.ts';
import { processorMs } from '../../../test/support/processor-time.ts';
import { type Report, ReportError } from '../report.ts';
import { csaf } from './csaf.ts';

function rows(report: Report): unknown[] {
  return report.statements.map(({ pointer, advisories, status, reason, package: named }) => [
    pointer.replace('/vulnerabilities', ''),
    advisories.join('='),
    status,
    reason,
    named === null ? null : `${named.purl} ${named.version}`,
  ]);
}

function document(content: object): object {
  return { document: { category: 'csaf_base', csaf_version: '2.0' }, ...content };
}

function product(id: string, purl?: string): object {
  const helper = purl === undefined ? {} : { product_identification_helper: { purl } };
  return { product_id: id, name: id, ...helper };
}

test('each product with a package gives a statement, and no other product does', () => {
  const report = readFixture(csaf, 'vex-2.0.json');
  assert.deepEqual(report.statements[0], {
    pointer: '/vulnerabilities/0/product_status/fixed/0',
    advisories: ['CVE-2031-0001', 'GHSA-2222-3333-4444'],
    status: 'fixed',
    reason: 'vendor_fix: Update the hose.',
    package: { purl: 'pkg:rpm/shed/hose', name: 'hose', version: '1:2.0-1.sl9' },
    at: '2031-02-03T04:00:00.000Z',
  });
  assert.deepEqual(rows(report).slice(1), [
    [
      '/0/product_status/known_not_affected/0',
      'CVE-2031-0001=GHSA-2222-3333-4444',
      'not_affected',
      'vulnerable_code_not_present: The rake has no hose.',
      'pkg:pypi/rake-tool 0.9',
    ],
    [
      '/1/product_status/under_investigation/0',
      'GW-77',
      'under_investigation',
      null,
      'pkg:rpm/shed/hose null',
    ],
  ]);
  assert.deepEqual([report.read, report.runs, report.unreadable], [8, [], []]);
  assert.equal(report.warnings.length, 5);
  for (const expected of [
    /^Statements that no version of a package is affected were left out/,
    /^Products that are only recommended/,
    /^1 of 8 statements are about products without a package URL/,
    /^1 of 8 statements are about images/,
    /^1 of 8 statements are about ranges of versions/,
  ]) {
    assert.ok(
      report.warnings.some((warning) => expected.test(warning)),
      String(expected),
    );
  }
});

test('version 2.1 has several package URLs for a product, and paths in place of relationships', () => {
  const report = readFixture(csaf, 'advisory-2.1.json');
  const pointer = '/0/product_status/first_affected/0';
  assert.deepEqual(rows(report), [
    [pointer, 'CVE-2031-0009', 'affected', null, 'pkg:npm/spade 3.1'],
    [pointer, 'CVE-2031-0009', 'affected', null, 'pkg:deb/debian/node-spade 3.1-1'],
  ]);
  assert.deepEqual([report.read, report.statements[0]?.at], [2, '2031-03-01T00:00:00.000Z']);
});

test('a range over all versions and a package without a dispute keep their statement', () => {
  const report = readContent(
    csaf,
    document({
      product_tree: {
        branches: [
          { category: 'product_version_range', name: 'vers:npm/*', product: product('a', 'pkg:npm/rake') },
          { category: 'product_version', name: '389-rake', product: product('b', 'pkg:rpm/shed/389-rake') },
        ],
      },
      vulnerabilities: [{ cve: 'CVE-2031-1', product_status: { known_not_affected: ['a', 'b'] } }],
    }),
  );
  assert.deepEqual(
    report.statements.map(({ package: named }) => [named?.purl, named?.version]),
    [
      ['pkg:npm/rake', null],
      ['pkg:rpm/shed/389-rake', null],
    ],
  );
});

test('bad rows are unreadable, and the others are read', () => {
  const report = readContent(
    csaf,
    document({
      product_tree: { full_product_names: [null, product('a', 'pkg:npm/rake@1'), { name: 'nothing' }] },
      vulnerabilities: [
        null,
        { title: 'Without an id', product_status: { known_affected: ['a'] } },
        { cve: 'CVE-2031-1', product_status: { fixed: ['b', null, 'a'], 'a/b': 1 } },
        { cve: 'CVE-2031-2' },
        { ids: [{ text: 'GW-1', product_ids: ['a'] }], product_status: { fixed: ['a'] } },
      ],
    }),
  );
  assert.deepEqual(unreadableIn(report), [
    '/vulnerabilities/0',
    '/vulnerabilities/2/product_status/fixed/1',
    '/vulnerabilities/2/product_status/fixed/0',
  ]);
  assert.deepEqual([report.read, report.statements.length], [6, 1]);
  assert.deepEqual(report.warnings, [
    'Vulnerabilities without a status of any product were ignored.',
    '2 of 6 statements are about vulnerabilities without an id, which cannot be matched, so they were ignored.',
  ]);
});

test('other versions are recognised and refused', () => {
  const old = { document: { csaf_version: '1.2' }, vulnerabilities: [] };
  assert.ok(recognises(csaf, old));
  assert.throws(
    () => readContent(csaf, old),
    (error) => error instanceof ReportError && error.pointer === '/document/csaf_version',
  );
  assert.ok(!recognises(csaf, { document: { title: 'A deed' }, vulnerabilities: [] }));
});

test('time and memory grow linearly with products, chains of components, groups and texts', () => {
  const count = 40_000;
  const ids = Array.from({ length: count }, (_, index) => `P${index}`);
  const groups = Array.from({ length: 2000 }, (_, index) => `G${index}`);
  const report = (): Report =>
    readContent(
      csaf,
      document({
        product_tree: {
          full_product_names: [product('P0', 'pkg:npm/rake@1'), product('ring')],
          relationships: [
            ...ids
              .slice(1)
              .map((id, index) => ({ full_product_name: product(id), product_reference: ids[index] })),
            { full_product_name: product('circle'), product_reference: 'circle' },
          ].reverse(),
          product_groups: groups.map((group_id) => ({ group_id, product_ids: ['P1'] })),
        },
        vulnerabilities: [
          {
            cve: 'CVE-2031-1',
            product_status: { known_affected: [...ids, 'circle'] },
            remediations: [
              { details: 'Dig. '.repeat(100_000), product_ids: ids },
              ...groups.map((group) => ({ details: group, group_ids: [group] })),
            ],
          },
          ...groups.map((_, index) => ({ cve: `CVE-2031-${index}`, product_status: { fixed: ['P1'] } })),
        ],
      }),
    );
  const started = processorMs();
  const { statements, warnings } = report();
  assert.ok(processorMs() - started < 5000, `it takes ${processorMs() - started} ms`);
  assert.equal(statements.length, count + groups.length);
  assert.equal(statements[7]?.reason?.length, 2000);
  assert.match(warnings.join(), /^1 of/);
});
