// Owns the question as whom the embedded PostgreSQL runs. PostgreSQL refuses to run as root, so that root
// lends it an unprivileged user of the system; any other user runs it as itself.
// Must never change the user of this process, nor the owner of anything that Merlon did not make.
import { lchownSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Numeric owner of files and processes; undefined where this process is not root and changes nothing. */
export type OwnerIds = { uid: number; gid: number } | undefined;

export type RunUser = { uid: number; gid: number; name: string } | undefined;

/**
 * The user that PostgreSQL runs as, or undefined for this process's own. For root: the owner of the cluster or,
 * before there is one, of the data directory, so that an operator's command as root makes nothing that a
 * server with its own user cannot use; else `postgres` (`_postgres` on macOS) when the system has one, else
 * `nobody`. A new cluster needs a user that /etc/passwd names: initdb looks the name up.
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

/** What root makes in the data directory belongs to the directory's owner, so that this one can use it too. */
export function directoryOwner(directory: string): OwnerIds {
  if (process.getuid?.() !== 0) return undefined;
  const { uid, gid } = statSync(directory);
  return { uid, gid };
}

/** Changes a file's owner where this process is root; does nothing elsewhere. */
export function giveTo(path: string, owner: OwnerIds): void {
  if (owner !== undefined) lchownSync(path, owner.uid, owner.gid);
}

/**
 * The first directory on the way to `path` (itself included) that the user may not enter, or undefined.
 * Reads the mode bits only: it explains a refusal that has happened, it does not decide one, because access
 * lists can allow what the bits do not.
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
