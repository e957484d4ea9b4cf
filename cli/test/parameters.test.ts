/**
 * Tests the parameters of an upload: options come before the checkout, and values of one subject are never sent with
 * another.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nothingKnown } from '../src/checkout/checkout.ts';
import { withSecondsToWait } from '../src/commands/scan.ts';
import { uploadParameters } from '../src/upload/parameters.ts';

const pullRequest = {
  ...nothingKnown('GitHub Actions'),
  repo: 'acme/shop',
  ref: 'refs/pull/7/head',
  sha: 'a'.repeat(40),
  baseRef: 'main',
  baseSha: 'b'.repeat(40),
  defaultBranch: 'main',
  repoSource: 'ghc',
  repoExternalId: '4711',
  orgExternalId: '42',
  private: true,
};
const ofRepository = {
  repo: 'acme/shop',
  default_branch: 'main',
  repo_source: 'ghc',
  repo_external_id: '4711',
  org_external_id: '42',
  private: 'true',
};
const all = {
  ...ofRepository,
  ref: 'refs/pull/7/head',
  sha: 'a'.repeat(40),
  base_ref: 'main',
  base_sha: 'b'.repeat(40),
};

test('all parameters come from the checkout', () => {
  assert.deepEqual(uploadParameters({}, pullRequest), all);
  const { repo_external_id: _, org_external_id: _org, repo_source: _source, ...rest } = all;
  assert.deepEqual(uploadParameters({}, { ...pullRequest, repoExternalId: null }), rest);
});

test('options come before the checkout and fill in what it does not know', () => {
  assert.deepEqual(
    uploadParameters(
      { sha: 'c'.repeat(7), category: 'nightly', partial: true, format: 'trivy' },
      pullRequest,
    ),
    { ...all, sha: 'c'.repeat(7), category: 'nightly', partial: 'true', format: 'trivy' },
  );
  assert.deepEqual(uploadParameters({ repo: 'Acme/Shop' }, pullRequest), { ...all, repo: 'Acme/Shop' });
});

test('another reference is sent without the commit and base of the checkout', () => {
  assert.deepEqual(uploadParameters({ ref: 'main' }, pullRequest), { ...ofRepository, ref: 'main' });
  const branch = { ...pullRequest, ref: 'refs/heads/main' };
  assert.equal(uploadParameters({ ref: 'main' }, branch).sha, 'a'.repeat(40));
  const detached = { ...pullRequest, ref: null };
  assert.equal(uploadParameters({ ref: 'main' }, detached).sha, 'a'.repeat(40));
});

test('another repository takes nothing from the checkout and needs --ref', () => {
  assert.deepEqual(uploadParameters({ repo: 'acme/other', ref: 'main' }, pullRequest), {
    repo: 'acme/other',
    ref: 'main',
  });
  assert.throws(
    () => uploadParameters({ repo: 'acme/other' }, pullRequest),
    /The repository acme\/other is not the one that is checked out here \(acme\/shop\): give --ref, and --sha\.$/,
  );
});

test('a missing value is refused with the option that gives it', () => {
  const nothing = nothingKnown('git');
  assert.throws(() => uploadParameters({}, null), /no checkout here: give --repo/);
  assert.throws(() => uploadParameters({}, nothing), /No repository is named by git: give --repo/);
  assert.throws(
    () => uploadParameters({ repo: 'a/b' }, { ...nothing, advice: 'Give a branch.' }),
    /Give a branch./,
  );
  assert.throws(() => uploadParameters({ repo: 'a/b' }, null), /give --ref/);
});

test('--wait without a value does not take the next file as its seconds', () => {
  const cases: [string[], string[]][] = [
    [
      ['--wait', 'a.json'],
      ['--wait=300', 'a.json'],
    ],
    [
      ['a.json', '--wait'],
      ['a.json', '--wait=300'],
    ],
    [
      ['--wait', '5', 'a.json'],
      ['--wait', '5', 'a.json'],
    ],
    [
      ['--wait=5', 'a.json'],
      ['--wait=5', 'a.json'],
    ],
    [
      ['--', '--wait'],
      ['--', '--wait'],
    ],
  ];
  for (const [given, expected] of cases) assert.deepEqual(withSecondsToWait(given), expected);
});

test('a run that has checked out another repository must name what was scanned', () => {
  const other = { ...pullRequest, otherRepo: 'acme/shed' };
  assert.throws(() => uploadParameters({}, other), {
    message:
      'The checkout here is acme/shed, but GitHub Actions runs for acme/shop: give --repo, and --ref and --sha of what was scanned.',
  });
  assert.throws(() => uploadParameters({ repo: 'acme/shed' }, other), {
    message:
      'The repository acme/shed is not the one that GitHub Actions runs for (acme/shop): give --ref, and --sha.',
  });
  assert.deepEqual(uploadParameters({ repo: 'acme/shed', ref: 'main' }, other), {
    repo: 'acme/shed',
    ref: 'main',
  });
  assert.deepEqual(uploadParameters({ repo: 'acme/shop' }, other), all, 'the person knows better');
});
