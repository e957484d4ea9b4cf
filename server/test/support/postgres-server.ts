/**
 * A PostgreSQL server with default settings, run by the installed programs of the machine, as an operator's own server
 * would be. A test may kill it, start it again, and create a standby of it.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chmodSync, chownSync, globSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from './free-port.ts';

/**
 * The directory of the oldest installed programs, or null. Distributions keep each major version in its own directory.
 */
export function installedPostgres(): string | null {
  const found = globSync('/usr/lib/postgresql/*/bin').filter((path) => !path.includes('/1[0-4]/'));
  return found.sort((a, b) => versionOf(a) - versionOf(b))[0] ?? null;
}

const versionOf = (programs: string): number => Number(programs.split('/').at(-2));

export interface PostgresServer {
  /** The address of the superuser. */
  readonly url: string;
  start(): Promise<void>;
  /** Ends it without a chance to write anything. */
  kill(): Promise<void>;
  stop(): Promise<void>;
  /** A running standby, which takes over every write of this server. */
  addStandby(): Promise<PostgresServer>;
}

/** `directory` is new, or empty; the server keeps its files there. */
export async function startPostgresServer(programs: string, directory: string): Promise<PostgresServer> {
  const password = 'superuser';
  createOwnedDirectory(directory);
  const passwordFile = join(directory, 'password');
  writeFileSync(passwordFile, password);
  if (runUser.uid !== undefined) chownSync(passwordFile, runUser.uid, runUser.gid ?? 0);
  const data = join(directory, 'data');
  run(programs, 'initdb', [
    '-D',
    data,
    '-U',
    'postgres',
    `--pwfile=${passwordFile}`,
    '-A',
    'scram-sha-256',
    '-N',
  ]);
  // An operator's server may be in any time zone. Waiting for the disk at each commit adds nothing to a test.
  appendFileSync(join(data, 'postgresql.conf'), "timezone = 'Asia/Kolkata'\nfsync = off\n");
  const server = serverOf(programs, directory, await freePort(), password);
  await server.start();
  return server;
}

function serverOf(programs: string, directory: string, port: number, password: string): PostgresServer {
  const data = join(directory, 'data');
  const url = `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`;
  let child: ChildProcess | null = null;
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const ending = child;
    child = null;
    if (ending === null || ending.exitCode !== null || ending.signalCode !== null) return;
    const exit = once(ending, 'exit');
    ending.kill(signal);
    await exit;
  };
  return {
    url,
    start: async () => {
      const options = ['-D', data, '-p', String(port), '-k', directory, '-c', 'listen_addresses=127.0.0.1'];
      for (let attempt = 1; ; attempt++) {
        child = spawn(join(programs, 'postgres'), options, { ...runUser, stdio: 'ignore', cwd: '/' });
        if (await answers(url, child)) return;
        // The backends of a killed server need a moment to notice.
        if (attempt === 50) throw new Error(`PostgreSQL does not start in ${data}`);
        await sleep(100);
      }
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGINT'),
    addStandby: async () => {
      const home = join(directory, 'standby');
      createOwnedDirectory(home);
      run(programs, 'pg_basebackup', [
        '-D',
        join(home, 'data'),
        '-d',
        url,
        '-R',
        '-X',
        'stream',
        '-c',
        'fast',
        '-N',
      ]);
      const standby = serverOf(programs, home, await freePort(), password);
      await standby.start();
      return standby;
    },
  };
}

// PostgreSQL refuses to run as root.
const runUser: { uid?: number; gid?: number } =
  process.getuid?.() === 0
    ? {
        uid: Number(execFileSync('id', ['-u', 'postgres'])),
        gid: Number(execFileSync('id', ['-g', 'postgres'])),
      }
    : {};

function createOwnedDirectory(directory: string): void {
  mkdirSync(directory, { recursive: true });
  chmodSync(directory, 0o711);
  if (runUser.uid !== undefined) chownSync(directory, runUser.uid, runUser.gid ?? 0);
}

function run(programs: string, program: string, args: string[]): void {
  execFileSync(join(programs, program), args, { ...runUser, stdio: 'pipe', cwd: '/' });
}

/** False if the server ends before it answers. */
async function answers(url: string, child: ChildProcess): Promise<boolean> {
  while (child.exitCode === null && child.signalCode === null) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    const isConnected = await client.connect().then(
      () => true,
      () => false,
    );
    await client.end().catch(() => {});
    if (isConnected) return true;
    await sleep(50);
  }
  return false;
}
