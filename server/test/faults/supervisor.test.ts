/**
 * Tests of the supervisor of `serve`, which must outlive its processes, also while it answers them or they cannot
 * start.
 */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { flagsOf } from '../../src/commands/processes/process-flags.ts';
import { importTx } from '../../src/db/database.ts';
import { newId } from '../../src/domain/ids.ts';
import { sendPolicyJob } from '../../src/jobs/queue.ts';
import { outboundRules } from '../../src/notifications/outbound/outbound-rules.ts';
import { createWebhook, withDefaults } from '../../src/notifications/webhooks/webhook-service.ts';
import { createTestDatabase } from '../support/database.ts';
import { createDirectory } from '../support/process.ts';
import { get, nodeSettings, processIds, startServing, stop } from '../support/serving.ts';
import { until } from '../support/until.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import { createTestWorkspace } from '../support/workspace.ts';

// Its end comes after the servers of the tests have stopped.
const database = await createTestDatabase();
const processes = 2;
const settings = {
  // With an embedded database the supervisor keeps the counts of limits, and the processes request them.
  MERLON_DATA_DIR: join(createDirectory(), 'data'),
  MERLON_PORT: '0',
  MERLON_LOG_LEVEL: 'info',
  MERLON_RATE_LIMIT_PER_MINUTE: '60',
  MERLON_PROCESSES: String(processes),
};

test('a process that dies while it waits for an answer of the supervisor is replaced', async (t) => {
  const server = await startServing(settings);
  t.after(() => stop(server.child));
  const untilReady = async (count: number): Promise<number[]> => {
    for (const deadline = Date.now() + 20_000; Date.now() < deadline; await sleep(50)) {
      assert.equal(server.child.exitCode, null, server.said().slice(-2_000));
      const ids = processIds(server, 'requests');
      if (ids.length >= count) return ids;
    }
    throw new Error(`not ${count} processes: ${server.said()}`);
  };
  const sendSome = () =>
    Promise.allSettled(
      Array.from({ length: 12 }, () => get(server.url, '/api/v1/acme/whoami', 'mrl_pat_nonsense')),
    );
  const [victim = 0] = await untilReady(processes);
  // The connections stay open, so that the processes get the next requests without the supervisor.
  await sendSome();
  server.child.kill('SIGSTOP');
  const sent = sendSome();
  await sleep(300);
  process.kill(victim, 'SIGKILL');
  await sleep(100);
  server.child.kill('SIGCONT');
  await sent;
  await untilReady(processes + 1);
  assert.equal((await get(server.url, '/readyz')).status, 200);
});

test('while the process for imports cannot start, another one delivers, until it can', async (t) => {
  const { db, secret } = database;
  const { tenant, people } = await createTestWorkspace(database, 'acme');
  const receiver = await startReceiver();
  const directory = createDirectory();
  const fault = join(directory, 'fault');
  writeFileSync(fault, '');
  const hook = join(directory, 'hook.mjs');
  const [importFlag] = flagsOf.imports.filter((flag) => !flagsOf.requests.includes(flag));
  writeFileSync(
    hook,
    `import { existsSync } from 'node:fs';
     if (process.execArgv.includes('${importFlag}') && existsSync('${fault}')) process.exit(1);`,
  );
  const webhookNetworks = ['127.0.0.0/8'];
  const server = await startServing({
    ...nodeSettings(database),
    MERLON_LOG_LEVEL: 'info',
    MERLON_PROCESSES: '1',
    MERLON_WEBHOOK_NETWORKS: webhookNetworks.join(),
    NODE_OPTIONS: `--import=${pathToFileURL(hook)}`,
  });
  t.after(async () => {
    await stop(server.child);
    await receiver.close();
  });
  const said = () => server.said().slice(-2_000);
  const fields = withDefaults({ name: 'Receiver', url: receiver.url });
  const rules = outboundRules({ webhookNetworks }, secret);
  const made = await importTx(db, tenant.id, (tx) =>
    createWebhook(tx, { actorId: people.admin.user.id }, fields, rules),
  );
  receiver.secret = made.secret;
  const boss = await database.queue.open();
  await importTx(db, tenant.id, (tx) => sendPolicyJob(boss, tx));
  const failures = (): number =>
    Array.from(server.said().matchAll(/"role":"imports"[^\n]*"a process has ended"/g)).length;
  await until(() => failures() >= 2, said);
  await importTx(db, tenant.id, async (tx) => {
    tx.changes.addEvent({
      type: 'key.created',
      objectId: newId<'key'>(),
      repositoryId: null,
      scanId: null,
      actorId: null,
      at: new Date(),
      data: { kind: 'workspace', name: 'CI', expires_at: null },
    });
  });
  await until(() => receiver.received.length > 0, said);
  assert.deepEqual(processIds(server, 'imports'), []);
  rmSync(fault);
  await until(() => processIds(server, 'imports').length > 0, said);
});
