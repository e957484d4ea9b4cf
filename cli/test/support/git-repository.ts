/** Temporary git repositories: a remote, a clone, and commits in them. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import type { Environment } from '../../src/checkout/checkout.ts';
import { gitIn } from '../../src/checkout/git.ts';

// A developer's own settings, such as signing, must not change a test.
const settings = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_AUTHOR_NAME: 'Test',
  GIT_AUTHOR_EMAIL: 'test@example.com',
  GIT_COMMITTER_NAME: 'Test',
  GIT_COMMITTER_EMAIL: 'test@example.com',
};

export class GitRepository {
  readonly directory: string;
  #commits = 0;

  /** Makes an empty repository on branch main, or a clone. It is removed after the tests of the file. */
  constructor(clone?: { of: GitRepository; options?: string[] }) {
    this.directory = mkdtempSync(join(tmpdir(), 'merlon-git-'));
    after(() => rmSync(this.directory, { recursive: true, force: true }));
    if (clone) this.git('clone', '-q', ...(clone.options ?? []), `file://${clone.of.directory}`, '.');
    else this.git('init', '-q', '-b', 'main');
  }

  git(...args: string[]): string {
    const env = { ...process.env, ...settings };
    return execFileSync('git', args, { cwd: this.directory, env, encoding: 'utf8', stdio: 'pipe' }).trim();
  }

  /** Commits a new file and nothing else. Returns the commit. */
  commit(): string {
    const name = `file-${++this.#commits}`;
    writeFileSync(join(this.directory, name), name);
    this.git('add', name);
    this.git('commit', '-q', '-m', name);
    return this.git('rev-parse', 'HEAD');
  }
}

/** An environment with made-up variables and event. Its git is that of the repository, or fails. */
export function environment(
  env: Record<string, string>,
  { event = null, repository }: { event?: unknown; repository?: GitRepository } = {},
): Environment {
  return {
    env,
    git: repository ? gitIn(repository.directory) : () => null,
    readJson: (path) => (path === 'event.json' ? event : null),
  };
}
