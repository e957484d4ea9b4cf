/** Tests of CISA's catalogue: it is read completely, or refused with the path. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseKev } from './kev.ts';

type Json = Record<string, unknown>;

function entry(cveID: string, more: Json = {}): Json {
  return {
    cveID,
    vendorProject: 'Acme',
    product: 'Shop',
    vulnerabilityName: 'Acme Shop Injection',
    dateAdded: '2026-01-02',
    dueDate: '2026-01-23',
    knownRansomwareCampaignUse: 'Unknown',
    ...more,
  };
}

function catalogue(vulnerabilities: unknown[], more: Json = {}): string {
  const head = { catalogVersion: '2026.01.02', dateReleased: '2026-01-02T17:00:00.1234Z' };
  return JSON.stringify({ ...head, count: vulnerabilities.length, vulnerabilities, ...more });
}

test('a catalogue gives version, time and entries', () => {
  const kev = parseKev(
    `\uFEFF${catalogue([
      entry('CVE-2026-1234', { knownRansomwareCampaignUse: 'Known' }),
      entry('CVE-2026-12345678', { dueDate: '' }),
      entry('CVE-2026-1235', { knownRansomwareCampaignUse: 'known' }),
    ])}`,
  );
  assert.deepEqual(
    [kev.version, kev.publishedAt.toISOString(), kev.entries.length],
    ['2026.01.02', '2026-01-02T17:00:00.123Z', 3],
  );
  assert.deepEqual(kev.entries[0], {
    cve: 'CVE-2026-1234',
    addedOn: '2026-01-02',
    dueOn: '2026-01-23',
    vendor: 'Acme',
    product: 'Shop',
    name: 'Acme Shop Injection',
    ransomware: true,
  });
  assert.deepEqual([kev.entries[1]?.dueOn, kev.entries[1]?.ransomware], [null, false]);
  assert.equal(kev.entries[2]?.ransomware, true);
});

test('characters that no column can store are removed from texts', () => {
  const [first] = parseKev(
    catalogue([entry('CVE-2026-1234', { vulnerabilityName: 'a\ud800b\0', product: '💥' })]),
  ).entries;
  assert.deepEqual([first?.name, first?.product], ['a\ufffdb', '💥']);
  assert.equal(
    parseKev(catalogue([entry('CVE-2026-1234')], { catalogVersion: '1\udc00\0' })).version,
    '1\ufffd',
  );
});

test('an invalid file is refused with the path', () => {
  const cases: [string, RegExp][] = [
    ['', /not JSON/],
    ['{"vulnerabilities": [', /not JSON/],
    ['[]', /not an object/],
    ['null', /not an object/],
    ['{"Results": []}', /lacks "catalogVersion"/],
    ['cveID,vendorProject,product\n', /it is the CSV/],
    [catalogue([], { dateReleased: 'soon' }), /^The value at \/dateReleased/],
    [catalogue([], { dateReleased: undefined }), /^The value at \/dateReleased/],
    [
      catalogue([], { dateReleased: '0000-01-02T00:00:00Z' }),
      /^The value at \/dateReleased is wrong\. It must be a time from 1999 on/,
    ],
    [
      catalogue([entry('CVE-2026-1234')], { count: 2 }),
      /^The value at \/count is wrong\. It must be the number of entries, 1\./,
    ],
    [catalogue([entry('CVE-2026-1234')], { count: undefined }), /^The value at \/count is wrong/],
    [
      catalogue([entry('CVE-2026-1234'), null]),
      /^The value at \/vulnerabilities\/1 is wrong\. It must be an object/,
    ],
    [catalogue([entry('GHSA-aaaa-bbbb-cccc')]), /^The value at \/vulnerabilities\/0\/cveID/],
    [catalogue([entry('CVE-2026-1', {})]), /^The value at \/vulnerabilities\/0\/cveID/],
    [
      catalogue([entry('CVE-2026-1234'), entry('CVE-2026-1234')]),
      /^The value at \/vulnerabilities\/1\/cveID is wrong\. The entry \/vulnerabilities\/0 has CVE-2026-1234 too/,
    ],
    [
      catalogue([entry('CVE-2026-1234', { dateAdded: '2026-02-30' })]),
      /^The value at \/vulnerabilities\/0\/dateAdded is wrong\. It must be a date/,
    ],
    [
      catalogue([entry('CVE-2026-1234', { dateAdded: '0000-01-01' })]),
      /^The value at \/vulnerabilities\/0\/dateAdded is wrong\. It must be a date from 1999 on/,
    ],
    [
      catalogue([entry('CVE-2026-1234', { dueDate: '1998-12-31' })]),
      /^The value at \/vulnerabilities\/0\/dueDate/,
    ],
    [
      catalogue([entry('CVE-2026-1234', { dueDate: '1/2/2026' })]),
      /^The value at \/vulnerabilities\/0\/dueDate/,
    ],
    [
      catalogue([entry('CVE-2026-1234', { product: 7 })]),
      /^The value at \/vulnerabilities\/0\/product is wrong\. It must be text/,
    ],
    [
      catalogue([entry('CVE-2026-1234', { knownRansomwareCampaignUse: undefined })]),
      /^The value at \/vulnerabilities\/0\/knownRansomwareCampaignUse is wrong\. It must be text/,
    ],
    [
      catalogue([entry('CVE-2026-1234', { knownRansomwareCampaignUse: 'Yes' })]),
      /^The value at \/vulnerabilities\/0\/knownRansomwareCampaignUse is wrong\. It must be Known or Unknown/,
    ],
  ];
  for (const [text, message] of cases) {
    assert.throws(
      () => parseKev(text),
      { name: 'DomainError', code: 'VALIDATION_FAILED', message },
      text.slice(0, 200),
    );
  }
});
