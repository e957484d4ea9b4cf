/** Tests of `merlond doctor isolation` as a process of its own: a live install without a leak. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDoctorInstall } from '../support/doctor-install.ts';
import { exitOf, start } from '../support/process.ts';

const { settings, everything, untilCanaries } = await createDoctorInstall();
const before = await everything();

test('the workspaces of a killed run are removed by the next run, which finds no leak and removes nothing else', async () => {
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
