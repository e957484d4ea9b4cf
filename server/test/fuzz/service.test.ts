/** Changed reports through the upload, the worker and the database: nothing breaks, and nothing untouched is closed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertInvariants } from '../support/invariants.ts';
import { createTestServer } from '../support/server.ts';
import { createTestWorkspace } from '../support/workspace.ts';
import { readAllSamples, readFixtures } from './corpus.ts';
import { fuzzService, isReadable, reportsOf } from './service-fuzz.ts';

const full = process.env.TEST_FULL === '1';
const seed = process.env.TEST_SEED ?? (full ? String(Date.now()) : '20260729');
const trials = full ? 5_000 : 36;
const seconds = Number(process.env.FUZZ_SECONDS ?? 3_600);

const server = await createTestServer({ MERLON_UPLOADS_PER_MINUTE: '0' });
const workspace = await createTestWorkspace(server, 'acme');

test('a row that is changed closes no other row, and no scan stays or breaks', async (t) => {
  const samples = (full ? readAllSamples() : readFixtures()).filter(isReadable);
  const deadline = performance.now() + seconds * 1000;
  const totals = await fuzzService(server, workspace, { samples, seed, trials, deadline });
  t.diagnostic(`seed ${seed}: ${JSON.stringify(totals)}`);
  assert.ok(totals.completed > 0.6 * totals.trials, 'most changed reports are imported');
  const { rows } = await server.owner.query('select id from scan where finished_at is null');
  assert.deepEqual(rows, [], 'every scan is final');
  await assertInvariants(server.owner);
});

test('a line number that no column holds is no line, and the rest of its report is imported', async () => {
  const { upload, scan, listed } = reportsOf(server, workspace);
  const result = (rule: string, startLine: number) => ({
    ruleId: rule,
    message: { text: rule },
    locations: [{ physicalLocation: { artifactLocation: { uri: 'a.c' }, region: { startLine } } }],
  });
  const sarif = {
    version: '2.1.0',
    runs: [{ tool: { driver: { name: 'T' } }, results: [result('one', 4_294_967_297), result('two', 7)] }],
  };
  const checkov = {
    check_type: 'terraform',
    results: { failed_checks: [{ check_id: 'CKV_GDN_4', file_line_range: ['2147483648'] }] },
  };
  for (const [name, report] of Object.entries({ sarif, checkov })) {
    const taken = await upload(`lines/${name}`, JSON.stringify(report));
    const { status, error } = await scan(`lines/${name}`, taken.body.id);
    assert.deepEqual([status, error], ['completed', null]);
  }
  const open = await listed('lines/sarif', 'open');
  assert.deepEqual(open.map(({ title, location }) => [title, location.line]).sort(), [
    ['one', null],
    ['two', 7],
  ]);
});
