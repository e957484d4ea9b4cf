/**
 * Tests of real reports of further formats, if the samples are beside the checkout: a second import of each, with its
 * rows in another order, finds nothing new, reopened or fixed.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseReport } from '../../src/parsers/parse-report.ts';
import { createTestDatabase } from '../support/database.ts';
import { byForm } from '../support/form.ts';
import { importAll } from '../support/import.ts';
import { assertInvariants } from '../support/invariants.ts';
import { shuffledReport } from '../support/shuffle.ts';
import { createTestWorkspace, reportInput } from '../support/workspace.ts';

const root = new URL('../../../../shared/samples-more/', import.meta.url);
const skip = existsSync(root) ? false : 'no ../shared/samples-more beside this checkout';

const every = byForm({ short: 5, ci: 1, full: 1 });

interface Sample {
  /** Folder and file. */
  name: string;
  bytes: Buffer;
}

function isRead(bytes: Buffer): boolean {
  try {
    parseReport(bytes);
    return true;
  } catch {
    // The test of the parsers lists the files that are refused.
    return false;
  }
}

function listSamples(): Sample[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.includes('/'))
    .sort()
    .map((name) => ({ name, bytes: readFileSync(new URL(name, root)) }))
    .filter(({ bytes }) => isRead(bytes));
}

test('a second import of each report, in another order, changes nothing', { skip }, async () => {
  const database = await createTestDatabase();
  await createTestWorkspace(database, 'acme');
  const all = listSamples();
  assert.ok(all.length > 70, `only ${all.length} are read`);
  const samples = all.filter((_, i) => i % every === 0);
  const importSamples = (bytesOf: (sample: Sample) => Buffer) =>
    importAll(
      database,
      'acme',
      samples.map((sample) =>
        reportInput('', { repository: `acme/${sample.name}`, report: bytesOf(sample) }),
      ),
    );
  const first = await importSamples(({ bytes }) => bytes);
  const second = await importSamples(({ bytes }) => shuffledReport(bytes));
  for (const [index, scan] of second.entries()) {
    const { name = '' } = samples[index] ?? {};
    const before = first[index]?.counts;
    assert.deepEqual([first[index]?.error, scan.error], [null, null], name);
    const unchanged = (before?.new ?? 0) + (before?.unchanged ?? 0);
    assert.deepEqual(scan.counts, { ...before, new: 0, unchanged, reopened: 0, fixed: 0 }, name);
  }
  await assertInvariants(database.owner);
});
