/**
 * Tests of `merlond doctor isolation` as a process of its own: a leak, an interruption, and missing rights to delete
 * its workspaces.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDoctorInstall } from '../support/doctor-install.ts';
import { exitOf, merlond, start } from '../support/process.ts';

const { settings, settingsWithoutOwner, everything, untilCanaries } = await createDoctorInstall();
const before = await everything();

test('a server without the membership check is reported with route, request and leaked data, and exit code 6', async () => {
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

test('an interrupted run removes its workspaces and exits with 3', async () => {
  const child = start(['doctor', 'isolation'], settings);
  await untilCanaries();
  child.kill('SIGTERM');
  assert.equal(await exitOf(child), 3);
  assert.deepEqual(await everything(), before);
});

test('without the owner of the database it is refused with exit code 2 and makes nothing', async () => {
  const child = start(['doctor', 'isolation'], settingsWithoutOwner);
  assert.equal(await exitOf(child), 2);
  assert.deepEqual(await everything(), before);
});
