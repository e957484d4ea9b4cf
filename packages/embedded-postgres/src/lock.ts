/**
 * Mutual exclusion between processes that share one data directory: a short lock around starting and stopping
 * PostgreSQL, and leases that say which processes use it.
 *
 * Both are locks of the operating system, held through SQLite (`BEGIN EXCLUSIVE` on an empty file), and not files with
 * a pid inside. The kernel drops such a lock when the process ends, however it ends. So no lock is ever stale, a reused
 * pid cannot mislead, and a process in another container that shares the directory is seen as well.
 *
 * These files must never be opened by other means: on POSIX, closing any descriptor of a file drops all locks of the
 * process on it. The pid, which people want to know, is therefore in the name of the file.
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedPostgresError, errorText, linkError } from './error.ts';
import { type OwnerIds, setOwner } from './run-user.ts';

const SQLITE_BUSY = 5;
/** The interval is long enough not to load the processor, and short enough that nobody notices the wait. */
const pollMs = 20;
/**
 * A start holds the lock while it initialises or recovers; ten minutes is more than a recovery of some gigabytes takes.
 */
const lockTimeoutMs = 10 * 60_000;

/** A database handle loses its lock when it is collected as garbage; these references keep the leases alive. */
const heldLeases = new Set<DatabaseSync>();

export interface Lease {
  /** Gives the lease back. A repeated call is harmless. */
  release(): void;
}

/** Runs `work` while no other process runs it on the same `lockFile`; waits for its turn. */
export async function withLock<T>(lockFile: string, owner: OwnerIds, work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + lockTimeoutMs;
  let held = tryLock(lockFile);
  while (held === undefined) {
    if (Date.now() > deadline) {
      throw new EmbeddedPostgresError(
        'in_use',
        `Another process has been starting or stopping the embedded PostgreSQL for ten minutes (it holds ${lockFile}). ` +
          'Look for a process that hangs on this data directory, and end it.',
      );
    }
    await sleep(pollMs);
    held = tryLock(lockFile);
  }
  try {
    chmodSync(lockFile, 0o600);
    setOwner(lockFile, owner);
    return await work();
  } finally {
    held.close();
  }
}

/** Records that this process uses the PostgreSQL of the directory at this port. The caller holds the lock. */
export function takeLease(directory: string, owner: OwnerIds, port: number): Lease {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  setOwner(directory, owner);
  const name = [process.pid, pidNamespace(), port, randomBytes(6).toString('hex')].join('-');
  const file = join(directory, name);
  const held = tryLock(file);
  if (held === undefined) {
    throw new EmbeddedPostgresError('failed', `The lease ${file} is held by another process.`);
  }
  setOwner(file, owner);
  heldLeases.add(held);
  let released = false;
  return {
    release() {
      if (released) return;
      released = true;
      heldLeases.delete(held);
      held.close();
      rmSync(file, { force: true });
    },
  };
}

/**
 * Lists the leases of live processes, and removes those of dead ones. The caller holds the lock. `elsewhere` is true
 * for a process in another container, whose PostgreSQL is not visible from here.
 */
export function listLeases(directory: string): { pid: number; port: number; elsewhere: boolean }[] {
  let names: string[];
  try {
    names = readdirSync(directory);
  } catch {
    return [];
  }
  const live: { pid: number; port: number; elsewhere: boolean }[] = [];
  for (const name of names) {
    const match = /^(\d+)-(\d+)-(\d+)-[0-9a-f]+$/.exec(name);
    if (match === null) continue;
    const file = join(directory, name);
    const held = tryLock(file);
    if (held === undefined) {
      const [, pid, namespace, port] = match;
      live.push({ pid: Number(pid), port: Number(port), elsewhere: namespace !== pidNamespace() });
    } else {
      held.close();
      rmSync(file, { force: true });
    }
  }
  return live;
}

function tryLock(file: string): DatabaseSync | undefined {
  // This process may be root, and whoever owns the directory must not make it change another file.
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) throw linkError(file);
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { timeout: 0 });
    // This database is never written. With a journal in memory, SQLite creates no second file beside the lock.
    database.exec('PRAGMA journal_mode = MEMORY');
    database.exec('BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database?.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return undefined;
    throw new EmbeddedPostgresError(
      'data_dir_unusable',
      `Cannot lock ${file}: ${errorText(error)}. The data directory must be on a local disk that this user can ` +
        'write, on a file system with locks.',
    );
  }
}

/** Two processes with the same value see each other's pids. The value is 0 where the system has no namespaces. */
function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid').replace(/\D/g, '');
  } catch {
    return '0';
  }
}
