/**
 * A workspace with a policy for tests of uploads over HTTP by several people: no report of a person who may not decide
 * turns a gate green.
 */
import assert from 'node:assert/strict';
import pg from 'pg';
import { importTx } from '../../src/db/database.ts';
import { getId, type RepositoryId } from '../../src/domain/ids.ts';
import { processRepository } from '../../src/ingest/import/process-scan.ts';
import { applyPolicies } from '../../src/policies/definition/apply.ts';
import { parsePolicies } from '../../src/policies/definition/document.ts';
import { type Client, clientOf, queryOf, send, succeeded } from '../support/client.ts';
import { testConfig } from '../support/import.ts';
import { untilLockWaits } from '../support/lock-waits.ts';
import { packageIs, policyOf } from '../support/policies.ts';
import { type PackageResult, trivy } from '../support/reports.ts';
import { type Advisory, openvex, osvScanner } from '../support/scanner-reports.ts';
import { blockCritical, createPolicyWorkspace, vulnerable } from './policy-workspace.ts';

export const sha = (digit: string) => digit.repeat(40);
export const clean = () => trivy([]);
export const bad = () => trivy([vulnerable('lodash')]);
/** A report of one vulnerability that `blockCritical` lets through. */
export const low = (name: string) => trivy([vulnerable(name, 'LOW')]);
export const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

let cases = 0;

/**
 * A repository, two names of an advisory that are still unknown, and a report about another package that says that they
 * are one.
 */
export function newCase() {
  const number = ++cases;
  const advisory = (id: string, aliases: string[] = []): Advisory => ({
    id,
    aliases,
    package: 'leaky',
    version: '1.0.0',
    severity: 'critical',
  });
  const cve = `CVE-2033-${1000 + number}`;
  const ghsa = `GHSA-aaaa-bbbb-c${String(number).padStart(3, '0')}`;
  const teaching = osvScanner([{ ...advisory(cve, [ghsa]), package: 'anything' }]);
  return { repo: `acme/named-${number}`, cve, ghsa, advisory, teaching };
}

/** A document that says this about the CVE of the package `leaky`. */
export const vexOf = (id: string, status: 'affected' | 'not_affected', at: Date | null) =>
  openvex([{ status, purl: 'pkg:npm/leaky', id }], at);

export async function createUploadWorkspace(policy = blockCritical) {
  // Some files upload as often in a minute as the limit of a key allows.
  const workspace = await createPolicyWorkspace({ MERLON_UPLOADS_PER_MINUTE: '0' });
  const { server, tenant, people } = workspace;
  if (policy !== '') await workspace.apply(policy);

  const process = (repositoryId: RepositoryId) =>
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
    const repositoryId = getId('repository', answer.body.repository.id);
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

  const admin = workspace.client;
  const member = clientOf(server.app, people.member.key);

  /** The vulnerabilities of a repository that match the query. */
  async function vulnerabilities(repo: string, query: Record<string, string> = {}) {
    const { body } = await admin.get<{ items: { id: string; title: string; status: string }[] }>(
      `/api/v1/acme/vulnerabilities${queryOf({ repo, ...query })}`,
    );
    return body.items;
  }

  /** Retires the series of the repository, or only those of the category. */
  async function retire(repo: string, category?: string) {
    const { body } = await admin.get<{ items: { id: string; category: string }[] }>(
      `/manage/v1/acme/scan-series${queryOf({ repo })}`,
    );
    const retired = body.items.filter((item) => category === undefined || item.category === category);
    assert.ok(retired.length > 0, `${repo} has no series ${category ?? ''}`);
    for (const { id } of retired) succeeded(await admin.post(`/manage/v1/acme/scan-series/${id}/retire`, {}));
  }

  async function decide(by: Client, action: 'accept' | 'reject' | 'reopen', id: string | undefined) {
    const decision = { action, vulnerabilities: [{ id }], reason: 'Not reachable.' };
    succeeded(await by.post('/manage/v1/acme/vulnerabilities/decisions', decision));
  }

  async function onlyVulnerability(repo: string) {
    const [only, ...others] = await vulnerabilities(repo);
    assert.ok(only && others.length === 0, JSON.stringify([only, ...others]));
    return only;
  }

  /** A decision about a violation; a snooze is for 89 days. Returns the status of the answer. */
  async function decideViolation(by: Client, action: 'snooze' | 'wake' | 'undo', id: string | undefined) {
    const decision = {
      action,
      violations: [{ id }],
      ...(action === 'undo' ? {} : { reason: 'Next quarter.' }),
      ...(action === 'snooze' ? { until: hoursAgo(-89 * 24) } : {}),
    };
    return (await by.post('/manage/v1/acme/policy-violations/decisions', decision)).status;
  }

  /** A member requests an exception of the violation, and an admin approves it. Returns the path of the exception. */
  async function except(violation: string | undefined): Promise<string> {
    const request = { violations: [violation], reason: 'Not reachable.' };
    const { body } = await member.post<{ items: { id: string }[] }>('/manage/v1/acme/exceptions', request);
    const path = `/manage/v1/acme/exceptions/${body.items[0]?.id}`;
    succeeded(await admin.post(`${path}/review`, { decision: 'approve' }));
    return path;
  }

  let repositories = 0;
  const newRepository = () => `acme/repo-${++repositories}`;

  /** Begins the first import of a package, which waits until the returned `release` is called. */
  async function holdImport(newcomer: PackageResult) {
    const { key } = people.member;
    const repo = newRepository();
    const seed = vulnerable('seed', 'LOW');
    const { repositoryId } = await upload(key, { repo, ref: 'main', sha: sha('a') }, trivy([seed]));
    await upload(key, { repo, ref: 'main', sha: sha('b') }, trivy([seed, newcomer]), false);
    const release = await holdCounters();
    const importing = process(repositoryId);
    await untilLockWaits(server.owner);
    return { repo, release, importing };
  }

  /** Applies a policy about a package while the import of the first report with that package ends. */
  async function applyDuringImport(policyKey: string) {
    const held = await holdImport(vulnerable('newcomer', 'LOW'));
    const boss = await server.queue.open();
    const added = policyOf(policyKey, packageIs('newcomer'));
    await importTx(server.db, tenant.id, (tx) =>
      applyPolicies(tx, boss, parsePolicies(added), { actorId: null }),
    );
    return held;
  }

  return {
    ...workspace,
    memberKey: people.member.key,
    adminKey: people.admin.key,
    member,
    vulnerabilities,
    onlyVulnerability,
    decide,
    decideViolation,
    except,
    upload,
    process,
    holdCounters,
    retire,
    verdictOf: async (repo: string) => (await workspace.gate({ repo, ref: 'main' })).verdict,
    holdImport,
    applyDuringImport,
    newRepository,
  };
}
