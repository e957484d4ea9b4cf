/** Tests of the gate with series of the base that an admin has retired. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bad, clean, createUploadWorkspace, sha } from './upload-workspace.ts';

const { gate, newRepository, retire, upload, memberKey: key } = await createUploadWorkspace();

test('a retired series of the base does not count as having seen what its base has fixed', async () => {
  const repo = newRepository();
  const pull = { repo, ref: 'refs/pull/1/head', base_ref: 'main', base_sha: sha('c') };
  await upload(key, { repo, ref: 'main', sha: sha('a'), category: 'old' }, bad());
  await upload(key, { repo, ref: 'main', sha: sha('a'), category: 'new' }, clean());
  const before = new Date().toISOString();
  await retire(repo, 'old');
  await upload(key, { repo, ref: 'main', sha: sha('c'), category: 'new' }, clean());
  const earlier = { ...pull, ref: 'refs/pull/2/head', base_sha: sha('a') };
  const verdicts = async () => {
    const found: (string | null)[] = [];
    for (const each of [pull, earlier]) {
      await upload(key, { ...each, sha: sha('d'), category: 'new' }, bad());
      found.push((await gate({ repo, ref: each.ref })).verdict);
    }
    return found;
  };
  const expected = ['block', 'pass'];
  assert.deepEqual(await verdicts(), expected, 'only the base of the second one had it');
  await retire(repo, 'old');
  assert.deepEqual(await verdicts(), expected, 'retired twice');
  await upload(key, { repo, ref: 'main', sha: sha('e'), category: 'old' }, clean());
  assert.deepEqual(await verdicts(), expected, 'active again');
  await retire(repo, 'old');
  assert.deepEqual(await verdicts(), expected, 'and retired again');
  // A report of the base's commit that states an earlier time does not choose the moment of the comparison.
  const backdated = { repo, ref: 'main', sha: sha('c'), category: 'third', scanned_at: before };
  await upload(key, backdated, clean());
  assert.deepEqual(await verdicts(), expected, 'with a report that is dated back');
});
