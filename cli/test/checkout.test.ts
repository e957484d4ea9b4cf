/**
 * Tests of the facts that each CI gives about a checkout, with made-up variables and events and real git repositories.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Checkout } from '../src/checkout/checkout.ts';
import { detectCheckout } from '../src/checkout/detect.ts';
import { isNameBelow, repositoryOfUrl } from '../src/checkout/remote-url.ts';
import { findCodeOwners } from '../src/upload/code-owners.ts';
import { environment, GitRepository } from './support/git-repository.ts';

/** A repository with two commits on main, and a branch that left main at the first. */
function forked() {
  const origin = new GitRepository();
  const base = origin.commit();
  origin.git('switch', '-q', '-c', 'feature');
  const head = origin.commit();
  origin.git('switch', '-q', 'main');
  const main = origin.commit();
  return { origin, base, head, main };
}

/** Checks out the base, merges the head into it, and returns the merge. */
function mergeInto(checkout: GitRepository, base: string, head: string): string {
  checkout.git('switch', '-q', '--detach', base);
  checkout.git('merge', '-q', '--no-ff', '-m', 'Merge', head);
  return checkout.git('rev-parse', 'HEAD');
}

/** Asserts that nothing is known about what was scanned, and that the advice says what to give. */
function assertUnknown(checkout: Checkout | null): void {
  assert.ok(checkout);
  const { ref, sha, baseRef, baseSha, advice } = checkout;
  assert.deepEqual([ref, sha, baseRef, baseSha], [null, null, null, null]);
  assert.match(advice ?? '', /^The checkout is at [0-9a-f]{12}, .*: give --ref and --sha/);
}

function detect(...given: Parameters<typeof environment>): Checkout | null {
  return detectCheckout(environment(...given));
}

function known(checkout: Checkout | null): Partial<Checkout> {
  assert.ok(checkout);
  return Object.fromEntries(Object.entries(checkout).filter(([, value]) => value !== null));
}

