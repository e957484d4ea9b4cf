/**
 * The PostgreSQL process of a cluster, its postmaster: whether one runs, how it is started, how it is stopped. A
 * process gets a signal only when it is proven to be the postmaster of this very cluster.
 */
import { spawn, spawnSync } from 'node:child_process';
import {
  closeSync,
  constants,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Binaries } from './binaries.ts';
import { EmbeddedPostgresError, linkError, systemErrorCode } from './error.ts';
import { cleanEnvironment, lastLines, saysDiskFull } from './run-program.ts';
import { findUnreachable, type OwnerIds, type RunUser, setOwner, unreachableError } from './run-user.ts';

/** A start on a clean cluster takes some tens of milliseconds, which a longer interval would double. */
const pollMs = 10;
/** Recovery replays about max_wal_size of WAL, some gigabytes; ten minutes is enough even for a slow disk. */
const startTimeoutMs = 10 * 60_000;
/** A fast stop ends sessions and writes one checkpoint of at most shared_buffers, some hundred megabytes. */
const stopTimeoutMs = 60_000;
/** A postmaster that does not react to a signal within this time is hung. */
const signalTimeoutMs = 5_000;
/** The log is for errors and not an audit log, so one predecessor is enough. */
const maxLogBytes = 10 * 1024 * 1024;

export interface Postmaster {
  pid: number;
  port: number;
  status: string;
}

/**
 * Reads the cluster's postmaster.pid, also if another program started the server; undefined if there is none or it is
 * unfinished.
 */
