/** Tests of `merlon vex` against a server. */
import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { importAll } from '../../server/test/support/import.ts';
import { trivy } from '../../server/test/support/reports.ts';
import { runHere } from '../../server/test/support/run-here.ts';
import { createTestServer } from '../../server/test/support/server.ts';
import { createTestWorkspace, reportInput } from '../../server/test/support/workspace.ts';
import { main } from '../src/main.ts';

for (const [publicUrl, isSaid] of [
  [undefined, true],
  ['https://merlon.example.com', false],
] as const) {
  test(`a server ${isSaid ? 'without' : 'with'} a public URL ${isSaid ? 'is' : 'is not'} named on standard error`, async () => {
    const server = await createTestServer(publicUrl === undefined ? {} : { MERLON_PUBLIC_URL: publicUrl });
    const url = await server.app.listen({ port: 0, host: '127.0.0.1' });
    const { people } = await createTestWorkspace(server, 'acme');
    await importAll(server, 'acme', [
      reportInput(trivy([{ id: 'CVE-2037-1', name: 'alpha', version: '1.0.0' }])),
    ]);
    const env = { MERLON_URL: url, MERLON_TOKEN: people.viewer.key, MERLON_WORKSPACE: 'acme' };
    for (const format of ['openvex', 'csaf', 'cyclonedx']) {
      const args = ['vex', '--repo', 'acme/shop', '--format', format];
      const { code, stdout, stderr } = await runHere(main, args, { cwd: tmpdir(), env });
      assert.equal(code, 0, stderr);
      assert.equal(stdout.includes('https://merlon.invalid'), isSaid);
      assert.equal(/MERLON_PUBLIC_URL is not set on the server/.test(stderr), isSaid, stderr);
    }
  });
}

test('OpenVEX of a repository without findings is refused with 3 and names the formats that have such a document', async () => {
  const server = await createTestServer();
  const url = await server.app.listen({ port: 0, host: '127.0.0.1' });
  const { people } = await createTestWorkspace(server, 'acme');
  await importAll(server, 'acme', [reportInput(trivy([]))]);
  const env = { MERLON_URL: url, MERLON_TOKEN: people.viewer.key, MERLON_WORKSPACE: 'acme' };
  const run = (format: string) =>
    runHere(main, ['vex', '--repo', 'acme/shop', '--format', format], { cwd: tmpdir(), env });
  const { code, stdout, stderr } = await run('openvex');
  assert.deepEqual([code, stdout], [3, '']);
  assert.match(stderr, /Nothing here is open or decided.* give --format csaf or cyclonedx\./);
  for (const format of ['csaf', 'cyclonedx']) assert.equal((await run(format)).code, 0, format);
});
