// Owns what the embedded PostgreSQL keeps on disk: the cluster `<dataDir>/postgres`, its settings, and the
// generated passwords beside it.
// Must never delete or overwrite a finished cluster. A cluster is made under another name and renamed once
// complete, so that `<dataDir>/postgres` is finished whenever it is there, and whatever stands in
// `<dataDir>/postgres.incomplete-*` never was.
import { spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Binaries } from './binaries.ts';
import { unreachableError } from './binaries.ts';
import { EmbeddedError, errorCode } from './error.ts';
import { findUnreachable, giveTo, type OwnerIds, type RunUser } from './run-user.ts';

/** The superuser that initdb makes; it owns the schema. */
export const ownerRole = 'merlon_owner';
/** The role of the running service. Its password is kept here; migrations make the role. */
export const appRole = 'merlon_app';
export const databaseName = 'merlon';

const incompletePrefix = 'postgres.incomplete-';

export interface Credentials {
  ownerPassword: string;
  appPassword: string;
}

/** Each setting with its reason. The measure is a laptop (8 GB, SSD) with a million vulnerabilities, about 2 GB of data. */
const settings: [name: string, value: string, reason: string][] = [
  ['max_connections', '60', 'two pools of 20, the queue, and operator commands; each costs memory'],
  [
    'shared_buffers',
    '256MB',
    'a guess at the hot part of the indexes; more would take from the page cache, which serves the rest',
  ],
  [
    'effective_cache_size',
    '2GB',
    'what a laptop keeps of these files in memory: makes index scans look as cheap as they are',
  ],
  [
    'work_mem',
    '16MB',
    'a sort of one page of results or a hash of one scan stays in memory; 60 x 16MB is bearable',
  ],
  [
    'maintenance_work_mem',
    '256MB',
    'index builds of a migration over a million rows without a merge on disk',
  ],
  ['random_page_cost', '1.1', 'SSD: a random read costs about what a sequential one does'],
  ['max_wal_size', '2GB', 'a large import without forced checkpoints; bounds what a recovery has to replay'],
  ['min_wal_size', '160MB', 'an idle installation stays small on disk'],
  ['wal_compression', 'on', 'page images after a checkpoint take less disk, for a little processor'],
  ['max_wal_senders', '0', 'nothing replicates from an embedded database'],
  ['jit', 'off', 'costs tens of milliseconds to compile and wins only on queries that Merlon does not make'],
  [
    'huge_pages',
    'off',
    "where a container has huge pages configured but not allowed, 'try' dies of a bus error",
  ],
  ['timezone', "'UTC'", "what is stored and shown does not depend on the machine's zone"],
  ['log_timezone', "'UTC'", 'the same for the log'],
  ['log_checkpoints', 'off', 'a line every five minutes on an idle machine; the log is for trouble'],
  ['cluster_name', "'merlon'", 'tells these processes from others in a process list'],
];

/** Reads the passwords, or makes them for a new cluster. Throws EmbeddedError if a cluster stands without them. */
export function openCredentials(dataDir: string, clusterExists: boolean, owner: OwnerIds): Credentials {
  const file = join(dataDir, 'postgres-credentials.json');
  let text: string | undefined;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
  if (text !== undefined) {
    const found = parseCredentials(text);
    if (found !== undefined) return found;
  }
  if (clusterExists || text !== undefined) {
    throw new EmbeddedError(
      `${file} is ${text === undefined ? 'missing' : 'damaged'}: it has the passwords of the PostgreSQL data in ` +
        `${join(dataDir, 'postgres')}. Put it back from a backup of the data directory. If that data may be lost, ` +
        'move both away, and Merlon starts empty.',
    );
  }
  const made = { ownerPassword: randomPassword(), appPassword: randomPassword() };
  const partial = `${file}.partial`;
  rmSync(partial, { force: true });
  writeFileSync(partial, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600, flag: 'wx', flush: true });
  giveTo(partial, owner);
  renameSync(partial, file);
  return made;
}

/** True if there is a finished cluster. Throws EmbeddedError for a directory that is something else. */
export function clusterExists(clusterDir: string): boolean {
  if (existsSync(join(clusterDir, 'PG_VERSION'))) return true;
  if (!existsSync(clusterDir) || readdirSync(clusterDir).length === 0) return false;
  throw new EmbeddedError(
    `${clusterDir} is not empty and holds no PostgreSQL data (no PG_VERSION). Merlon deletes nothing that it did ` +
      'not make: move it away, or set MERLON_DATA_DIR to another directory.',
  );
}

/** Throws EmbeddedError when another major version of PostgreSQL made the cluster. */
export function checkClusterVersion(clusterDir: string, binaries: Binaries): void {
  const made = readFileSync(join(clusterDir, 'PG_VERSION'), 'utf8').trim();
  if (made === binaries.major) return;
  throw new EmbeddedError(
    `The data in ${clusterDir} was made by PostgreSQL ${made}, and this release of Merlon brings PostgreSQL ` +
      `${binaries.major}, which cannot read it. Start the release of Merlon that made it, run "merlond backup FILE" ` +
      'there, and "merlond restore FILE" here on an empty MERLON_DATA_DIR.',
  );
}

/**
 * Mends what a copy or a restored backup loses and PostgreSQL insists on: a cluster that root now owns goes to
 * PostgreSQL's user, and nobody else may enter it.
 */
export function claimCluster(clusterDir: string, user: RunUser): void {
  const found = statSync(clusterDir);
  if (user !== undefined && found.uid !== user.uid) {
    giveTo(clusterDir, user);
    for (const entry of readdirSync(clusterDir, { recursive: true, encoding: 'utf8' }))
      giveTo(join(clusterDir, entry), user);
  }
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0) chmodSync(clusterDir, 0o700);
}

