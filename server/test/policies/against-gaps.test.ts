/** Tests of gaps between a policy, an import and an identity: nothing is left out. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { applyInventory } from '../../src/actions/inventory-file/apply.ts';
import { importTx } from '../../src/db/database.ts';
import { processRepository } from '../../src/ingest/import/process-scan.ts';
import { applyPolicies } from '../../src/policies/definition/apply.ts';
import { parsePolicies } from '../../src/policies/definition/document.ts';
import { evaluatePolicies } from '../../src/policies/evaluation/evaluate-policies.ts';
import { sweepViolations } from '../../src/policies/evaluation/sweep.ts';
import { clientOf } from '../support/client.ts';
import { importAll, testConfig } from '../support/import.ts';
import { trivy } from '../support/reports.ts';
import { osvScanner } from '../support/scanner-reports.ts';
import { reportInput } from '../support/workspace.ts';
import { blockCritical, createPolicyWorkspace, vulnerable } from './policy-workspace.ts';
import { uploader } from './upload-as.ts';

const W = await createPolicyWorkspace();
const { server, tenant, people, apply, gate } = W;
const up = uploader(server, tenant.id);
const M = people.member.key;
const A = people.admin.key;
const member = clientOf(server.app, M);
const sha = (d: string) => d.repeat(40);
const clean = () => trivy([]);
const bad = () => trivy([vulnerable('lodash')]);
let n = 0;
const newRepository = () => `acme/e-${++n}`;
const process = (repositoryId: string) =>
  processRepository({ db: server.db, secret: server.secret, config: testConfig }, tenant.id, repositoryId);
void member;
void osvScanner;
void sleep;

/** Locks all counters of the workspace, so that every writer waits at the very end of its transaction. */
async function holdCounters() {
  const client = new pg.Client({ connectionString: server.ownerUrl });
  await client.connect();
  await client.query('begin');
  await client.query('select 1 from vulnerability_count where tenant_id = $1 for update', [tenant.id]);
  return async () => {
    await client.query('commit');
    await client.end();
  };
}
async function waiting(atLeast = 1) {
  for (let i = 0; i < 200; i++) {
    const { rows } = await server.owner.query(
      "select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    if (rows[0].n >= atLeast) return;
    await sleep(25);
  }
  throw new Error('nobody waits');
}

test('the first policy of a workspace, applied while an import ends, covers the findings of that import', async () => {
  const repo = newRepository();
  const s = await up(M, { repo, ref: 'main', sha: sha('a') }, trivy([vulnerable('seed', 'LOW')]));
  await up(
    M,
    { repo, ref: 'main', sha: sha('b') },
    trivy([vulnerable('seed', 'LOW'), vulnerable('newcomer', 'LOW')]),
    false,
  );
  const release = await holdCounters();
  const importing = process(s.repositoryId);
  await waiting();
  const boss = await server.queue.open();
  await importTx(server.db, tenant.id, (tx) =>
    applyPolicies(
      tx,
      boss,
      parsePolicies(`
key: e0
target_type: vulnerability
enforcement_mode: block
condition: {all: [{fact: package.name, operator: '==', value: newcomer}]}
`),
      { actorId: null },
    ),
  );
  // The evaluation waits for the import, and then includes its data.
  const asking = evaluatePolicies(server.db, tenant.id);
  await release();
  await importing;
  await asking;
  await sweepViolations(server.db, tenant.id, new Date());
  const g = await gate({ repo, ref: 'main', sha: sha('b') });
  assert.equal(g.verdict, 'block');
});

test('a report that changes repository.source makes policies about it apply', async () => {
  await apply(`
key: src
target_type: vulnerability
enforcement_mode: block
condition: {all: [{fact: repository.source, operator: '==', value: ghc}, {fact: package.name, operator: '==', value: src}]}
`);
  const repo = newRepository();
  await up(A, { repo, ref: 'main', sha: sha('a') }, trivy([vulnerable('src', 'LOW')]));
  assert.equal((await gate({ repo, ref: 'main' })).verdict, 'pass');
  await up(
    A,
    { repo, ref: 'main', sha: sha('b'), repo_source: 'ghc', repo_external_id: '77' },
    trivy([vulnerable('src', 'LOW')]),
  );
  await sweepViolations(server.db, tenant.id, new Date());
  const g = await gate({ repo, ref: 'main', sha: sha('b') });
  assert.equal(g.verdict, 'block');
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
  const g = await gate({ repo });
  assert.equal(g.verdict, 'block');
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
  Date.now();
  await importAll(server, 'acme', [
    ...Array.from({ length: 200 }, (_, i) =>
      fail(`{"SchemaVersion":2,"ArtifactName":"${i}","Results":[${pad}{"T":`, {
        format: 'trivy',
        fileName: 't.json',
      }),
    ),
    good(),
  ]);
  const g = await gate({ repo: repository, sha: sha('a') });
  assert.notEqual(g.verdict, 'pass');
});