describe('GitHub Actions', () => {
  const env = {
    GITHUB_ACTIONS: 'true',
    GITHUB_REPOSITORY: 'acme/shop',
    GITHUB_REPOSITORY_ID: '4711',
    GITHUB_REPOSITORY_OWNER_ID: '42',
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_EVENT_PATH: 'event.json',
    GITHUB_EVENT_NAME: 'push',
    GITHUB_REF: 'refs/heads/main',
    GITHUB_SHA: 'a'.repeat(40),
  };
  const repository = { id: 4711, private: true, default_branch: 'main', owner: { id: 42 } };
  const identity = {
    foundBy: 'GitHub Actions',
    repo: 'acme/shop',
    defaultBranch: 'main',
    repoSource: 'ghc',
    repoExternalId: '4711',
    orgExternalId: '42',
    private: true,
  };
  const pullRequest = (head: string, base: string) => ({
    number: 7,
    repository,
    pull_request: { number: 7, head: { sha: head, ref: 'feature' }, base: { sha: base, ref: 'main' } },
  });
  const pullRequestEnv = {
    ...env,
    GITHUB_EVENT_NAME: 'pull_request',
    GITHUB_REF: 'refs/pull/7/merge',
    GITHUB_BASE_REF: 'main',
    GITHUB_HEAD_REF: 'feature',
  };

  test('a push gives branch and commit of the run', () => {
    assert.deepEqual(known(detect(env, { event: { repository } })), {
      ...identity,
      ref: 'refs/heads/main',
      sha: 'a'.repeat(40),
    });
  });

  test('a checkout of another repository is reported, and a fork or a mirror with the same commit is not', () => {
    const checkout = new GitRepository();
    const head = checkout.commit();
    const otherOf = (remote: string, more: Record<string, string> = {}, event: unknown = { repository }) => {
      checkout.git('remote', 'add', 'origin', remote);
      const found = detect({ ...env, ...more }, { event, repository: checkout });
      checkout.git('remote', 'remove', 'origin');
      return found?.otherRepo;
    };
    assert.equal(otherOf('https://github.com/acme/shed.git'), 'acme/shed');
    assert.equal(otherOf('https://github.com/ACME/shop'), null, 'another commit of the same repository');
    assert.equal(otherOf('https://forge.example/git/acme/shop.git'), null);
    assert.equal(otherOf('https://forge.example/mirrors/shed.git', { GITHUB_SHA: head }), null);
    assert.equal(otherOf('file:///srv/shed'), null, 'a directory has no name');
    const fork = pullRequest(head, 'a'.repeat(40));
    assert.equal(otherOf('https://github.com/eva/shop', pullRequestEnv, fork), null);
  });

  test('the CODEOWNERS file of another repository is not sent', () => {
    const checkout = new GitRepository();
    writeFileSync(join(checkout.directory, 'CODEOWNERS'), '* @acme/gardeners');
    checkout.git('add', 'CODEOWNERS');
    const head = checkout.commit();
    const ownersFrom = (remote: string, sha = head) => {
      checkout.git('remote', 'add', 'origin', remote);
      const here = environment({ ...env, GITHUB_SHA: sha }, { event: { repository }, repository: checkout });
      const file = findCodeOwners({ repo: 'acme/shop' }, detectCheckout(here), here.git);
      checkout.git('remote', 'remove', 'origin');
      return file?.path ?? null;
    };
    assert.equal(ownersFrom('https://github.com/acme/shop'), 'CODEOWNERS');
    assert.equal(ownersFrom('https://github.com/acme/shed', env.GITHUB_SHA), null);
  });

  test('a tag gives a tag reference', () => {
    const found = detect({ ...env, GITHUB_REF: 'refs/tags/v1' }, { event: { repository } });
    assert.equal(found?.ref, 'refs/tags/v1');
  });

  test('a pull request gives its head, and as base the commit that was merged, or the commit where it left the branch', () => {
    const { origin, base, head, main } = forked();
    const checkout = new GitRepository({ of: origin });
    const merge = mergeInto(checkout, main, head);
    const found = () =>
      known(
        detect(
          { ...pullRequestEnv, GITHUB_SHA: merge },
          { event: pullRequest(head, main), repository: checkout },
        ),
      );
    const scanned = { ...identity, ref: 'refs/pull/7/head', sha: head, baseRef: 'main' };
    assert.deepEqual(found(), { ...scanned, baseSha: main });
    checkout.git('switch', '-q', '--detach', head);
    assert.deepEqual(found(), { ...scanned, baseSha: base });
  });

  test('a branch that has another commit checked out than that of the run gives no reference and no commit', () => {
    const { origin, head, main } = forked();
    const checkout = new GitRepository({ of: origin });
    for (const event of ['schedule', 'push', 'workflow_dispatch']) {
      const at = (commit: string) => {
        checkout.git('switch', '-q', '--detach', commit);
        const run = { ...env, GITHUB_EVENT_NAME: event, GITHUB_SHA: main };
        return detect(run, { event: { repository }, repository: checkout });
      };
      assertUnknown(at(head));
      mergeInto(checkout, head, main);
      assertUnknown(at('HEAD'));
      const ofRun = at(main);
      assert.deepEqual([ofRun?.ref, ofRun?.sha], ['refs/heads/main', main], event);
    }
  });

  test('a pull request is known with its head or the merge checked out, and not with its base', () => {
    const { origin, head, main } = forked();
    const checkout = new GitRepository({ of: origin });
    const merge = mergeInto(checkout, main, head);
    const at = (commit: string) => {
      checkout.git('switch', '-q', '--detach', commit);
      return detect(
        { ...pullRequestEnv, GITHUB_SHA: merge },
        { event: pullRequest(head, main), repository: checkout },
      );
    };
    for (const commit of [merge, head]) assert.equal(at(commit)?.sha, head);
    assertUnknown(at(main));
  });

  test('in a shallow checkout the base of a pull request comes from the merge, or from the event', () => {
    const { origin, base, head, main } = forked();
    const merge = mergeInto(origin, main, head);
    origin.git('switch', '-q', '-c', 'merge');
    const merged = new GitRepository({ of: origin, options: ['--depth=1', '--branch=merge'] });
    const run = { ...pullRequestEnv, GITHUB_SHA: merge };
    const ofMerge = detect(run, { event: pullRequest(head, base), repository: merged });
    assert.deepEqual([ofMerge?.sha, ofMerge?.baseSha], [head, main]);
    const checkout = new GitRepository({ of: origin, options: ['--depth=1', '--branch=feature'] });
    const found = detect(pullRequestEnv, { event: pullRequest(head, main), repository: checkout });
    assert.deepEqual([found?.sha, found?.baseSha], [head, main]);
  });

  test('pull_request_target gives what was checked out: its base, the pull request, or unknown', () => {
    const { origin, head, main } = forked();
    const target = { ...env, GITHUB_EVENT_NAME: 'pull_request_target', GITHUB_SHA: main };
    const checkout = new GitRepository({ of: origin });
    const at = (commit: string) => {
      checkout.git('switch', '-q', '--detach', commit);
      return detect(target, { event: pullRequest(head, main), repository: checkout });
    };
    assert.equal(at(main)?.ref, 'refs/heads/main');
    const ofHead = at(head);
    assert.deepEqual([ofHead?.ref, ofHead?.sha], ['refs/pull/7/head', head]);
    const other = at(`${main}~`);
    assert.deepEqual([other?.ref, other?.sha], [null, null]);
    assert.match(other?.advice ?? '', /--ref and --sha/);
  });

  test('a run after a comment on a pull request gives the branch only if that is checked out', () => {
    const { origin, head, main } = forked();
    const checkout = new GitRepository({ of: origin });
    const comment = { ...env, GITHUB_EVENT_NAME: 'issue_comment', GITHUB_SHA: main };
    const at = (commit: string) => {
      checkout.git('switch', '-q', '--detach', commit);
      return detect(comment, { event: { repository, issue: { number: 7 } }, repository: checkout });
    };
    assert.equal(at(main)?.ref, 'refs/heads/main');
    const ofHead = at(head);
    assert.deepEqual([ofHead?.ref, ofHead?.sha], [null, null]);
    assert.match(ofHead?.advice ?? '', /issue_comment.*--ref and --sha/);
    assert.equal(detect(comment, { event: { repository } })?.ref, null);
  });

  test('a merge queue gives its branch, compared with the branch that it merges into', () => {
    const { origin, head, main } = forked();
    const checkout = new GitRepository({ of: origin });
    checkout.git('switch', '-q', '--detach', head);
    const queue = 'refs/heads/gh-readonly-queue/main/pr-7-0123456';
    const found = detect(
      { ...env, GITHUB_EVENT_NAME: 'merge_group', GITHUB_REF: queue, GITHUB_SHA: head },
      {
        event: { repository, merge_group: { base_ref: 'refs/heads/main', base_sha: main } },
        repository: checkout,
      },
    );
    const base = checkout.git('merge-base', head, main);
    assert.deepEqual(known(found), { ...identity, ref: queue, sha: head, baseRef: 'main', baseSha: base });
  });

  test('a run that another workflow triggered gives no reference and no commit', () => {
    const found = detect({ ...env, GITHUB_EVENT_NAME: 'workflow_run' }, { event: { repository } });
    assert.deepEqual([found?.repo, found?.ref, found?.sha], ['acme/shop', null, null]);
    assert.match(found?.advice ?? '', /workflow_run/);
  });

  test('GitHub Enterprise is known by its address, and another forge by the variables alone', () => {
    const own = detect({ ...env, GITHUB_SERVER_URL: 'https://git.example.com' });
    assert.equal(own?.repoSource, 'ghe');
    assert.equal(own?.private, null);
    const gitea = detect({ ...env, GITEA_ACTIONS: 'true' });
    assert.deepEqual([gitea?.repo, gitea?.repoSource, gitea?.repoExternalId], ['acme/shop', null, null]);
  });
});

