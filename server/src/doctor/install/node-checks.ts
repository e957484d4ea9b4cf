/** Checks of this node: its disk, the build of the console, and the proxy in front. */
import { existsSync } from 'node:fs';
import { readFile, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from '../../config.ts';
import { secretFileOf } from '../../db/prepare-database.ts';
import { consoleDirectory } from '../../http/console-directory.ts';
import { type Check, type CheckResult, fault, ok, skipped, warning } from './check.ts';

export const nodeChecks: Check[] = [
  {
    name: 'disk',
    needsSchema: false,
    run: async ({ config }) =>
      config.databaseUrl === null
        ? checkDisk(config.dataDir)
        : skipped('the disk of a PostgreSQL server is not visible from here'),
  },
  {
    name: 'secret file',
    needsSchema: false,
    run: ({ config }) => checkSecretFile(secretFileOf(config)),
  },
  { name: 'console', needsSchema: false, run: () => checkConsole(consoleDirectory) },
  { name: 'public URL', needsSchema: false, run: async ({ config }) => checkPublicUrl(config) },
  { name: 'proxy', needsSchema: false, run: async ({ config }) => checkProxy(config) },
];

// A report of the largest size, its import and the WAL of both need this much.
const leastFreeBytes = 2 * 1024 ** 3;

export async function checkDisk(directory: string): Promise<CheckResult> {
  const { bavail, blocks, bsize } = await statfs(directory);
  const free = bavail * bsize;
  const found = `${(free / 1024 ** 3).toFixed(1)} GB of ${directory} are free`;
  const action = 'Make room, or move MERLON_DATA_DIR to a larger disk: PostgreSQL stops when it is full.';
  if (free < leastFreeBytes) return fault(found, action);
  return bavail < blocks / 10 ? warning(found, action) : ok(found);
}

/**
 * A user who reads the secret can make sessions. A group may read it, because a service shares it with its operators.
 */
export async function checkSecretFile(file: string): Promise<CheckResult> {
  const found = await stat(file).catch(() => null);
  if (found === null) return skipped(`${file} is not readable here`);
  if (process.platform === 'win32') return skipped('Windows has no modes of files');
  const mode = (found.mode & 0o777).toString(8).padStart(4, '0');
  return (found.mode & 0o007) === 0
    ? ok(`${file} has the mode ${mode}`)
    : warning(
        `${file} has the mode ${mode}, so every user of this machine may read it`,
        `Take the right away: chmod o= ${file}`,
      );
}

/** The page names the files that it loads, which must exist. */
export async function checkConsole(directory: string): Promise<CheckResult> {
  const page = await readFile(join(directory, 'index.html'), 'utf8').catch(() => null);
  const action = 'Run npm ci, or install the package again.';
  if (page === null)
    return fault('the console is not built', `${action} The next start of serve tries to build it.`);
  const names = Array.from(
    page.matchAll(/(?:src|href)="[^"]*\/(assets\/[^"?#]+)"/g),
    ([, name = '']) => name,
  );
  const missing = names.filter((name) => !existsSync(join(directory, name)));
  return missing.length === 0
    ? ok(`built, in ${dirname(join(directory, 'index.html'))}`)
    : fault(`the build lacks ${missing.join(', ')}`, action);
}

function checkPublicUrl({ publicUrl }: Pick<Config, 'publicUrl'>): CheckResult {
  return publicUrl === null
    ? warning(
        'MERLON_PUBLIC_URL is not set, so only this machine opens the console, and VEX documents name https://merlon.invalid',
        'Set it to the address at which people reach Merlon.',
      )
    : ok(publicUrl);
}

/** Merlon speaks HTTP, so a public URL with `https:` is the address of a proxy. */
export function checkProxy({ publicUrl, trustProxy }: Pick<Config, 'publicUrl' | 'trustProxy'>): CheckResult {
  if (!publicUrl?.startsWith('https:')) return skipped('MERLON_PUBLIC_URL names no proxy, which ends TLS');
  if (trustProxy === true) {
    return warning(
      'MERLON_TRUST_PROXY=true takes the address of a sender from anybody who reaches this server without the proxy',
      'Set MERLON_TRUST_PROXY to the address of the proxy.',
    );
  }
  if (trustProxy !== false)
    return ok('MERLON_TRUST_PROXY is set, so requests have the address of their sender');
  return warning(
    'all requests have the address of the proxy, so that wrong passwords of one stranger lock everybody out',
    'Set MERLON_TRUST_PROXY to the address of the proxy.',
  );
}
