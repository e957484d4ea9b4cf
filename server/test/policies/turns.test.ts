/** Tests of turns: the worker evaluates the policies of one workspace after the other, whatever one of them does. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { applyInventory } from '../../src/actions/inventory-file/apply.ts';
import { tenantTx } from '../../src/db/database.ts';
import { startWorker } from '../../src/worker.ts';
import { type Client, clientOf } from '../support/client.ts';
import { createTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { createTestWorkspace } from '../support/workspace.ts';

const server = await createTestServer();
const greedy = await createTestWorkspace(server, 'greedy');
const quiet = await createTestWorkspace(server, 'quiet');

async function change(client: Client, slug: string, days: number): Promise<void> {
  const answer = await client.put(`/manage/v1/${slug}/policies/changing`, {
    target_type: 'vulnerability',
    enforcement_mode: 'warn',
    condition: { all: [{ fact: 'age_days', operator: '>=', value: days }] },
  });
  assert.equal(answer.status, 200, answer.text);
}

test('a workspace that changes a policy all the time does not delay the policies of another', async () => {
  await tenantTx(server.db, greedy.tenant.id, (tx) =>
    applyInventory(tx, {
      organizations: [{ full_path: 'acme' }],
      // More than are evaluated between two changes.
      repositories: Array.from({ length: 200 }, (_, i) => ({ full_name: `acme/r${i}` })),
    }),
  );
  const attacker = clientOf(server.app, greedy.people.admin.key);
  const other = clientOf(server.app, quiet.people.admin.key);
  await change(attacker, 'greedy', 1);
  const worker = await startWorker(
    { db: server.db, secret: server.secret, config: { ...server.config, workers: 1 } },
    { info: () => {}, warn: () => {}, error: () => {} },
  );
  let going = true;
  const changing = (async () => {
    for (let days = 2; going; days++) {
      await change(attacker, 'greedy', days % 1000);
      await sleep(50);
    }
  })();
  try {
    await sleep(1_500);
    await change(other, 'quiet', 1);
    await until(async () => {
      const { rows } = await server.owner.query(
        'select evaluated_revision = revision as evaluated from policy where tenant_id = $1 and key = $2',
        [quiet.tenant.id, 'changing'],
      );
      return rows[0].evaluated;
    }, 'the other workspace has its turn');
  } finally {
    going = false;
    await changing;
    await worker.stop();
  }
});
