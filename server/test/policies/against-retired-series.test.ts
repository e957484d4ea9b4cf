/** Tests of the gate with series of the base that an admin has retired. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bad, clean, createUploadWorkspace, sha } from './upload-workspace.ts';

const { client: admin, gate, newRepository, upload, memberKey: key } = await createUploadWorkspace();

test('a retired series of the base does not count as having seen what its base has fixed', async () => {
  const repo = newRepository();
  const pull = { repo, ref: 'refs/pull/1/head', base_ref: 'main', base_sha: sha('c') };
  for (const category of ['old', 'new']) {
    await upload(key, { repo, ref: 'main', sha: sha('a'), category }, bad());
  }
  await upload(key, { repo, ref: 'main', sha: sha('b'), category: 'new' }, clean());
  const { body } = await admin.get<{ items: { id: string; category: string }[] }>(
    `/manage/v1/acme/scan-series?repo=${encodeURIComponent(repo)}`,
  );
  const old = body.items.find(({ category }) => category === 'old');
  assert.equal((await admin.post(`/manage/v1/acme/scan-series/${old?.id}/retire`, {})).status, 200);
  await upload(key, { repo, ref: 'main', sha: sha('c'), category: 'new' }, clean());
  await upload(key, { ...pull, sha: sha('d'), category: 'new' }, bad());
  assert.equal((await gate({ repo, ref: pull.ref })).verdict, 'block');
  await upload(
    key,
    { ...pull, ref: 'refs/pull/2/head', base_sha: sha('a'), sha: sha('f'), category: 'new' },
    bad(),
  );
  assert.equal((await gate({ repo, ref: 'refs/pull/2/head' })).verdict, 'pass', 'its base had it');

  // A report that makes the series active again says nothing about the commits before it.
  await upload(key, { repo, ref: 'main', sha: sha('e'), category: 'old' }, clean());
  await upload(key, { ...pull, sha: sha('d'), category: 'new' }, bad());
  assert.equal((await gate({ repo, ref: pull.ref })).verdict, 'block');
});
