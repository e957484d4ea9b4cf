/**
 * Builds the root file system of the image with the steps of its Dockerfile, without a container engine: each stage is
 * a directory, RUN is `chroot`, COPY is `cp`. Debian by debootstrap, with Node and npm, replaces the base image. It
 * needs root. It proves that the steps work and what the last stage contains; it makes no layers and no image.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pairsOf, type Stage } from './dockerfile.ts';

// Debian keeps the certificate authorities that this machine trusts in this file.
const certificates = '/etc/ssl/certs/ca-certificates.crt';

/** Returns the directory of the last stage, below `directory`. `context` is the checkout. */
export function buildImageRoot(stages: Stage[], context: string, directory: string): string {
  const bases = new Map<string, string>();
  const roots = new Map<string, string>();
  let root = '';
  for (const stage of stages) {
    const base = bases.get(stage.from) ?? makeBase(stage.from, join(directory, `base-${bases.size}`));
    bases.set(stage.from, base);
    root = join(directory, stage.name ?? 'image');
    run('cp', '--archive', base, root);
    if (stage.name !== null) roots.set(stage.name, root);
    let workdir = '/';
    for (const { instruction, text } of stage.steps) {
      if (instruction === 'RUN') runInside(root, `cd ${workdir} && ${text}`);
      else if (instruction === 'COPY') copy(text, context, roots, root, workdir);
      else if (instruction === 'WORKDIR') {
        workdir = text;
        mkdirSync(join(root, workdir), { recursive: true });
      }
    }
  }
  return root;
}

/** Runs the image like Docker would: with its user, its environment, its root read-only, its volume writable. */
export function commandOf(
  stage: Stage,
  root: string,
  volume: string,
  settings: Record<string, string>,
): string[] {
  const last = (instruction: string): string =>
    stage.steps.findLast((step) => step.instruction === instruction)?.text ?? '';
  const [path = ''] = JSON.parse(last('VOLUME')) as string[];
  const program = [...JSON.parse(last('ENTRYPOINT')), ...JSON.parse(last('CMD'))] as string[];
  const environment = { PATH: '/usr/local/bin:/usr/bin:/bin', ...pairsOf(stage, 'ENV'), ...settings };
  const lines = [
    `mount --bind ${root} ${root}`,
    `mount -o remount,bind,ro ${root}`,
    `mount --bind ${volume} ${root}${path}`,
    `mount -t tmpfs tmpfs ${root}/tmp`,
    `mount -t tmpfs tmpfs ${root}/dev/shm`,
    `mount -t proc proc ${root}/proc`,
    `cd ${root}${last('WORKDIR')}`,
    'exec "$@"',
  ];
  return [
    ...['unshare', '--mount', 'sh', '-euc', lines.join('\n'), 'sh'],
    ...['chroot', `--userspec=${last('USER')}`, root, 'env', '-i'],
    ...Object.entries(environment).map(([key, value]) => `${key}=${value}`),
    ...program,
  ];
}

function run(program: string, ...args: string[]): void {
  execFileSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
}

/** `node:24-trixie-slim` is Debian trixie with a Node of that version. */
export function makeBase(image: string, base: string): string {
  const [, major, suite] = /^node:(\d+)-(\w+)-slim$/.exec(image) ?? [];
  if (suite === undefined || !process.versions.node.startsWith(`${major}.`))
    throw new Error(`${image} is not Debian with this Node`);
  run('debootstrap', '--variant=minbase', suite, base);
  cpSync(process.execPath, join(base, 'usr/local/bin/node'));
  // In this root, npm reaches the registry with the same settings as outside.
  const npm = dirname(dirname(realpathSync(execFileSync('which', ['npm'], { encoding: 'utf8' }).trim())));
  cpSync(npm, join(base, 'usr/local/lib/node_modules/npm'), { recursive: true });
  run('ln', '-s', '../lib/node_modules/npm/bin/npm-cli.js', join(base, 'usr/local/bin/npm'));
  run('cp', '--dereference', '/etc/resolv.conf', '/etc/hosts', join(base, 'etc'));
  mkdirSync(join(base, dirname(certificates)), { recursive: true });
  if (existsSync(certificates)) cpSync(certificates, join(base, certificates));
  return base;
}

function runInside(root: string, script: string): void {
  const [program = '', ...args] = commandInside(root, script);
  run(program, ...args);
}

/** The command that runs a script as root in the root, with this machine's way to the registry. */
export function commandInside(root: string, script: string): string[] {
  const setting = (name: string): string =>
    execFileSync('npm', ['config', 'get', name], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  const npmrc = setting('userconfig');
  const cache = setting('cache');
  mkdirSync(join(root, 'root/.npm'), { recursive: true });
  const lines = [
    `mount -t proc proc ${root}/proc`,
    `mkdir -p ${cache} && mount --bind ${cache} ${root}/root/.npm`,
    `if [ -f ${npmrc} ]; then touch ${root}/root/.npmrc && mount --bind ${npmrc} ${root}/root/.npmrc; fi`,
    'exec "$@"',
  ];
  const { npm_config_registry: registry = setting('registry') } = process.env;
  const environment = [
    'PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    'HOME=/root',
    `NODE_EXTRA_CA_CERTS=${certificates}`,
    `npm_config_registry=${registry}`,
    'npm_config_prefer_offline=true',
  ];
  return [
    ...['unshare', '--mount', 'sh', '-euc', lines.join('\n'), 'sh'],
    ...['chroot', root, 'env', '-i', ...environment, 'bash', '-euc', script],
  ];
}

function copy(
  text: string,
  context: string,
  roots: Map<string, string>,
  root: string,
  workdir: string,
): void {
  const words = text.split(/\s+/);
  const from = words.find((word) => word.startsWith('--from='))?.slice('--from='.length);
  const [source = '', target = ''] = words.filter((word) => !word.startsWith('--'));
  const to = join(root, target.startsWith('/') ? target : join(workdir, target));
  mkdirSync(to, { recursive: true });
  if (from !== undefined) {
    run('cp', '--archive', `${join(roots.get(from) ?? '', source)}/.`, to);
    return;
  }
  const ignored = readFileSync(join(context, 'deploy/Dockerfile.dockerignore'), 'utf8').trim().split('\n');
  const excluded = ignored.map((pattern) => `--exclude=${pattern.replace('**/', '')}`);
  run(
    'sh',
    '-euc',
    'from=$1; to=$2; shift 2; tar -C "$from" "$@" -c . | tar -C "$to" -x --no-same-owner',
    'sh',
    join(context, source),
    to,
    ...excluded,
  );
}
