/** Tests that the samples of docs/policies.md work exactly as typed, in the workspace of the README. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { clientOf } from '../../server/test/support/client.ts';
import { importAll } from '../../server/test/support/import.ts';
import { createDirectory } from '../../server/test/support/process.ts';
import { runHere } from '../../server/test/support/run-here.ts';
import { createTestServer } from '../../server/test/support/server.ts';
import { trivyReport } from '../../server/test/support/tool-reports.ts';
import { createTestWorkspace, reportInput } from '../../server/test/support/workspace.ts';
import { main } from '../src/main.ts';

const docs = readFileSync(new URL('../../docs/policies.md', import.meta.url), 'utf8');
const server = await createTestServer();
const url = await server.app.listen({ port: 0, host: '127.0.0.1' });
const { people } = await createTestWorkspace(server, 'acme');
await importAll(server, 'acme', [
  reportInput(trivyReport({ packages: [{ id: 'CVE-2030-1', package: 'lodash', severity: 'CRITICAL' }] })),
]);
const admin = clientOf(server.app, people.admin.key);

test('every file of policies can be planned and applied', async () => {
  const samples = [...docs.matchAll(/```yaml\n(.*?)```/gs)].map(([, text = '']) => text);
  assert.ok(samples.length >= 2);
  const cwd = createDirectory();
  const env = { MERLON_URL: url, MERLON_TOKEN: people.admin.key, MERLON_WORKSPACE: 'acme' };
  for (const sample of samples) {
    writeFileSync(join(cwd, 'policies.yaml'), sample);
    for (const act of ['plan', 'apply']) {
      const { code, stderr } = await runHere(main, ['policy', act, 'policies.yaml'], { cwd, env });
      assert.equal(code, 0, `${sample}\n${stderr}`);
    }
    const again = await runHere(main, ['policy', 'plan', 'policies.yaml', '--exit-code'], { cwd, env });
    assert.equal(again.code, 0, again.stdout);
  }
});

test('every request by curl is answered', async () => {
  const { body: references } = await admin.get<{ items: { id: string }[] }>(
    '/api/v1/acme/references?repo=acme/shop',
  );
  const calls = [
    ...docs.matchAll(/^curl -X PATCH .*? -d '([^']+)' \\\n +"http:\/\/127\.0\.0\.1:8080([^"]+)"$/gm),
  ];
  assert.equal(calls.length, docs.split('\ncurl ').length - 1, 'every call is read');
  for (const [, body = '', path = ''] of calls) {
    const address = path.replace('$REFERENCE', references.items[0]?.id ?? '');
    const answer = await admin.patch(address, JSON.parse(body));
    assert.equal(answer.status, 200, `${path}: ${answer.text}`);
  }
});
