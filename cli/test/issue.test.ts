/** Tests of the commands of issues: the operator makes a tracker, and a key makes and lists issues. */
import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { after, test } from 'node:test';
import { formatId, nilId, type VulnerabilityId } from '../../server/src/domain/ids.ts';
import { syncScheduler } from '../../server/src/notifications/issues/sync-loop.ts';
import { networksOf } from '../../server/src/notifications/outbound/public-address.ts';
import { importAll } from '../../server/test/support/import.ts';
import { startTracker } from '../../server/test/support/issue-tracker-server.ts';
import { merlondHere } from '../../server/test/support/merlond-here.ts';
import { merlond } from '../../server/test/support/process.ts';
import { trivy } from '../../server/test/support/reports.ts';
import { runHere } from '../../server/test/support/run-here.ts';
import { createTestServer } from '../../server/test/support/server.ts';
import { nodeSettings } from '../../server/test/support/serving.ts';
import { createTestWorkspace, reportInput } from '../../server/test/support/workspace.ts';
import { main } from '../src/main.ts';

const server = await createTestServer();
const url = await server.app.listen({ port: 0, host: '127.0.0.1' });
const { people } = await createTestWorkspace(server, 'acme');
const settings = { ...nodeSettings(server), MERLON_WEBHOOK_NETWORKS: '127.0.0.0/8' };
const tracker = await startTracker('github');
after(() => tracker.close());

async function operator([command = '', ...more]: string[]) {
  const args = ['issue-tracker', command, ...more, '--workspace', 'acme'];
  // The token comes from the standard input, which only a process has.
  const run = await (command === 'create'
    ? merlond(args, settings, `${tracker.token}\n`)
    : merlondHere(args, settings));
  assert.equal(run.code, 0, `${args.join(' ')}\n${run.stdout}${run.stderr}`);
  return run;
}

async function merlon(args: string[], code = 0, role: 'member' | 'viewer' = 'member') {
  const env = { MERLON_URL: url, MERLON_TOKEN: people[role].key, MERLON_WORKSPACE: 'acme' };
  const run = await runHere(main, ['issue', ...args], { cwd: tmpdir(), env });
  assert.equal(run.code, code, `${args.join(' ')}\n${run.stdout}${run.stderr}`);
  return run;
}

test('the operator makes a tracker, and a key of a member makes an issue and lists it', async () => {
  await importAll(server, 'acme', [
    reportInput(trivy([{ id: 'CVE-2037-1', name: 'alpha', version: '1.0.0' }])),
  ]);
  const { rows } = await server.owner.query<{ id: VulnerabilityId }>('select id from vulnerability');
  const vulnerability = formatId('vulnerability', rows[0]?.id ?? nilId);
  const where = ['--kind', 'github', '--project', 'acme/shop', '--url', tracker.url];
  await operator(['create', '--name', 'Shop team', ...where]);
  const [{ id }] = JSON.parse((await operator(['list', '--json'])).stdout);
  assert.match((await operator(['list'])).stdout, /Shop team +github +acme\/shop +enabled +0 +0 +0/);

  const issue = [vulnerability, '--tracker', 'Shop team'];
  assert.match((await merlon(['create', ...issue])).stdout, /made within seconds/);
  assert.match((await merlon(['list', vulnerability])).stdout, /Shop team +- +waiting +1 of 1/);
  const post = { allowed: networksOf(['127.0.0.0/8']), usesSystemNames: true };
  const { db, secret } = server;
  const scheduler = syncScheduler({
    db,
    secret,
    post,
    publicUrl: null,
    now: () => new Date(),
    failed: assert.fail,
  });
  await scheduler.poll();
  await scheduler.idle();
  assert.match(
    (await merlon(['list', vulnerability], 0, 'viewer')).stdout,
    /Shop team +1 +open +1 of 1 +http/,
  );
  await merlon(['create', vulnerability, '--tracker', id], 3);
  assert.match((await merlon(['create', ...issue], 3)).stderr, /has an issue in this tracker already \(http/);
  assert.match(
    (await merlon(['create', vulnerability, '--tracker', 'Other'], 2)).stderr,
    /The --tracker must be one in .*: there is none\./,
  );
  await merlon(['create', vulnerability, '--tracker', id], 3, 'viewer');

  assert.match((await operator(['disable', '--all'])).stderr, /is disabled/);
  assert.match((await operator(['enable', id])).stderr, /is enabled/);
  await operator(['delete', id]);
  const again = await merlondHere(['issue-tracker', 'delete', id, '--workspace', 'acme'], settings);
  assert.equal(again.code, 3);
  assert.match(again.stderr, /Nothing in the workspace has this id: the command "list" shows the ids\./);
  assert.deepEqual(JSON.parse((await operator(['list', '--json'])).stdout), []);
});
