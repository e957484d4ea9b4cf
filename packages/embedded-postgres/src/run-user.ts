/**
 * The user that PostgreSQL runs as. PostgreSQL refuses to run as root, so root starts it as an unprivileged user of the
 * system. Any other user runs it as itself. The user of this process never changes, and files that this package did not
 * create keep their owner.
 */
import { lchownSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { EmbeddedPostgresError } from './error.ts';

/** The numeric owner of files and processes. It is undefined if this process is not root and changes no owner. */
export type OwnerIds = { uid: number; gid: number } | undefined;

/** The user that PostgreSQL runs as, or undefined for the user of this process. */
export type RunUser = { uid: number; gid: number; name: string } | undefined;

/**
 * Chooses the user for root; any other user runs PostgreSQL as itself. The owner of the cluster comes first or, before
 * there is one, the owner of the data directory, so that a command of root creates nothing that a server with its own
 * user cannot use. Next is `postgres` (`_postgres` on macOS) if the system has one, then `nobody`. A new cluster needs
 * a user in /etc/passwd, because initdb looks the name up.
 */
export function chooseRunUser(dataDir: string, clusterDir: string): RunUser {
  if (process.getuid?.() !== 0) return undefined;
  const users = readUsers();
  for (const directory of [clusterDir, dataDir]) {
    const found = statSync(directory, { throwIfNoEntry: false });
    if (found === undefined || found.uid === 0) continue;
    const known = users.find((user) => user.uid === found.uid);
    return { uid: found.uid, gid: found.gid, name: known?.name ?? `uid ${found.uid}` };
  }
  for (const name of ['postgres', '_postgres', 'nobody']) {
    const user = users.find((candidate) => candidate.name === name);
    if (user !== undefined) return user;
  }
  return undefined;
}

/**
 * Files that root creates in the data directory belong to the directory's owner, so that this user can use them too.
 */
export function directoryOwner(directory: string): OwnerIds {
  if (process.getuid?.() !== 0) return undefined;
  const { uid, gid } = statSync(directory);
  return { uid, gid };
}

/** Changes the owner of a file if this process is root; does nothing otherwise. */
export function setOwner(path: string, owner: OwnerIds): void {
  if (owner !== undefined) lchownSync(path, owner.uid, owner.gid);
}

/**
 * The first directory on the path (including the last one) that the user may not enter, or undefined. It reads the mode
 * bits alone, and access lists can allow more than the bits. So it explains a refusal that has happened, and must not
 * be used to refuse anything.
 */
export function findUnreachable(path: string, user: { uid: number; gid: number }): string | undefined {
  const steps: string[] = [];
  for (let step = realpathSync(path); ; step = dirname(step)) {
    steps.unshift(step);
    if (dirname(step) === step) break;
  }
  return steps.find((step) => {
    const info = statSync(step);
    if (!info.isDirectory()) return false;
    const shift = info.uid === user.uid ? 6 : info.gid === user.gid ? 3 : 0;
    return ((info.mode >> shift) & 1) === 0;
  });
}

/** The error for a data directory that PostgreSQL's user cannot enter if root starts it. */
export function unreachableError(dataDir: string, blocking: string, userName: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'data_dir_unreachable',
    `PostgreSQL does not run as root, so it runs as the user "${userName}", which cannot reach the data directory ` +
      `${dataDir}: it may not enter ${blocking}. Either use a data directory that it can reach, or run ` +
      `"chmod o+x ${blocking}", or start as a user other than root.`,
  );
}

function readUsers(): { name: string; uid: number; gid: number }[] {
  let text: string;
  try {
    text = readFileSync('/etc/passwd', 'utf8');
  } catch {
    return [];
  }
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    if (name === undefined || uid === undefined || gid === undefined) return [];
    return [{ name, uid: Number(uid), gid: Number(gid) }];
  });
}