describe('GitLab CI', () => {
  const env = {
    GITLAB_CI: 'true',
    CI_PROJECT_PATH: 'acme/web/shop',
    CI_PROJECT_ID: '99',
    CI_PROJECT_NAMESPACE_ID: '5',
    CI_PROJECT_VISIBILITY: 'internal',
    CI_DEFAULT_BRANCH: 'main',
    CI_COMMIT_SHA: 'b'.repeat(40),
    CI_COMMIT_REF_NAME: 'main',
  };
  const project = {
    foundBy: 'GitLab CI',
    repo: 'acme/web/shop',
    sha: 'b'.repeat(40),
    defaultBranch: 'main',
    repoSource: 'gitlab',
    repoExternalId: '99',
    orgExternalId: '5',
    private: true,
  };
  const mergeRequest = {
    ...env,
    CI_MERGE_REQUEST_IID: '7',
    CI_MERGE_REQUEST_PROJECT_ID: '99',
    CI_MERGE_REQUEST_PROJECT_PATH: 'acme/web/shop',
    CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
    CI_MERGE_REQUEST_DIFF_BASE_SHA: 'c'.repeat(40),
  };

  test('a branch and a tag give their references', () => {
    assert.deepEqual(known(detect({ ...env, CI_COMMIT_BRANCH: 'main' })), {
      ...project,
      ref: 'refs/heads/main',
    });
    const tag = detect({ ...env, CI_COMMIT_TAG: 'v1', CI_PROJECT_VISIBILITY: 'public' });
    assert.deepEqual([tag?.ref, tag?.private], ['refs/tags/v1', false]);
  });

  test('a merge request gives its head, and a merged results pipeline the head of the source branch', () => {
    const scanned = {
      ...project,
      ref: 'refs/merge-requests/7/head',
      baseRef: 'main',
      baseSha: 'c'.repeat(40),
    };
    assert.deepEqual(known(detect(mergeRequest)), scanned);
    const merged = { ...mergeRequest, CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: 'd'.repeat(40) };
    assert.deepEqual(known(detect(merged)), { ...scanned, sha: 'd'.repeat(40) });
  });

  test('a branch or merge request that has another commit checked out gives no reference and no commit', () => {
    const { origin, head, main } = forked();
    const checkout = new GitRepository({ of: origin });
    const at = (commit: string, more: Record<string, string>) => {
      checkout.git('switch', '-q', '--detach', commit);
      return detect({ ...mergeRequest, ...more }, { repository: checkout });
    };
    const branch = { CI_MERGE_REQUEST_IID: '', CI_COMMIT_BRANCH: 'main', CI_COMMIT_SHA: main };
    assert.equal(at(main, branch)?.ref, 'refs/heads/main');
    assertUnknown(at(head, branch));
    assert.equal(at(head, { ...branch, GIT_STRATEGY: 'none' })?.sha, main, 'the checkout of an earlier job');
    assert.equal(at(head, { CI_COMMIT_SHA: head })?.sha, head);
    assertUnknown(at(main, { CI_COMMIT_SHA: head }));
    const merge = mergeInto(checkout, main, head);
    const merged = { CI_COMMIT_SHA: merge, CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: head };
    const bases = [merge, head].map((commit) => {
      const found = at(commit, merged);
      return [found?.sha, found?.baseSha];
    });
    assert.deepEqual(bases, [
      [head, main],
      [head, 'c'.repeat(40)],
    ]);
    assertUnknown(at(main, merged));
  });

  test('a merge request from a fork belongs to the project it goes to', () => {
    const fork = {
      ...mergeRequest,
      CI_PROJECT_PATH: 'eve/shop',
      CI_PROJECT_ID: '100',
      CI_PROJECT_NAMESPACE_ID: '6',
      CI_DEFAULT_BRANCH: 'hers',
    };
    assert.deepEqual(known(detect(fork)), {
      foundBy: 'GitLab CI',
      repo: 'acme/web/shop',
      repoSource: 'gitlab',
      repoExternalId: '99',
      ref: 'refs/merge-requests/7/head',
      sha: 'b'.repeat(40),
      baseRef: 'main',
      baseSha: 'c'.repeat(40),
    });
  });
});

