import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onlyCve, taughtNames } from './advisory-names.ts';

test('the only CVE of the ids counts in any case, and two CVEs are none', () => {
  assert.equal(onlyCve(['GO-2031-0001', 'cve-2031-0001', 'CVE-2031-0001']), 'CVE-2031-0001');
  assert.equal(onlyCve(['CVE-2031-0001', 'CVE-2031-0002']), undefined);
  assert.equal(onlyCve(['GO-2031-0001']), undefined);
});

// Each row by itself would need 25,000,000,000 comparisons, which take longer than the time limit of a test file.
test('rows that share a long list of ids read it once', () => {
  const advisories = ['CVE-2031-0001', ...Array.from({ length: 100_000 }, (_, index) => `GO-2031-${index}`)];
  const rows = Array.from({ length: 250_000 }, () => ({ advisories }));
  assert.ok(rows.every((row) => onlyCve(row.advisories) === 'CVE-2031-0001'));
  assert.equal(taughtNames(rows).length, 100_000);
  const [name] = taughtNames([...rows, { advisories: ['CVE-2031-0002', 'GO-2031-0'] }]);
  assert.deepEqual(name, { alias: 'GO-2031-0', advisory: null }, 'another row names another CVE');
});
