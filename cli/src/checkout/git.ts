/** A checkout without CI: its remote, its branch, its commit. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Checkout, type Environment, type Git, nothingKnown } from './checkout.ts';
import { repositoryOfUrl } from './remote-url.ts';

// These commands read only a few refs. One that takes longer hangs on a network file system.
const localLimitMs = 10_000;
// The names of a million branches, so that a large repository does not look like one without branches.
const maxBuffer = 128 * 1024 * 1024;

/**
 * Runs git in a directory. Returns null if it fails, takes longer than the limit, or git is missing. A folder of the
 * code that looks like a bare repository is not taken for one (since git 2.38), because its settings could run
 * commands.
 */
export function gitIn(directory: string, limitMs = localLimitMs): Git {
  return (...args) => {
    const safely = ['-c', 'safe.bareRepository=explicit', ...args];
    const { status, stdout, error } = spawnSync('git', safely, {
      cwd: directory,
      encoding: 'utf8',
      timeout: limitMs,
      maxBuffer,
    });
    // A cut output has an error too, and may have the status 0.
    return status === 0 && error === undefined ? stdout.trim() || null : null;
  };
}

/** Returns the root of the checkout that has the directory. Gives null outside of one, or if git cannot read it. */
export function findRoot(directory: string): string | null {
  const root = gitIn(directory)('rev-parse', '--show-toplevel');
  const parent = dirname(directory);
  return root !== null || parent === directory ? root : findRoot(parent);
}

/** True in a checkout that git cannot read, because it is missing or does not trust its owner. */
export function isUnreadable(directory: string): boolean {
  const parent = dirname(directory);
  return existsSync(join(directory, '.git')) || (parent !== directory && isUnreadable(parent));
}

/** Returns null outside of a checkout. */
export function readGit({ git }: Environment): Checkout | null {
  if (git('rev-parse', '--git-dir') === null) return null;
  const url = git('remote', 'get-url', 'origin');
  const ref = git('symbolic-ref', '-q', 'HEAD');
  return {
    ...nothingKnown('git'),
    repo: url === null ? null : repositoryOfUrl(url),
    ref,
    sha: git('rev-parse', '--verify', '-q', 'HEAD'),
    advice:
      ref === null
        ? 'The HEAD is detached: give --ref with a branch, a tag (--ref-type tag) or the full name refs/pull/N/head.'
        : null,
  };
}
