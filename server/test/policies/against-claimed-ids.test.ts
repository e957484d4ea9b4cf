/**
 * Tests of attacks with the id of the VCS: a sender who claims an id first cannot draw reports away from a repository
 * in which a policy blocks.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trivy } from '../support/reports.ts';
import { blockCritical, createPolicyWorkspace, vulnerable } from './policy-workspace.ts';
import { uploader } from './upload-as.ts';

const W = await createPolicyWorkspace();
const { server, tenant, people, apply, gate } = W;
await apply(blockCritical);
const upload = uploader(server, tenant.id);
const sha = (digit: string) => digit.repeat(40);

test('a report goes to the repository that it names, whoever has claimed its VCS id', async () => {
  const repo = 'acme/drawn';
  const id = { repo_source: 'ghc', repo_external_id: '4711' };
  await upload(people.member.key, { repo, ref: 'main', sha: sha('a') }, trivy([]));
  await upload(people.member.key, { repo: 'evil/claim', ref: 'main', sha: sha('a'), ...id }, trivy([]));
  await upload(people.member.key, { repo, ref: 'main', sha: sha('b'), ...id }, trivy([vulnerable('lodash')]));
  assert.equal((await gate({ repo, ref: 'main' })).verdict, 'block');
});