describe('Azure Pipelines', () => {
  const env = {
    TF_BUILD: 'True',
    BUILD_REPOSITORY_URI: 'https://acme@dev.azure.com/acme/garden/_git/shop',
    BUILD_SOURCEBRANCH: 'refs/heads/main',
    BUILD_SOURCEVERSION: 'e'.repeat(40),
  };

  test('a branch is read with its commit, and without it the advice says what to give', () => {
    assert.deepEqual(known(detect(env)), {
      foundBy: 'Azure Pipelines',
      repo: 'acme/garden/shop',
      ref: 'refs/heads/main',
      sha: 'e'.repeat(40),
    });
    assert.match(detect({ TF_BUILD: 'True' })?.advice ?? '', /--ref/);
  });

  test('a build of the merge gives the head of its pull request, and the commit of the base that was merged', () => {
    const { origin, head, main } = forked();
    const checkout = new GitRepository({ of: origin });
    const change = {
      ...env,
      BUILD_SOURCEBRANCH: 'refs/pull/7/merge',
      BUILD_SOURCEVERSION: mergeInto(checkout, main, head),
      SYSTEM_PULLREQUEST_PULLREQUESTID: '7',
      SYSTEM_PULLREQUEST_SOURCECOMMITID: head,
      SYSTEM_PULLREQUEST_TARGETBRANCH: 'refs/heads/main',
    };
    assert.deepEqual(known(detect(change, { repository: checkout })), {
      foundBy: 'Azure Pipelines',
      repo: 'acme/garden/shop',
      ref: 'refs/pull/7/head',
      sha: head,
      baseRef: 'main',
      baseSha: main,
    });
    checkout.git('switch', '-q', '--detach', main);
    assertUnknown(detect(change, { repository: checkout }));
  });
});

