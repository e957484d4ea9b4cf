/** A checkout without CI: its remote, its branch, its commit. */
import { spawnSync } from 'node:child_process';
import { type Checkout, type Environment, type Git, nothingKnown } from './checkout.ts';
import { repositoryOfUrl } from './remote-url.ts';

// These commands read only a few refs. One that takes longer hangs on a network file system.
const limitMs = 10_000;

/** Runs git in a directory. Returns null if it fails or git is missing. */
export function gitIn(directory: string): Git {
  return (...args) => {
    const { status, stdout } = spawnSync('git', args, { cwd: directory, encoding: 'utf8', timeout: limitMs });
    return status === 0 ? stdout.trim() || null : null;
  };
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
