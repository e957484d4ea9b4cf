/**
 * GitHub Actions, read from its variables and its event. The reference of a pull request is its head,
 * `refs/pull/N/head`, and not the merge that GitHub creates for the run.
 */
import type { Sentence } from '@merlon/terminal';
import {
  type Checkout,
  type Environment,
  findBaseCommit,
  type Git,
  given,
  nothingKnown,
} from './checkout.ts';

type Scanned = Pick<Checkout, 'ref' | 'sha' | 'baseRef' | 'baseSha' | 'advice'>;

// Runs of these events have the reference of a branch, and often check out something else, such as a pull request.
const isAboutAnother = new Set(['issue_comment', 'pull_request_target', 'repository_dispatch']);

export function isGithubActions({ env }: Environment): boolean {
  return env.GITHUB_ACTIONS === 'true';
}

export function readGithubActions(environment: Environment): Checkout {
  const { env, readJson } = environment;
  const path = given(env.GITHUB_EVENT_PATH);
  const event = path === null ? null : readJson(path);
  const isPrivate = field(event, 'repository', 'private');
  return {
    ...nothingKnown('GitHub Actions'),
    repo: given(env.GITHUB_REPOSITORY),
    defaultBranch: text(event, 'repository', 'default_branch'),
    ...identityOf(environment, event),
    private: typeof isPrivate === 'boolean' ? isPrivate : null,
    ...scannedOf(environment, event),
  };
}

function identityOf({ env }: Environment, event: unknown) {
  const repoExternalId = given(env.GITHUB_REPOSITORY_ID) ?? text(event, 'repository', 'id');
  const orgExternalId = given(env.GITHUB_REPOSITORY_OWNER_ID) ?? text(event, 'repository', 'owner', 'id');
  // Gitea and Forgejo set the same variables, but their ids are not GitHub's.
  const foreign = env.GITEA_ACTIONS === 'true' || env.FORGEJO_ACTIONS === 'true';
  if (foreign || repoExternalId === null) return {};
  const cloud = (env.GITHUB_SERVER_URL ?? 'https://github.com') === 'https://github.com';
  return { repoSource: cloud ? 'ghc' : 'ghe', repoExternalId, orgExternalId };
}

function scannedOf(environment: Environment, event: unknown): Scanned {
  const { env, git } = environment;
  const ref = given(env.GITHUB_REF);
  const sha = given(env.GITHUB_SHA);
  const name = env.GITHUB_EVENT_NAME;
  if (name === 'workflow_run') {
    return unknown(
      'A run after another (workflow_run) may hold a report of either: give --ref and --sha of what was scanned.',
    );
  }
  if (isAboutAnother.has(name ?? '')) {
    // The run belongs to a branch, but the scan is about the commit that was checked out.
    const head = git('rev-parse', 'HEAD');
    if (head !== null && head === sha) return branch(ref, sha);
    if (head !== null && head === text(event, 'pull_request', 'head', 'sha')) {
      return pullRequest(environment, event, text(event, 'number'));
    }
    return unknown(
      `A run of ${name} may scan its branch or a pull request: give --ref and --sha of what was scanned.`,
    );
  }
  if (name === 'merge_group') {
    const baseRef = text(event, 'merge_group', 'base_ref')?.replace(/^refs\/heads\//, '') ?? null;
    return { ...branch(ref, sha), ...baseOf(git, sha, baseRef, text(event, 'merge_group', 'base_sha')) };
  }
  const number = /^refs\/pull\/(\d+)\//.exec(ref ?? '')?.[1];
  return number === undefined ? branch(ref, sha) : pullRequest(environment, event, number);
}

function branch(ref: string | null, sha: string | null): Scanned {
  if (ref === null) return { ...unknown('This event has no reference: give --ref.'), sha };
  return { ref, sha, baseRef: null, baseSha: null, advice: null };
}

function unknown(advice: Sentence): Scanned {
  return { ref: null, sha: null, baseRef: null, baseSha: null, advice };
}

function pullRequest({ env, git }: Environment, event: unknown, number: string | null): Scanned {
  const sha = text(event, 'pull_request', 'head', 'sha');
  const baseRef = text(event, 'pull_request', 'base', 'ref') ?? given(env.GITHUB_BASE_REF);
  return {
    ref: `refs/pull/${number}/head`,
    sha,
    ...baseOf(git, sha, baseRef, text(event, 'pull_request', 'base', 'sha')),
    advice: null,
  };
}

/** `base` is the commit that the event names. */
function baseOf(git: Git, sha: string | null, baseRef: string | null, base: string | null) {
  return { baseRef, baseSha: findBaseCommit(git, sha, baseRef, base) ?? base };
}

function field(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>(
    (inner, name) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)[name] : undefined,
    value,
  );
}

function text(value: unknown, ...path: string[]): string | null {
  const found = field(value, ...path);
  return typeof found === 'string' || typeof found === 'number' ? given(String(found)) : null;
}
