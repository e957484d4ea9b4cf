/**
 * A workspace with a policy for tests of uploads over HTTP by several people: no report of a person who may not decide
 * turns a gate green.
 */
import assert from 'node:assert/strict';
import pg from 'pg';
import { importTx } from '../../src/db/database.ts';
import { parseId } from '../../src/domain/ids.ts';
import { processRepository } from '../../src/ingest/import/process-scan.ts';
import { applyPolicies } from '../../src/policies/definition/apply.ts';
import { parsePolicies } from '../../src/policies/definition/document.ts';
import { clientOf, queryOf, send } from '../support/client.ts';
import { testConfig } from '../support/import.ts';
import { untilLockWaits } from '../support/lock-waits.ts';
import { policyOf } from '../support/policies.ts';
import { trivy } from '../support/reports.ts';
import type { Advisory } from '../support/scanner-reports.ts';
import { blockCritical, createPolicyWorkspace, vulnerable } from './policy-workspace.ts';

export const sha = (digit: string) => digit.repeat(40);
export const clean = () => trivy([]);
export const bad = () => trivy([vulnerable('lodash')]);

let cases = 0;

/** A repository, and two names of an advisory that are still unknown. */
export function newCase() {
  const number = ++cases;
  const advisory = (id: string, aliases: string[] = []): Advisory => ({
    id,
    aliases,
    package: 'leaky',
    version: '1.0.0',
    severity: 'critical',
  });
  return {
    repo: `acme/named-${number}`,
    cve: `CVE-2033-${1000 + number}`,
    ghsa: `GHSA-aaaa-bbbb-c${String(number).padStart(3, '2')}`,
    advisory,
  };
}

export async function createUploadWorkspace(policy = blockCritical) {
  const workspace = await createPolicyWorkspace();
  const { server, tenant, people } = workspace;
  if (policy !== '') await workspace.apply(policy);

  const process = (repositoryId: string) =>
    processRepository({ db: server.db, secret: server.secret, config: testConfig }, tenant.id, repositoryId);

  /** Uploads with a key, and then processes the job. */
  async function upload(key: string, query: Record<string, string>, report: object, processes = true) {
    const answer = await send<{ id: string; status: string; repository: { id: string } }>(server.app, {
      method: 'POST',
      path: `/ingest/v1/acme/scans${queryOf(query)}`,
      authorization: `Bearer ${key}`,
      body: JSON.stringify(report),
      headers: { 'content-type': 'application/octet-stream' },
    });
    assert.equal(answer.status, 202, answer.text);
    const repositoryId = parseId('repository', answer.body.repository.id) ?? '';
    if (processes) await process(repositoryId);
    return { ...answer.body, repositoryId };
  }

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

  let repositories = 0;
  const newRepository = () => `acme/repo-${++repositories}`;

  /** Applies a policy about a package while the import of the first report with that package ends. */
  async function applyDuringImport(policyKey: string) {
    const { key } = people.member;
    const repo = newRepository();
    const seed = vulnerable('seed', 'LOW');
    const { repositoryId } = await upload(key, { repo, ref: 'main', sha: sha('a') }, trivy([seed]));
    const newcomer = vulnerable('newcomer', 'LOW');
    await upload(key, { repo, ref: 'main', sha: sha('b') }, trivy([seed, newcomer]), false);
    const release = await holdCounters();
    const importing = process(repositoryId);
    await untilLockWaits(server.owner);
    const boss = await server.queue.open();
    const added = policyOf(policyKey, "{fact: package.name, operator: '==', value: newcomer}");
    await importTx(server.db, tenant.id, (tx) =>
      applyPolicies(tx, boss, parsePolicies(added), { actorId: null }),
    );
    return { repo, release, importing };
  }

  return {
    ...workspace,
    memberKey: people.member.key,
    adminKey: people.admin.key,
    member: clientOf(server.app, people.member.key),
    upload,
    process,
    holdCounters,
    verdictOf: async (repo: string) => (await workspace.gate({ repo, ref: 'main' })).verdict,
    applyDuringImport,
    newRepository,
  };
}
