/**
 * Tests the image: its Dockerfile follows the rules of a hardened image, and, in `npm run test:full`, its steps make a
 * root file system that serves as its user and can write only to the volume. No container engine is needed.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { onlyInFull } from '../server/test/support/form.ts';
import { createDirectory, exitOf, untilSays } from '../server/test/support/process.ts';
import { pairsOf, readDockerfile } from './dockerfile.ts';
import { buildImageRoot, commandOf } from './image-root.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const stages = readDockerfile(join(root, 'deploy/Dockerfile'));
const last = stages.at(-1);
assert.ok(last);
const textsOf = (instruction: string): string[] =>
  last.steps.flatMap((step) => (step.instruction === instruction ? [step.text] : []));

test('the last stage has its own user by number, a health check, labels, and takes files from the build alone', () => {
  assert.equal(stages.length, 2);
  for (const { from } of stages) assert.match(from, /^node:24-[a-z]+-slim$/);
  assert.deepEqual(textsOf('USER'), ['10001:10001']);
  assert.equal(
    last.steps.findLastIndex(({ instruction }) => instruction === 'RUN') <
      last.steps.findIndex(({ instruction }) => instruction === 'USER'),
    true,
  );
  assert.deepEqual(textsOf('COPY'), [`--from=${stages[0]?.name} /image/ /`]);
  assert.match(textsOf('HEALTHCHECK').join(), /\/healthz/);
  assert.doesNotMatch(textsOf('RUN').join(), /apt-get|npm (?:ci|install)/);
  const { name, description, license, repository, ...manifest } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  const labels = pairsOf(last, 'LABEL');
  assert.equal(labels['org.opencontainers.image.licenses'], license);
  assert.equal(`git+${labels['org.opencontainers.image.source']}.git`, repository.url);
  assert.equal(`Merlon: t${labels['org.opencontainers.image.description']?.slice(1)}`, description);
  const [, documentation = ''] =
    /blob\/main\/(.*)$/.exec(labels['org.opencontainers.image.documentation'] ?? '') ?? [];
  assert.ok(manifest.version && name && existsSync(join(root, documentation)));
});

const needed = ['debootstrap', 'unshare', 'chroot'].filter(
  (program) => spawnSync('which', [program]).status !== 0,
);
const skip =
  onlyInFull ||
  (process.getuid?.() !== 0
    ? 'chroot needs root'
    : needed.length > 0 && `${needed.join(', ')} is not installed`);

test('its steps make a root that serves as its user, read-only, with the embedded PostgreSQL, and stops in order', {
  skip,
}, async (t) => {
  const directory = createDirectory();
  const image = buildImageRoot(stages, root, directory);
  for (const gone of ['npm', 'npx', 'corepack', 'yarn', 'gcc', 'make', 'git', 'python3'])
    assert.equal(spawnSync('chroot', [image, 'sh', '-c', `command -v ${gone}`]).status, 127, gone);
  const size = spawnSync('du', ['-sm', join(image, 'opt/merlon')], { encoding: 'utf8' }).stdout;
  t.diagnostic(`/opt/merlon: ${size.split('\t')[0]} MB`);
  const volume = join(directory, 'volume');
  mkdirSync(volume, { mode: 0o700 });
  chownSync(volume, 10001, 10001);
  const settings = { MERLON_HOST: '127.0.0.1', MERLON_PORT: '0' };
  const [program = '', ...args] = commandOf(last, image, volume, settings);
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  t.after(() => child.kill('SIGKILL'));
  const [, url = ''] = await untilSays(child, /answers at (\S+)/);
  assert.equal((await fetch(`${url}/healthz`)).status, 200);
  assert.equal((await fetch(`${url}/readyz`)).status, 200);
  assert.match(await (await fetch(url)).text(), /<div id="root">/);
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  assert.match(status, /^Uid:\t10001\t10001\t10001\t10001$/m);
  assert.match(readFileSync(`/proc/${child.pid}/mountinfo`, 'utf8'), / \/ ro,/);
  const port = new URL(url).port;
  const [check = '', ...checkArgs] = JSON.parse(
    textsOf('HEALTHCHECK')
      .join()
      .replace(/^.*?CMD /, ''),
  ) as string[];
  const healthy = (at: string): number | null =>
    spawnSync(check, checkArgs, { env: { PATH: process.env.PATH, MERLON_PORT: at } }).status;
  assert.equal(healthy(port), 0);
  assert.equal(healthy('1'), 1);
  const exit = exitOf(child);
  child.kill('SIGTERM');
  assert.equal(await exit, 0);
});
