/** Tests of gaps between a policy, an import and an identity: nothing is left out. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyInventory } from '../../src/actions/inventory-file/apply.ts';
import { importTx } from '../../src/db/database.ts';
import { evaluatePolicies } from '../../src/policies/evaluation/evaluate-policies.ts';
import { sweepViolations } from '../../src/policies/evaluation/sweep.ts';
import { importAll } from '../support/import.ts';
import { factIs, packageIs, policyOf } from '../support/policies.ts';
import { reportInput } from '../support/workspace.ts';
import { blockCritical } from './policy-workspace.ts';
import { bad, clean, createUploadWorkspace, low, sha } from './upload-workspace.ts';

const W = await createUploadWorkspace('');
const { server, tenant, apply, gate, upload: up, applyDuringImport, newRepository } = W;
const { adminKey: A } = W;

test('the first policy of a workspace, applied while an import ends, covers the findings of that import', async () => {
  const { repo, release, importing } = await applyDuringImport('e0');
  // The evaluation waits for the import, and then includes its data.
  const evaluation = evaluatePolicies(server.db, tenant.id);
  await release();
  await importing;
  await evaluation;
  await sweepViolations(server.db, tenant.id, new Date());
  assert.equal((await gate({ repo, ref: 'main', sha: sha('b') })).verdict, 'block');
});

test('a report that changes repository.source makes policies about it apply', async () => {
  await apply(policyOf('src', `${factIs('repository.source', 'ghc')}, ${packageIs('src')}`));
  const repo = newRepository();
  await up(A, { repo, ref: 'main', sha: sha('a') }, low('src'));
  assert.equal((await gate({ repo, ref: 'main' })).verdict, 'pass');
  await up(A, { repo, ref: 'main', sha: sha('b'), repo_source: 'ghc', repo_external_id: '77' }, low('src'));
  await sweepViolations(server.db, tenant.id, new Date());
  assert.equal((await gate({ repo, ref: 'main', sha: sha('b') })).verdict, 'block');
});

test('a default branch that has a base blocks for all its violations', async () => {
  await apply(blockCritical);
  const repo = newRepository();
  await up(A, { repo, ref: 'main', sha: sha('a') }, bad());
  await up(A, { repo, ref: 'develop', sha: sha('b'), base_ref: 'main', base_sha: sha('a') }, bad());
  await importTx(server.db, tenant.id, (tx) =>
    applyInventory(tx, { repositories: [{ full_name: repo, default_branch: 'develop' }] }),
  );
  await up(A, { repo, ref: 'develop', sha: sha('c') }, bad());
  assert.equal((await gate({ repo })).verdict, 'block');
});

test('a failed scan still prevents a pass behind 200 later scans', async () => {
  const repository = newRepository();
  const pad = ' '.repeat(70_000);
  const parameters = { repository, sha: sha('a') };
  const fail = (text: string, more: object) =>
    reportInput(null, { ...parameters, report: Buffer.from(text), ...more });
  const good = () => reportInput(clean(), { ...parameters, format: 'trivy', fileName: 't.json' });
  await importAll(server, 'acme', [
    fail(
      `{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[${pad}{"tool":`,
      { format: 'sarif', fileName: 'codeql.sarif' },
    ),
    good(),
  ]);
  assert.equal((await gate({ repo: repository, sha: sha('a') })).status, 'failed');
  await importAll(server, 'acme', [
    ...Array.from({ length: 200 }, (_, i) =>
      fail(`{"SchemaVersion":2,"ArtifactName":"${i}","Results":[${pad}{"T":`, {
        format: 'trivy',
        fileName: 't.json',
      }),
    ),
    good(),
  ]);
  assert.notEqual((await gate({ repo: repository, sha: sha('a') })).verdict, 'pass');
});