describe('Jenkins', () => {
  const env = { JENKINS_URL: 'https://ci.example.com/', GIT_URL: 'git@github.com:acme/shop.git' };

  test('a multibranch project gives branch, pull request or tag', () => {
    const main = { ...env, BRANCH_NAME: 'main', BRANCH_IS_PRIMARY: 'true', GIT_COMMIT: 'e'.repeat(40) };
    assert.deepEqual(known(detect(main)), {
      foundBy: 'Jenkins',
      repo: 'acme/shop',
      ref: 'refs/heads/main',
      sha: 'e'.repeat(40),
      defaultBranch: 'main',
    });
    const tag = detect({ ...env, BRANCH_NAME: 'v1', TAG_NAME: 'v1' });
    assert.equal(tag?.ref, 'refs/tags/v1');
  });

  test('a plain job gives the branch without its remote, and git gives the rest', () => {
    const origin = new GitRepository();
    const sha = origin.commit();
    const checkout = new GitRepository({ of: origin });
    checkout.git('remote', 'set-url', 'origin', 'https://git.example.com/scm/acme/shop.git');
    const jenkins = { JENKINS_URL: env.JENKINS_URL, GIT_BRANCH: 'origin/feature/x' };
    assert.deepEqual(known(detect(jenkins, { repository: checkout })), {
      foundBy: 'Jenkins',
      repo: 'acme/shop',
      ref: 'refs/heads/feature/x',
      sha,
    });
    const nothing = detect({ JENKINS_URL: env.JENKINS_URL }, { repository: checkout });
    assert.match(nothing?.advice ?? '', /--ref/);
  });

  test('a build of the merge gives the head of its pull request', () => {
    const { origin, head, main } = forked();
    const checkout = new GitRepository({ of: origin });
    checkout.git('update-ref', 'refs/remotes/origin/PR-7', head);
    const merge = mergeInto(checkout, main, head);
    const change = {
      ...env,
      BRANCH_NAME: 'PR-7',
      CHANGE_ID: '7',
      CHANGE_TARGET: 'main',
      CHANGE_URL: 'https://github.com/acme/shop/pull/7',
    };
    // A scripted pipeline does not set the commit.
    for (const commit of [{ GIT_COMMIT: merge }, { GIT_COMMIT: head }, {}]) {
      assert.deepEqual(known(detect({ ...change, ...commit }, { repository: checkout })), {
        foundBy: 'Jenkins',
        repo: 'acme/shop',
        ref: 'refs/pull/7/head',
        sha: head,
        baseRef: 'main',
        baseSha: main,
      });
    }
    checkout.git('switch', '-q', '--detach', main);
    assertUnknown(detect({ ...change, GIT_COMMIT: merge }, { repository: checkout }));
    const gitlab = { ...change, CHANGE_URL: 'https://gitlab.com/acme/shop/-/merge_requests/7' };
    assert.equal(detect(gitlab)?.ref, 'refs/merge-requests/7/head');
  });
});