/** Runs initdb. Call under the lock, when there is no cluster; a half-made one of an earlier try is wiped. */
export async function createCluster(options: {
  dataDir: string;
  clusterDir: string;
  binaries: Binaries;
  user: RunUser;
  password: string;
}): Promise<void> {
  const { dataDir, clusterDir, binaries, user, password } = options;
  removeIncomplete(dataDir);
  // A new name each time: the initdb of a process that was killed may still be writing into its own.
  const incomplete = join(dataDir, `${incompletePrefix}${randomBytes(6).toString('hex')}`);
  mkdirSync(incomplete, { mode: 0o700 });
  giveTo(incomplete, user);
  const passwordFile = join(incomplete, 'password');
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600, flag: 'wx' });
  giveTo(passwordFile, user);
  const made = join(incomplete, 'data');
  const { code, output } = await run(binaries.initdb, user, [
    ...['-D', made, '-U', ownerRole, '--pwfile', passwordFile, '--auth', 'scram-sha-256'],
    ...['--encoding', 'UTF8', '--locale', 'C', '--no-instructions'],
  ]);
  if (code !== 0) {
    const blocking = user === undefined ? undefined : findUnreachable(incomplete, user);
    removeIncomplete(dataDir);
    if (user !== undefined && blocking !== undefined) throw unreachableError(dataDir, blocking, user.name);
    throw new EmbeddedError(
      `PostgreSQL could not make its data directory ${clusterDir} (initdb ended with ${code}).${diskHint(output, dataDir)}` +
        ` Its last words:\n${lastLines(output)}`,
    );
  }
  renameSync(made, clusterDir);
  syncDirectory(dataDir);
  removeIncomplete(dataDir);
}

/** Writes `postgresql.conf` anew, so that settings are those of this release. An operator's own go into the included file. */
export function writeSettings(clusterDir: string, user: RunUser): void {
  const lines = [
    '# Merlon writes this file at every start. Your own settings: merlon-local.conf, beside it.',
    ...[...settings, sharedMemorySetting()].map(([name, value, reason]) => `${name} = ${value}  # ${reason}`),
    "log_line_prefix = '%m [%p] '",
    "include_if_exists 'merlon-local.conf'",
  ];
  const file = join(clusterDir, 'postgresql.conf');
  const partial = `${file}.partial`;
  rmSync(partial, { force: true });
  writeFileSync(partial, `${lines.join('\n')}\n`, { mode: 0o600, flag: 'wx' });
  giveTo(partial, user);
  renameSync(partial, file);
}

/** The last lines of what PostgreSQL said, for an error message. */
export function lastLines(output: string): string {
  return output.trim().split('\n').slice(-12).join('\n');
}

/** A sentence that says the disk is full, if PostgreSQL said so; else nothing. */
export function diskHint(output: string, dataDir: string): string {
  if (!output.includes('No space left on device')) return '';
  return ` The disk of ${dataDir} is full: free some space, or set MERLON_DATA_DIR to a larger disk.`;
}

/** The environment without what would change PostgreSQL behind our back (PGPORT, a library path, a language). */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(PG|LD_|DYLD_|LC_|LANG)/.test(name));
  return { ...Object.fromEntries(kept), LC_ALL: 'C' };
}

/** A container has 64 MB of /dev/shm, which a parallel query can exceed; System V memory has no such limit. */
function sharedMemorySetting(): [string, string, string] {
  const enough = 512 * 1024 * 1024;
  let type = process.platform === 'win32' ? 'windows' : 'posix';
  try {
    const { blocks, bsize } = statfsSync('/dev/shm');
    if (process.platform === 'linux' && blocks * bsize < enough) type = 'sysv';
  } catch {
    if (process.platform === 'linux') type = 'sysv';
  }
  return ['dynamic_shared_memory_type', type, 'sysv where /dev/shm is small, as in a container'];
}

/** Nothing with this prefix was ever finished. What cannot be removed now is tried again by the next start. */
function removeIncomplete(dataDir: string): void {
  for (const entry of readdirSync(dataDir)) {
    if (!entry.startsWith(incompletePrefix)) continue;
    try {
      rmSync(join(dataDir, entry), { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    } catch {
      // An initdb that was left behind is still writing there.
    }
  }
}

function parseCredentials(text: string): Credentials | undefined {
  try {
    const { ownerPassword, appPassword } = JSON.parse(text) as Partial<Record<string, unknown>>;
    const wellFormed = /^[0-9A-Za-z]{32}$/;
    if (typeof ownerPassword !== 'string' || !wellFormed.test(ownerPassword)) return undefined;
    if (typeof appPassword !== 'string' || !wellFormed.test(appPassword)) return undefined;
    return { ownerPassword, appPassword };
  } catch {
    return undefined;
  }
}

/** 32 characters of base62, 190 bits; needs no escaping in a URL. */
function randomPassword(): string {
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  return Array.from({ length: 32 }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
}

function run(
  program: string,
  user: RunUser,
  args: string[],
): Promise<{ code: number | string; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd: '/',
      env: cleanEnvironment(),
      windowsHide: true,
      ...(user === undefined ? {} : { uid: user.uid, gid: user.gid }),
    });
    let output = '';
    const collect = (chunk: Buffer): void => {
      output += chunk.toString('utf8');
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code: code ?? String(signal), output }));
  });
}

/** Makes a rename in the directory survive a crash; not possible, nor needed, on Windows. */
function syncDirectory(directory: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(directory, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
