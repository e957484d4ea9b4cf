/**
 * Tests of changed reports through the upload, the worker and the database: nothing fails, and no unchanged finding is
 * closed.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestServer } from '../support/server.ts';
import { createTestWorkspace } from '../support/workspace.ts';
import { runParts } from './run-parts.ts';
import { reportsOf } from './service-fuzz.ts';

test('a changed row closes no other row, and every scan ends', async (t) => {
  const { rows, total } = await runParts(t, 'service', 3);
  assert.ok(total.found > 0.6 * total.inputs, 'most changed reports are imported');
  assert.ok(
    rows.every(({ inputs }) => inputs > 0),
    'every format has rows that can be changed',
  );
});

test('a line number that no column can store is dropped, and the rest of its report is imported', async () => {
  const server = await createTestServer();
  const workspace = await createTestWorkspace(server, 'acme');
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