describe('git', () => {
  test('git gives remote, branch and commit; a detached HEAD is refused with what to pass', () => {
    const origin = new GitRepository();
    const sha = origin.commit();
    const checkout = new GitRepository({ of: origin });
    checkout.git('remote', 'set-url', 'origin', 'ssh://git@git.example.com:22/acme/shop');
    const found = { foundBy: 'git', repo: 'acme/shop', ref: 'refs/heads/main', sha };
    assert.deepEqual(known(detect({}, { repository: checkout })), found);
    checkout.git('switch', '-q', '--detach');
    const detached = detect({}, { repository: checkout });
    assert.deepEqual([detached?.ref, detached?.sha], [null, sha]);
    assert.match(detached?.advice ?? '', /HEAD is detached: give --ref/);
  });

  test('without a commit, a remote or a checkout the missing values are null', () => {
    const empty = detect({}, { repository: new GitRepository() });
    assert.deepEqual([empty?.repo, empty?.ref, empty?.sha], [null, 'refs/heads/main', null]);
    assert.equal(detect({}), null);
  });

  test('the URL gives the name of the repository', () => {
    const names = {
      'https://github.com/acme/shop.git': 'acme/shop',
      'https://user:secret@gitlab.com/acme/web/shop/': 'acme/web/shop',
      'git@github.com:acme/shop.git': 'acme/shop',
      'ssh://git@git.example.com:7999/acme/shop.git': 'acme/shop',
      'https://git.example.com/scm/ACME/shop.git': 'ACME/shop',
      'https://dev.azure.com/acme/my%20web/_git/shop': 'acme/my web/shop',
      'git@ssh.dev.azure.com:v3/acme/web/shop': 'acme/web/shop',
      'file:///srv/git/acme/shop.git': null,
      '/srv/git/acme/shop.git': null,
      '../shop': null,
      'C:\\git\\shop': null,
    };
    for (const [url, name] of Object.entries(names)) assert.equal(repositoryOfUrl(url), name, url);
  });

  test('a name is that of a repository at the top of a server or below a given path, and not below another', () => {
    const isName = (name: string) => isNameBelow(name, 'acme/shop', ['/', '/forge/']);
    for (const name of ['acme/shop', 'Acme/Shop', 'Forge/acme/shop']) assert.ok(isName(name), name);
    for (const name of ['evil/acme/shop', 'evil/forge/acme/shop', 'acme/shop/x', 'forge/shop'])
      assert.ok(!isName(name), name);
  });
});