export function readPostmaster(clusterDir: string): Postmaster | undefined {
  let lines: string[];
  try {
    lines = readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8').split('\n');
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  // The lines are: pid, data directory, start time, port, socket directory, listen address, shared memory, status.
  const [pid, , , port, , , , status] = lines;
  if (!/^\d+$/.test(pid ?? '')) return undefined;
  return { pid: Number(pid), port: Number(port ?? 0), status: (status ?? '').trim() };
}

/**
 * `ours` is the postmaster of this cluster. `foreign` is another program that has the pid now. `gone` means that there
 * is no such process.
 */
export function identify(pid: number, clusterDir: string): 'ours' | 'foreign' | 'gone' {
  if (!isAlive(pid)) return 'gone';
  if (process.platform === 'win32') return 'ours'; // A connection with our password proves it later.
  try {
    // A postmaster's working directory is its cluster. Inodes are compared, because the directory may have been renamed
    // or linked.
    const workingDir = statSync(`/proc/${pid}/cwd`);
    const cluster = statSync(clusterDir);
    return workingDir.ino === cluster.ino && workingDir.dev === cluster.dev ? 'ours' : 'foreign';
  } catch {
    // There is no /proc (macOS), or root lacks CAP_SYS_PTRACE, as in a container. The command line is readable.
  }
  return `${commandLine(pid)} `.includes(` -D ${clusterDir} `) ? 'ours' : 'foreign';
}

/** True if a PostgreSQL process runs on the cluster, even if it does not answer. */
export function isRunning(clusterDir: string): boolean {
  const found = readPostmaster(clusterDir);
  return found !== undefined && identify(found.pid, clusterDir) === 'ours';
}

/** Starts PostgreSQL and waits until it accepts connections. Recovery after a crash is part of the wait. */
export async function startPostmaster(options: {
  dataDir: string;
  clusterDir: string;
  binaries: Binaries;
  user: RunUser;
  owner: OwnerIds;
  /** The port of the previous PostgreSQL. Processes that were connected find the new one there. */
  preferredPort: number | undefined;
  log: (message: string) => void;
}): Promise<Postmaster> {
  const { dataDir, clusterDir, user } = options;
  const logFile = join(dataDir, 'postgres.log');
  let port = options.preferredPort ?? (await findFreePort());
  const deadline = Date.now() + 15_000;
  for (;;) {
    const outcome = await startOnce({ ...options, port, logFile });
    if (typeof outcome !== 'string') return outcome;
    // Another program took the port after it was found free. Another port is tried.
    const portTaken = /could not bind|could not create any TCP\/IP sockets/.test(outcome);
    // The postmaster was killed, and its children still hold its memory. They notice within moments.
    const childrenLinger = /pre-existing shared memory block/.test(outcome);
    // The postmaster.pid is damaged, or names a zombie or another program. It can be removed: PostgreSQL also finds
    // living children of a dead postmaster by the key of the shared memory.
    const pidFileLies =
      /lock file "postmaster.pid" (already exists|is empty)/.test(outcome) && !isRunning(clusterDir);
    if ((!portTaken && !childrenLinger && !pidFileLies) || Date.now() > deadline) {
      const blocking = user === undefined ? undefined : findUnreachable(clusterDir, user);
      if (user !== undefined && blocking !== undefined) throw unreachableError(dataDir, blocking, user.name);
      const diskFull = saysDiskFull(outcome);
      throw new EmbeddedPostgresError(
        diskFull ? 'disk_full' : 'failed',
        `The embedded PostgreSQL did not start on ${clusterDir}.` +
          `${diskFull ? ` The disk of ${dataDir} is full: free some space.` : ''} ` +
          `The end of its log, ${logFile}:\n${lastLines(outcome)}`,
      );
    }
    if (pidFileLies) rmSync(join(clusterDir, 'postmaster.pid'), { force: true });
    if (childrenLinger) await sleep(200);
    if (portTaken) port = await findFreePort();
  }
}

/**
 * Ends the cluster's PostgreSQL, if one runs, and waits until it is gone. `fast` writes a checkpoint first. `immediate`
 * is for one that does not answer: no acknowledged write is lost, because the next start recovers.
 */
export async function stopPostmaster(
  clusterDir: string,
  binaries: Binaries | undefined,
  mode: 'fast' | 'immediate',
): Promise<void> {
  const running = readPostmaster(clusterDir);
  if (running === undefined || identify(running.pid, clusterDir) !== 'ours') return;
  const { pid } = running;
  if (mode === 'fast') {
    signal(pid, 'SIGINT', clusterDir, binaries);
    if (await isGoneWithin(pid, clusterDir, stopTimeoutMs)) return;
  }
  signal(pid, 'SIGQUIT', clusterDir, binaries);
  if (await isGoneWithin(pid, clusterDir, signalTimeoutMs)) return;
  signal(pid, 'SIGKILL', clusterDir, binaries);
  if (await isGoneWithin(pid, clusterDir, signalTimeoutMs)) return;
  throw new EmbeddedPostgresError(
    'failed',
    `The embedded PostgreSQL on ${clusterDir} (process ${pid}) does not end, not even killed: its disk may hang. ` +
      'Look at the system log.',
  );
}

async function startOnce(options: {
  clusterDir: string;
  binaries: Binaries;
  user: RunUser;
  owner: OwnerIds;
  port: number;
  logFile: string;
  log: (message: string) => void;
}): Promise<Postmaster | string> {
  const { clusterDir, binaries, user, port, logFile } = options;
  const logStart = rotateLog(logFile);
  // On Windows pg_ctl hides the new pid, so "ready" means this start only if the file is new.
  if (process.platform === 'win32') rmSync(join(clusterDir, 'postmaster.pid'), { force: true });
  const descriptor = openLog(logFile);
  setOwner(logFile, options.owner);
  // These are on the command line, so no settings file can open the database to the network.
  const fixed = ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', '-p', String(port)];
  const [program, args] =
    process.platform === 'win32'
      ? // PostgreSQL refuses the token of an administrator; pg_ctl makes one with fewer rights.
        [binaries.pgCtl, ['start', '-W', '-D', clusterDir, '-o', fixed.join(' ')]]
      : [binaries.postgres, ['-D', clusterDir, ...fixed]];
  // PostgreSQL is detached into its own session: Ctrl-C in the terminal must reach the program alone, which finishes
  // its work and only then stops PostgreSQL. It is not started by pg_ctl, which waits in steps of 100 ms.
  const child = spawn(program, args, {
    stdio: ['ignore', descriptor, descriptor],
    cwd: '/',
    env: cleanEnvironment(),
    detached: true,
    windowsHide: true,
    ...(user === undefined ? {} : { uid: user.uid, gid: user.gid }),
  });
  closeSync(descriptor);
  child.unref();
  let ended: string | undefined;
  child.once('error', (error) => {
    ended = error.message;
  });
  child.once('exit', (code, signalName) => {
    if (process.platform !== 'win32' || code !== 0) ended = `ended with ${code ?? signalName}`;
  });
  const begun = Date.now();
  let nextLogMs = 5_000;
  while (ended === undefined) {
    const found = readPostmaster(clusterDir);
    const ours = process.platform === 'win32' || found?.pid === child.pid;
    if (found !== undefined && ours && found.status === 'ready') return found;
    const waitedMs = Date.now() - begun;
    if (waitedMs > startTimeoutMs) {
      await stopPostmaster(clusterDir, binaries, 'immediate');
      return `not ready after ${startTimeoutMs / 60_000} minutes\n${readFrom(logFile, logStart)}`;
    }
    if (waitedMs > nextLogMs) {
      options.log(
        `PostgreSQL is still starting, probably recovering after a crash (${Math.round(waitedMs / 1000)} s)`,
      );
      nextLogMs += 5_000;
    }
    await sleep(pollMs);
  }
  return `${readFrom(logFile, logStart)}\n(${ended})`;
}

function signal(
  pid: number,
  name: 'SIGINT' | 'SIGQUIT' | 'SIGKILL',
  clusterDir: string,
  binaries: Binaries | undefined,
): void {
  if (process.platform === 'win32' && name !== 'SIGKILL' && binaries !== undefined) {
    // Windows has no signals; pg_ctl writes to the postmaster's pipe.
    spawnSync(binaries.pgCtl, [
      'stop',
      '-W',
      '-D',
      clusterDir,
      '-m',
      name === 'SIGINT' ? 'fast' : 'immediate',
    ]);
    return;
  }
  try {
    process.kill(pid, name);
  } catch (error) {
    if (systemErrorCode(error) !== 'ESRCH') throw error;
  }
}

async function isGoneWithin(pid: number, clusterDir: string, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline) {
    if (!isAlive(pid)) return true;
    if (readPostmaster(clusterDir) === undefined && identify(pid, clusterDir) !== 'ours') return true;
    await sleep(pollMs);
  }
  return false;
}

