/** Tests of suppressions in a report: they count only as far as their sender may decide. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sarif } from '../support/reports.ts';
import { blockCritical, createPolicyWorkspace } from './policy-workspace.ts';
import { uploader } from './upload-as.ts';

const W = await createPolicyWorkspace();
const { server, tenant, people, apply, gate } = W;
await apply(blockCritical);
const up = uploader(server, tenant.id);
const M = people.member.key;
const A = people.admin.key;
const sha = (d: string) => d.repeat(40);
let n = 0;
const newRepository = () => `acme/g-${++n}`;

test('a member’s suppression does not decide when an admin’s partial report of something else comes', async () => {
  await apply(`
key: code
target_type: vulnerability
enforcement_mode: block
condition: {all: [{fact: type, operator: '==', value: sast}]}
`);
  const repo = newRepository();
  const code = (suppressed: boolean) =>
    sarif([
      {
        rule: 'sqli',
        path: 'src/db.ts',
        line: 7,
        code: 'query(x)',
        ...(suppressed ? { suppressed: 'external' as const } : {}),
      },
    ]);
  await up(A, { repo, ref: 'main', sha: sha('a') }, code(false));
  await up(M, { repo, ref: 'main', sha: sha('b') }, code(true));
  const before = (await gate({ repo, ref: 'main' })).verdict;
  await up(A, { repo, ref: 'main', sha: sha('c'), partial: 'true' }, sarif([]));
  const after = (await gate({ repo, ref: 'main' })).verdict;
  assert.deepEqual([before, after], ['block', 'block']);
});
