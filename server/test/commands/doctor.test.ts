/** `merlond doctor isolation` as a process of its own, on a database where another workspace lives. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { importAll } from '../support/import.ts';
import { exitOf, merlond, start } from '../support/process.ts';
import { trivy } from '../support/reports.ts';
import { createTestServer } from '../support/server.ts';
import { nodeSettings } from '../support/serving.ts';
import { createTestWorkspace, reportInput } from '../support/workspace.ts';

const server = await createTestServer();
await createTestWorkspace(server, 'acme');
// Looks like one of the self-test's own, but for the mark.
await createTestWorkspace(server, 'doctor-0123456789ab-home');
for (const slug of ['acme', 'doctor-0123456789ab-home']) {
  const report = trivy([{ id: 'CVE-2030-1001', name: 'lodash', version: '1.0.0' }]);
  await importAll(server, slug, [reportInput(report)]);
}
const settings = { ...nodeSettings(server), MERLON_DATABASE_OWNER_URL: server.ownerUrl };

/** Every row of every table, those of the queue's jobs too. */
async function everything(): Promise<unknown> {
  const { rows: tables } = await server.owner.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and (n.nspname = 'public' or c.relname = 'job') order by 1`,
  );
  const counts = [];
  for (const { name } of tables) {
    const { rows } = await server.owner.query(
      `select count(*) as n, coalesce(sum(hashtextextended(t::text, 0)), 0) as digest from ${name} t`,
    );
    counts.push([name, rows[0]]);
  }
  return counts;
}

async function untilCanaries(): Promise<void> {
  for (let i = 0; i < 600; i++) {
    const { rows } = await server.owner.query(
      `select from scan s join tenant t on t.id = s.tenant_id and t.canary`,
    );
    if (rows.length > 2) return;
    await sleep(100);
  }
  assert.fail('no canary workspace was filled');
}

const before = await everything();

test('a run that is killed leaves its workspaces to the next one, which finds no leak and removes all, and nothing else', async () => {
  const killed = start(['doctor', 'isolation'], settings);
  await untilCanaries();
  killed.kill('SIGKILL');
  await exitOf(killed);
  assert.notDeepEqual(await everything(), before);

  const child = start(['doctor', 'isolation', '--json'], settings);
  let printed = '';
  child.stdout?.on('data', (chunk) => {
    printed += String(chunk);
  });
  let said = '';
  child.stderr?.on('data', (chunk) => {
    said += String(chunk);
  });
  assert.equal(await exitOf(child), 0, `${printed}${said}`);
  assert.match(said, /removed doctor-[0-9a-f]{12}-home, left by a run that was killed/);
  const { steps, findings } = JSON.parse(printed) as { steps: number; findings: unknown[] };
  assert.deepEqual(findings, []);
  assert.ok(steps > 300, `only ${steps} steps`);
  assert.deepEqual(await everything(), before);
});

test('a server that forgets to ask for membership is told: which route, by what, and what came back; the exit code is 6', async () => {
  const plant = new URL('../mutations/plant.ts', import.meta.url).href;
  const check = `globalThis.plantedCheck = 'membership is not asked for';`;
  const leaking = {
    ...settings,
    NODE_OPTIONS: `--import ${plant} --import data:text/javascript,${encodeURIComponent(check)}`,
  };
  const { code, stderr } = await merlond(['doctor', 'isolation'], leaking);
  assert.equal(code, 6, stderr);
  assert.match(
    stderr,
    /^leak: GET \/api\/v1\/:tenant_slug\/vulnerabilities · of another workspace: GET .* → 200 instead of 403/m,
  );
  assert.deepEqual(await everything(), before);
});

test('a run that is interrupted removes its workspaces and exits with 3', async () => {
  const child = start(['doctor', 'isolation'], settings);
  await untilCanaries();
  child.kill('SIGTERM');
  assert.equal(await exitOf(child), 3);
  assert.deepEqual(await everything(), before);
});

test('without the owner of the database it is refused with 2 and makes nothing', async () => {
  const child = start(['doctor', 'isolation'], nodeSettings(server));
  assert.equal(await exitOf(child), 2);
  assert.deepEqual(await everything(), before);
});
