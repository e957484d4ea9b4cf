/** Tests that a repository cannot leave the rules that name it by a rename. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sweepViolations } from '../../src/policies/evaluation/sweep.ts';
import { clientOf } from '../support/client.ts';
import { trivy } from '../support/reports.ts';
import { openvex } from '../support/scanner-reports.ts';
import { createPolicyWorkspace, vulnerable } from './policy-workspace.ts';
import { uploader } from './upload-as.ts';

const W = await createPolicyWorkspace();
const { server, tenant, people, apply, gate } = W;
const up = uploader(server, tenant.id);
const M = people.member.key;
const A = people.admin.key;
void clientOf;
const sha = (d: string) => d.repeat(40);
const clean = () => trivy([]);

test('a VEX statement made while a repository is renamed does not decide after it is renamed back', async () => {
  await apply(
    `
key: org-rule
target_type: vulnerability
enforcement_mode: block
rules: [{type: org, id: acme}]
condition: {all: [{fact: package.name, operator: '==', value: orgy}]}
`.replace('rules: [{type: org, id: acme}]\n', ''),
  );
  const id = { repo_source: 'ghc', repo_external_id: '4711' };
  await up(A, { repo: 'acme/shop', ref: 'main', sha: sha('a'), ...id }, trivy([vulnerable('orgy', 'LOW')]));
  await apply(`
key: org-rule
target_type: vulnerability
enforcement_mode: block
rules: [{type: org, id: acme}]
condition: {all: [{fact: package.name, operator: '==', value: orgy}]}
`);
  assert.equal((await gate({ repo: 'acme/shop', ref: 'main' })).verdict, 'block');
  const vex = openvex([{ id: vulnerable('orgy').id, status: 'not_affected' }], null);
  await up(M, { repo: 'acme/shop', ref: 'main', ...id }, vex);
  assert.equal((await gate({ repo: 'acme/shop', ref: 'main' })).verdict, 'block', 'a suggestion');
  await up(
    M,
    { repo: 'sandbox/shop', ref: 'main', ...id, partial: 'true' },
    openvex([{ id: vulnerable('orgy').id, status: 'not_affected' }], new Date()),
  );
  await up(M, { repo: 'acme/shop', ref: 'zzz', ...id, partial: 'true' }, clean());
  await sweepViolations(server.db, tenant.id, new Date());
  await up(A, { repo: 'acme/shop', ref: 'main', sha: sha('c'), ...id }, trivy([vulnerable('orgy', 'LOW')]));
  const g = await gate({ repo: 'acme/shop', ref: 'main', sha: sha('c') });
  assert.equal(g.verdict, 'block');
});