/** A zombie counts as dead: in a container without an init process it stays for ever. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (systemErrorCode(error) === 'ESRCH') return false;
  }
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return process.platform !== 'linux';
  }
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return (
      spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim() ?? ''
    );
  }
}

/** The port is free at this moment. The caller tries again if another program takes it first. */
function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port);
        else {
          reject(
            new EmbeddedPostgresError('failed', 'No free port on 127.0.0.1 for the embedded PostgreSQL.'),
          );
        }
      });
    });
  });
}

/** Returns the size of the log, at which the lines of this start will begin. */
function rotateLog(logFile: string): number {
  try {
    const { size } = statSync(logFile);
    if (size < maxLogBytes) return size;
    renameSync(logFile, `${logFile}.1`);
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw error;
  }
  return 0;
}

/**
 * Opens the log to write at its end. A link is refused, because this process may be root: whoever owns the directory
 * must not make it write elsewhere.
 */
function openLog(file: string): number {
  // Windows has no such flag.
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW = 0 } = constants;
  try {
    return openSync(file, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, 0o600);
  } catch (error) {
    throw systemErrorCode(error) === 'ELOOP' ? linkError(file) : error;
  }
}

function readFrom(file: string, start: number): string {
  const descriptor = openSync(file, 'r');
  try {
    const buffer = Buffer.alloc(64 * 1024);
    return buffer.toString('utf8', 0, readSync(descriptor, buffer, 0, buffer.length, start));
  } finally {
    closeSync(descriptor);
  }
}
