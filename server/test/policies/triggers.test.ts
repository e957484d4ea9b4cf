/**
 * Tests of triggers: when a value that a condition reads changes, the violations and the verdict follow, and nothing
 * else changes.
 */

import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { reEvaluateIntel } from '../../src/actions/intel/re-evaluate.ts';
import { importIntel } from '../../src/actions/intel/service.ts';
import { applyInventory } from '../../src/actions/inventory-file/apply.ts';
import { type ChangeTx, importTx, tenantReadTx } from '../../src/db/database.ts';
import { policyQueue } from '../../src/db/queue-tables.ts';
import { formatId, nilId, parseId, type RepositoryId, type VulnerabilityId } from '../../src/domain/ids.ts';
import { parseReference } from '../../src/domain/reference-name.ts';
import { importSsvc } from '../../src/ingest/advisories/import-ssvc.ts';
import { getOrCreateOrganization } from '../../src/inventory/organizations/service.ts';
import { sendPolicyJob } from '../../src/jobs/queue.ts';
import { applyPolicies } from '../../src/policies/definition/apply.ts';
import { parsePolicies } from '../../src/policies/definition/document.ts';
import { listPolicies } from '../../src/policies/definition/store.ts';
import { dryRunPolicy } from '../../src/policies/evaluation/dry-run.ts';
import { showMatches } from '../../src/policies/evaluation/dry-run-matches.ts';
import { evaluatePendingPolicies } from '../../src/policies/evaluation/evaluate-policies.ts';
import { listPendingRepositories } from '../../src/policies/evaluation/scope-store.ts';
import { sweepViolations } from '../../src/policies/evaluation/sweep.ts';
import { sweepTenant } from '../../src/vulnerabilities/sweep.ts';
import { startWorker } from '../../src/worker.ts';
import { clientOf, succeeded } from '../support/client.ts';
import { fieldsOf } from '../support/fields.ts';
import { importAll, testConfig } from '../support/import.ts';
import { untilLockWaits } from '../support/lock-waits.ts';
import { factIs, packageIs, policiesOf, policyOf } from '../support/policies.ts';
import { sarif, trivy } from '../support/reports.ts';
import { gitleaks } from '../support/scanner-reports.ts';
import { ssvcRecord } from '../support/ssvc.ts';
import { until } from '../support/until.ts';
import { createTestWorkspace, reportInput } from '../support/workspace.ts';
import { createPolicyWorkspace, onCitus, vulnerable } from './policy-workspace.ts';

const { server, tenant, people, apply, scan, gate, violations, refuseEvaluations } =
  await createPolicyWorkspace();
const day = 24 * 3600 * 1000;
const directory = mkdtempSync(join(tmpdir(), 'merlon-policies-'));

const policy = (key: string, condition: string, more = 'enforcement_mode: block') => `
key: ${key}
target_type: vulnerability
${more}
condition: {all: [${condition}]}
`;

/** Keys of the policies that the repository violates now. */
async function violated(repo: string, query: Record<string, string> = {}): Promise<string[]> {
  const items = await violations({ repo, status: 'open', ...query });
  return items.map((item) => item.policy.key).sort();
}

const inventory = (document: Parameters<typeof applyInventory>[1]) =>
  importTx(server.db, tenant.id, (tx) => applyInventory(tx, document));
const sweep = (now: Date) => sweepViolations(server.db, tenant.id, now);

/** Loads a catalogue with these CVEs and one more, and a score. */
async function loadFeeds(cves: string[], [cve, score]: [string, number], date: string): Promise<void> {
  const [kev, epss] = [join(directory, 'kev.json'), join(directory, 'epss.csv')];
  writeFileSync(
    kev,
    JSON.stringify({
      catalogVersion: date,
      dateReleased: `${date}T00:00:00Z`,
      count: cves.length + 1,
      vulnerabilities: ['CVE-1999-0001', ...cves].map((cveID) => ({
        cveID,
        vendorProject: 'v',
        product: 'p',
        vulnerabilityName: 'n',
        dateAdded: date,
        dueDate: date,
        knownRansomwareCampaignUse: 'Unknown',
      })),
    }),
  );
  writeFileSync(
    epss,
    `#model_version:v1,score_date:${date}T00:00:00+0000\ncve,epss,percentile\nCVE-1999-0001,0.1,0.1\n${cve},${score},0.9\n`,
  );
  await importIntel(server.db, { kev, epss, force: true }, new Date());
}

const startOneWorker = () =>
  startWorker(
    { db: server.db, secret: server.secret, config: { ...testConfig, workers: 1 } },
    { info: () => {}, warn: () => {}, error: () => {} },
  );

describe('a policy', () => {
  test('is evaluated in the whole workspace when it is created, changed, disabled and enabled', async () => {
    await scan([vulnerable('a'), vulnerable('b', 'HIGH')], { repository: 'acme/whole' });
    assert.deepEqual(await violated('acme/whole'), []);
    assert.equal((await gate({ repo: 'acme/whole' })).verdict, 'pass');
    const severe = (value: string, more?: string) =>
      policy('whole', `{fact: severity, operator: '>=', value: ${value}}`, more);
    await apply(severe('critical'));
    const [first] = await violations({ repo: 'acme/whole' });
    assert.deepEqual(await violated('acme/whole'), ['whole']);
    assert.equal((await gate({ repo: 'acme/whole' })).verdict, 'block');
    await apply(severe('high'));
    assert.deepEqual(await violated('acme/whole'), ['whole', 'whole']);
    await apply(severe('high', 'enforcement_mode: warn'));
    assert.equal((await gate({ repo: 'acme/whole' })).verdict, 'warn');
    await apply(severe('high', 'enforcement_mode: block\nstatus: disabled'));
    assert.deepEqual(await violated('acme/whole'), []);
    assert.equal((await gate({ repo: 'acme/whole' })).verdict, 'pass');
    await apply(severe('critical'));
    const again = await violations({ repo: 'acme/whole', status: 'open' });
    assert.deepEqual([again.length, again[0]?.id], [1, first?.id], 'one problem keeps its violation');
    await apply(severe('critical', 'enforcement_mode: block\nstatus: draft'));
    assert.deepEqual(await violated('acme/whole'), []);
  });

  test('has a dry run that changes nothing', async () => {
    await scan([vulnerable('a'), vulnerable('c')], { repository: 'acme/dry' });
    await scan([vulnerable('a')], { repository: 'acme/dry', ref: 'feature' });
    const input = {
      key: 'dry',
      target_type: 'vulnerability' as const,
      enforcement_mode: 'block' as const,
      condition: {
        all: [
          { fact: 'repository.full_name', operator: '==' as const, value: 'ACME/dry' },
          { fact: 'severity', operator: '==' as const, value: 'critical' },
        ],
      },
    };
    const dryRun = (options: { limitMs: number; listed: number }) =>
      dryRunPolicy(server.db, tenant.id, input, options);
    const { found, ...counts } = await dryRun({ limitMs: 60_000, listed: 200 });
    assert.deepEqual(counts, { matches: 2, repositories: 1, blocked_references: 2, complete: true });
    // A target that matches on two references is listed once, on the default branch.
    const listed = await showMatches(server.db, tenant.id, 'vulnerability', found);
    assert.deepEqual(
      listed
        .map(({ target, repository, ref, blocking }) => [
          Array.isArray(target) || target.type !== 'vulnerability' ? '' : target.title.slice(0, 2),
          repository.full_name,
          ref,
          blocking,
        ])
        .sort(),
      [
        ['a:', 'acme/dry', 'main', true],
        ['c:', 'acme/dry', 'main', true],
      ],
    );
    assert.equal((await dryRun({ limitMs: 60_000, listed: 1 })).found.length, 1);
    assert.equal((await dryRun({ limitMs: -1, listed: 0 })).complete, false);
    assert.deepEqual(await violated('acme/dry'), []);
  });

  test('about analyses has the matches of its dry run, also if no policy was ever active', async () => {
    const other = await createTestWorkspace(server, 'unruled');
    await importAll(server, 'unruled', [reportInput(trivy([vulnerable('x')]))]);
    const condition = factIs('vulnerable_reason', 'never_scanned');
    const [input] = parsePolicies(
      policyOf('never', `{fact: analysis_type, operator: in, value: [secret, dependency]}, ${condition}`, {
        mode: 'warn',
        target: 'analysis',
      }),
    );
    assert.ok(input);
    const { id } = other.tenant;
    const { matches, found } = await dryRunPolicy(server.db, id, input, { limitMs: 60_000, listed: 9 });
    assert.deepEqual([matches, (await showMatches(server.db, id, 'analysis', found)).length], [1, 1]);
  });

  test('is evaluated by the worker, which reports its progress', async () => {
    await scan([vulnerable('w')], { repository: 'acme/worker' });
    const worker = await startOneWorker();
    try {
      const answer = await clientOf(server.app, people.admin.key).put('/manage/v1/acme/policies/by-worker', {
        target_type: 'vulnerability',
        enforcement_mode: 'block',
        condition: { all: [{ fact: 'package.name', operator: '==', value: 'w' }] },
      });
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.body.change, 'created');
      await until(async () => (await violated('acme/worker')).length > 0, 'the worker evaluates');
      assert.equal((await gate({ repo: 'acme/worker' })).verdict, 'block');
    } finally {
      await worker.stop();
    }
  });
});

test('a policy is evaluated even if the worker takes the waiting job before the policy is committed', async () => {
  await scan([vulnerable('q')], { repository: 'acme/queued' });
  const boss = await server.queue.open();
  await importTx(server.db, tenant.id, (tx) => sendPolicyJob(boss, tx));
  const [sent, taken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const applied = importTx(server.db, tenant.id, async (tx) => {
    await applyPolicies(tx, boss, parsePolicies(policy('queued', packageIs('q'))), { actorId: null });
    sent.resolve();
    await taken.promise;
  });
  await sent.promise;
  const worker = await startOneWorker();
  try {
    await until(async () => {
      const { rows } = await server.owner.query(
        `select from pgboss.job where name = $1 and singleton_key = $2 and state = 'created'`,
        [policyQueue, tenant.id],
      );
      return rows.length === 0;
    }, 'the worker takes the job');
    await untilLockWaits(server.owner);
    taken.resolve();
    await applied;
    await until(async () => (await violated('acme/queued')).length > 0, 'the policy is evaluated');
  } finally {
    taken.resolve();
    await worker.stop();
  }
});

describe('what a condition depends on', () => {
  test('age: the condition holds when the clock reaches it', async () => {
    await apply(
      policy(
        'old',
        `{fact: age_days, operator: '>=', value: 3}, {fact: package.name, operator: '==', value: aging}`,
      ),
    );
    const now = Date.now();
    await sweep(new Date(now));
    await scan([vulnerable('aging')], { repository: 'acme/age', scannedAt: new Date(now - day) });
    assert.deepEqual(await violated('acme/age'), []);
    await sweep(new Date(now + day));
    assert.deepEqual(await violated('acme/age'), []);
    await sweep(new Date(now + 2 * day + 60_000));
    assert.deepEqual(await violated('acme/age'), ['old']);
    assert.equal((await gate({ repo: 'acme/age' })).verdict, 'block');
  });

  test('age: a secret of a commit whose time lies after the year 9999 is as old as its first report', async () => {
    await apply(policy('new', `{fact: age_days, operator: '>=', value: 0}, ${factIs('type', 'secret')}`));
    const [leak] = gitleaks([
      { path: 'src/app.ts', line: 7, text: 'key = "q8Zr2vXw0LmN5tYb"', secret: 'q8Zr2vXw0LmN5tYb' },
    ]);
    const report = [{ ...leak, Commit: '7'.repeat(40), Date: '9999-12-31T19:00:00-05:00' }];
    const scannedAt = new Date(Date.now() - day);
    const [row] = await importAll(server, 'acme', [
      reportInput(report, { repository: 'acme/far', scannedAt }),
    ]);
    assert.equal(row?.status, 'completed', JSON.stringify(row?.error));
    assert.deepEqual(await violated('acme/far'), ['new']);
    const { rows } = await server.owner.query<{ introduced_at: Date }>(
      `select v.introduced_at from vulnerability v join repository r on r.id = v.repository_id
        where r.full_name = 'acme/far'`,
    );
    assert.deepEqual(rows, [{ introduced_at: scannedAt }]);
  });

  test('a path matches a pattern in either spelling of its accents', async () => {
    const pattern = (key: string, size: string) =>
      policyOf(key, `{fact: path, operator: matches, value: 'src/${size}/*'}`);
    await apply(policiesOf(pattern('one', 'Gr\u00f6\u00dfe'), pattern('two', 'Gro\u0308\u00dfe')));
    for (const size of ['Gr\u00f6\u00dfe', 'Gro\u0308\u00dfe']) {
      const report = sarif([{ rule: 'sqli', path: `src/${size}/a.ts`, line: 3, code: 'query(x)' }]);
      const [row] = await importAll(server, 'acme', [reportInput(report, { repository: 'acme/accents' })]);
      assert.deepEqual(
        [row?.counts?.new, row?.counts?.unchanged],
        size === 'Gr\u00f6\u00dfe' ? [1, 0] : [0, 1],
      );
    }
    assert.deepEqual(await violated('acme/accents'), ['one', 'two']);
  });

  test('age: an evaluation that waits for its lock counts the time until then', async () => {
    await apply(
      policy(
        'elder',
        `{fact: age_days, operator: '>=', value: 30}, {fact: package.name, operator: '==', value: elder}`,
      ),
    );
    await scan([vulnerable('elder')], { repository: 'acme/waiting' });
    const owner = await server.owner.connect();
    try {
      await owner.query('begin');
      const { rows } = await owner.query<{ id: VulnerabilityId; repository_id: RepositoryId }>(
        `select v.id, v.repository_id from vulnerability v join repository r on r.id = v.repository_id
          where r.full_name = 'acme/waiting'`,
      );
      const [found] = rows;
      assert.ok(found);
      await owner.query('select 1 from repository_evaluation where repository_id = $1 for update', [
        found.repository_id,
      ]);
      const evaluated = importTx(server.db, tenant.id, async ({ changes }) =>
        changes.markChanged(found.id, found.repository_id),
      );
      await untilLockWaits(server.owner);
      await server.owner.query(
        `update vulnerability set introduced_at = now() - interval '30 days' where id = $1`,
        [found.id],
      );
      await owner.query('commit');
      await evaluated;
    } finally {
      owner.release();
    }
    assert.deepEqual(await violated('acme/waiting'), ['elder']);
  });

  test('scans: a repository that was never scanned for secrets matches', async () => {
    await apply(`
key: unscanned
target_type: analysis
enforcement_mode: warn
condition:
  all:
    - {fact: analysis_type, operator: '==', value: dependency}
    - {fact: days_since_last_scan, operator: '>', value: 7}
    - {fact: repository.full_name, operator: matches, value: acme/quiet*}
`);
    await scan([], { repository: 'acme/quiet' });
    await inventory({ repositories: [{ full_name: 'acme/quiet-never' }] });
    const now = Date.now();
    await sweep(new Date(now));
    assert.deepEqual([await violated('acme/quiet'), await violated('acme/quiet-never')], [[], []]);
    await sweep(new Date(now + 8 * day + 60_000));
    const found = await violations({ repo: 'acme/quiet', status: 'open' });
    assert.deepEqual(
      found.map((item) => item.policy.key),
      ['unscanned'],
    );
    assert.deepEqual(await violated('acme/quiet-never'), ['unscanned'], 'since it came');
    // Any complete scan of the default branch ends it.
    await scan([], { repository: 'acme/quiet' });
    assert.deepEqual(await violated('acme/quiet'), []);
  });

  test('a repository that a report creates is evaluated, also if the report fails or is of a tag', async () => {
    const here = `{fact: repository.full_name, operator: matches, value: 'acme/created-*'}`;
    await apply(
      policiesOf(
        policyOf('created', here, { target: 'repository' }),
        policyOf('created-unscanned', `${here}, ${factIs('vulnerable_reason', 'never_scanned')}`, {
          target: 'analysis',
        }),
      ),
    );
    const [failed] = await importAll(server, 'acme', [
      reportInput('{', { repository: 'acme/created-failed' }),
    ]);
    assert.equal(failed?.status, 'failed');
    await scan([], { repository: 'acme/created-tag', ref: 'refs/tags/v1' });
    for (const repo of ['acme/created-failed', 'acme/created-tag']) {
      assert.deepEqual(new Set(await violated(repo)), new Set(['created', 'created-unscanned']), repo);
    }
  });

  test('inventory: a change of visibility, applications, names or settings is followed', async () => {
    await apply(policy('public', `${factIs('repository.is_private', false)}, ${packageIs('inv')}`));
    await apply(policy('shopfront', `{fact: application, operator: contains, value: Shop Front}`));
    await apply(`
key: unprotected
target_type: provider
enforcement_mode: block
condition:
  all:
    - {fact: setting, operator: '==', value: branch_protection}
    - {fact: value, operator: '!=', value: 'true'}
    - {fact: manual_override, operator: '==', value: false}
`);
    await scan([vulnerable('inv')], { repository: 'acme/inventory' });
    assert.deepEqual(await violated('acme/inventory'), []);
    const importRepository = (isPrivate: boolean, applications: string[], protection: unknown) =>
      inventory({
        repositories: [
          {
            full_name: 'acme/inventory',
            is_private: isPrivate,
            settings: { branch_protection: protection as boolean },
          },
        ],
        applications: [{ name: 'Shop Front', repositories: applications }],
      });
    await importRepository(false, ['acme/inventory'], false);
    await sweep(new Date());
    assert.deepEqual(await violated('acme/inventory'), ['public', 'shopfront', 'unprotected']);
    await importRepository(true, [], { value: false, manual_override: true });
    await sweep(new Date());
    assert.deepEqual(await violated('acme/inventory'), []);
  });

  test('references: a change of environment or default branch is followed', async () => {
    await apply(policy('production', factIs('environment_key', 'production')));
    await apply(policy('default-only', `${factIs('is_default_branch', true)}, ${packageIs('env')}`));
    await scan([vulnerable('env')], { repository: 'acme/env', ref: 'old' });
    assert.deepEqual(await violated('acme/env', { ref: 'old' }), ['default-only']);
    await scan([vulnerable('env')], { repository: 'acme/env', ref: 'old', environment: 'production' });
    assert.deepEqual(await violated('acme/env', { ref: 'old' }), ['default-only', 'production']);
    await scan([vulnerable('env')], {
      repository: 'acme/env',
      ref: 'new',
      defaultBranch: parseReference('new'),
    });
    assert.deepEqual(await violated('acme/env', { ref: 'old' }), ['production']);
    assert.deepEqual(await violated('acme/env', { ref: 'new' }), ['default-only']);
  });

  test('a branch that becomes inactive has no matches any more', async () => {
    await apply(policy('quiet', packageIs('hush')));
    await scan([], { repository: 'acme/hush' });
    await scan([vulnerable('hush')], {
      repository: 'acme/hush',
      ref: 'feature',
      scannedAt: new Date(Date.now() - 40 * day),
    });
    assert.deepEqual(await violated('acme/hush'), ['quiet']);
    await sweepTenant(server.db, tenant.id, new Date(), 30);
    assert.deepEqual(await violated('acme/hush'), []);
    await scan([vulnerable('hush')], { repository: 'acme/hush', ref: 'feature' });
    assert.deepEqual(await violated('acme/hush'), ['quiet']);
  });

  test('a repository whose default branch has ended matches as long as another reference of it is active', async () => {
    const repository = 'acme/living';
    const here = factIs('repository.full_name', repository);
    const overdue = `{fact: days_since_last_scan, operator: '>', value: 30}`;
    await apply(
      policiesOf(
        policyOf('living', here, { target: 'repository' }),
        policyOf('living-overdue', `${here}, ${factIs('analysis_type', 'dependency')}, ${overdue}`, {
          target: 'analysis',
        }),
      ),
    );
    const both = ['living', 'living-overdue'];
    await scan([], { repository, scannedAt: new Date(Date.now() - 40 * day) });
    assert.deepEqual(await violated(repository), both);
    const admin = clientOf(server.app, people.admin.key);
    const { items } = succeeded(
      await admin.get<{ items: { id: string }[] }>(`/api/v1/acme/references?repo=${repository}`),
    );
    succeeded(await admin.patch(`/manage/v1/acme/references/${items[0]?.id}`, { deleted: true }));
    assert.deepEqual(await violated(repository), []);
    // The first report of the pull request fails, so that nothing has shown it yet.
    await importAll(server, 'acme', [reportInput('{', { repository, ref: 'refs/pull/1/head' })]);
    assert.deepEqual(await violated(repository), []);
    await scan([], { repository, ref: 'refs/pull/1/head' });
    assert.deepEqual(await violated(repository), both, 'its first scan');
    await sweepTenant(server.db, tenant.id, new Date(Date.now() + 31 * day), 30);
    assert.deepEqual(await violated(repository), []);
    await scan([], { repository, ref: 'refs/pull/1/head' });
    assert.deepEqual(await violated(repository), both, 'its return');
  });

  test('an admin exposes an environment: what is deployed there is exposed, and nothing else', async () => {
    const [one] = [vulnerable('deployed')];
    assert.ok(one);
    const exposed = factIs('exposed', true);
    await apply(policy('deployed', exposed));
    await scan([one], { repository: 'acme/deployed', environment: 'Edge' });
    await scan([one], { repository: 'acme/staged', environment: 'inside' });
    const set = async (names: string[]) => {
      const answer = await clientOf(server.app, people.admin.key).patch('/manage/v1/acme/settings', {
        exposed_environments: names,
      });
      assert.equal(answer.status, 200, answer.text);
      await sweepViolations(server.db, tenant.id, new Date());
      await evaluatePendingPolicies(server.db, tenant.id, () => false);
    };
    assert.deepEqual(await violated('acme/deployed'), []);
    await set(['edge']);
    assert.deepEqual(await violated('acme/deployed'), ['deployed']);
    assert.deepEqual(await violated('acme/staged'), []);
    await set(['INSIDE']);
    assert.deepEqual(await violated('acme/deployed'), []);
    assert.deepEqual(await violated('acme/staged'), ['deployed']);
    await set([]);
    assert.deepEqual(await violated('acme/staged'), []);
    const bad = await clientOf(server.app, people.admin.key).patch('/manage/v1/acme/settings', {
      exposed_environments: ['a\u202eb'],
    });
    assert.equal(bad.status, 422, bad.text);
    await apply(policy('deployed', exposed, 'enforcement_mode: block\nstatus: disabled'));
  });

  test('an admin exposes a repository, and CISA assesses a CVE: the policies of BOD 26-04 follow', async () => {
    const [one] = [vulnerable('exposed')];
    assert.ok(one);
    await apply(policy('reachable', factIs('exposed', true)));
    await apply(policy('wormable', factIs('automatable', true)));
    await apply(policy('takeover', factIs('technical_impact', 'total')));
    await scan([one], { repository: 'acme/exposed' });
    assert.deepEqual(await violated('acme/exposed'), []);
    const { rows } = await server.owner.query<{ id: RepositoryId }>(
      `select id from repository where full_name = 'acme/exposed'`,
    );
    const address = `/manage/v1/acme/repositories/${formatId('repository', rows[0]?.id ?? nilId)}`;
    const set = async (exposed: boolean) => {
      succeeded(await clientOf(server.app, people.admin.key).patch(address, { exposed }));
      await sweepViolations(server.db, tenant.id, new Date());
      await evaluatePendingPolicies(server.db, tenant.id, () => false);
    };
    await set(true);
    assert.deepEqual(await violated('acme/exposed'), ['reachable']);
    let importedAt = new Date();
    /** Imports assessments in this order. */
    const assess = async (...assessments: (readonly [isSerious: boolean, day: string])[]) => {
      const paths = assessments.map(([isSerious, day], i) => {
        const record = ssvcRecord(one.id, { automatable: isSerious, total: isSerious }, day);
        const path = join(directory, `assessed-${i}.json`);
        writeFileSync(path, JSON.stringify(record));
        return path;
      });
      await importSsvc(server.db, { paths, force: false }, importedAt);
      while ((await reEvaluateIntel(server.db, tenant.id, new Date())).changes > 0);
      return violated('acme/exposed');
    };
    const all = ['reachable', 'takeover', 'wormable'];
    assert.deepEqual(await assess([true, '2026-01-02']), all);
    assert.deepEqual(await assess([false, '2026-01-01']), all, 'an older one');
    assert.deepEqual(await assess([true, '2026-01-04']), all);
    assert.deepEqual(await assess([false, '2026-01-03']), all, 'older than an equal one');
    const both = [[false, '2026-01-06'] as const, [true, '2026-01-05'] as const];
    assert.deepEqual(await assess(...both), ['reachable'], 'an older one of the same import');
    importedAt = new Date('2100-01-02T00:00:00Z');
    assert.deepEqual(await assess([true, '2100-01-01']), all, 'the clock is ahead');
    importedAt = new Date();
    assert.deepEqual(await assess([false, '2026-01-07']), ['reachable'], 'a correction after that');
    await set(false);
    assert.deepEqual(await violated('acme/exposed'), []);
    const file = [{ full_name: 'acme/exposed', is_exposed: true }];
    await importTx(server.db, tenant.id, (tx) => applyInventory(tx, { repositories: file }));
    await sweepViolations(server.db, tenant.id, new Date());
    assert.deepEqual(await violated('acme/exposed'), ['reachable'], 'by the inventory file');
    const shown = await clientOf(server.app, people.viewer.key).get<{ is_exposed: boolean }>(address);
    assert.equal(shown.body.is_exposed, true, shown.text);
  });

  test('intel: a new entry in the catalogue and a higher score are followed', async () => {
    await apply(policy('listed', factIs('in_kev', true)));
    await apply(policy('likely', `{fact: epss_score, operator: '>', value: 0.5}`));
    const [one] = [vulnerable('intel')];
    assert.ok(one);
    await scan([one], { repository: 'acme/intel' });
    const take = async (kev: string[], score: number, date: string) => {
      await loadFeeds(kev, [one.id, score], date);
      while ((await reEvaluateIntel(server.db, tenant.id, new Date())).changes > 0);
    };
    await take([], 0.2, '2026-01-01');
    assert.deepEqual(await violated('acme/intel'), []);
    await take([one.id], 0.7, '2026-01-02');
    assert.deepEqual(await violated('acme/intel'), ['likely', 'listed']);
    await take([], 0.7, '2026-01-03');
    assert.deepEqual(await violated('acme/intel'), ['likely']);
    await take([], 0.3, '2026-01-04');
    assert.deepEqual(await violated('acme/intel'), []);
  });

  test('intel: a new entry is followed although the evaluation of another repository fails', {
    skip: onCitus,
  }, async () => {
    await apply(policy('listed', factIs('in_kev', true)));
    const [one] = [vulnerable('kev')];
    assert.ok(one);
    const repositories = ['acme/kev-1', 'acme/kev-2', 'acme/kev-3'];
    for (const repository of repositories) await scan([one], { repository });
    const { repository } = await gate({ repo: 'acme/kev-2' });
    const allow = await refuseEvaluations(`new.repository_id = '${parseId('repository', repository.id)}'`);
    await loadFeeds([one.id], [one.id, 0.1], '2026-01-05');
    const failures: unknown[] = [];
    await reEvaluateIntel(server.db, tenant.id, new Date(), (error) => failures.push(error));
    await allow();
    assert.equal(failures.length, 1);
    assert.deepEqual(await Promise.all(repositories.map((repo) => violated(repo))), [
      ['listed'],
      [],
      ['listed'],
    ]);
    while ((await reEvaluateIntel(server.db, tenant.id, new Date())).changes > 0);
    assert.deepEqual(await violated('acme/kev-2'), ['listed']);
  });
});

test('a change of a repository is followed after an evaluation that has failed', async () => {
  await apply(policy('open-source', `${factIs('repository.is_private', false)}, ${packageIs('shared')}`));
  await scan([vulnerable('shared')], { repository: 'acme/shared' });
  await inventory({ repositories: [{ full_name: 'acme/shared', is_private: false }] });
  await server.owner.query('alter table policy_violation rename column first_seen_at to refused');
  await assert.rejects(sweep(new Date()), /first_seen_at/);
  await server.owner.query('alter table policy_violation rename column refused to first_seen_at');
  assert.deepEqual(await violated('acme/shared'), []);
  await sweep(new Date());
  assert.deepEqual(await violated('acme/shared'), ['open-source']);
});

test('repositories whose evaluation always fails do not keep the others waiting', {
  skip: onCitus,
}, async () => {
  await apply(policy('public', factIs('repository.is_private', false)));
  const refuseUpdates = (condition: string) =>
    refuseEvaluations(`new.repository_id < '00000000-0000-0000-0001-000000000000' and ${condition}`);
  const failing = 60;
  await server.owner.query(
    `insert into repository_evaluation (tenant_id, repository_id, marks)
     select $1, ('00000000-0000-0000-0000-' || lpad(n::text, 12, '0'))::uuid, 1 from generate_series(1, $2::int) n`,
    [tenant.id, failing],
  );
  await scan([vulnerable('waiting')], { repository: 'acme/waiting' });
  const sweepFailing = async (isPrivate: boolean, expected: string[]) => {
    await inventory({ repositories: [{ full_name: 'acme/waiting', is_private: isPrivate }] });
    const failures: unknown[] = [];
    await sweepViolations(server.db, tenant.id, new Date(), (error) => failures.push(error));
    assert.deepEqual(await violated('acme/waiting'), expected);
    return failures.length;
  };
  await refuseUpdates('true');
  assert.equal(await sweepFailing(false, ['public']), 2 * failing, 'nor if the failure cannot be noted');
  const allow = await refuseUpdates('new.failed_at is not distinct from old.failed_at');
  assert.equal(await sweepFailing(true, []), failing);
  await inventory({ repositories: [{ full_name: 'acme/waiting', is_private: false }] });
  const [next] = await tenantReadTx(server.db, tenant.id, (tx) => listPendingRepositories(tx, [], 1));
  const { rows } = await server.owner.query(
    `select full_name from repository where tenant_id = $1 and id = $2`,
    [tenant.id, next?.repository_id],
  );
  assert.deepEqual(rows, [{ full_name: 'acme/waiting' }], 'those that have failed come after it');
  await allow();
  await server.owner.query(
    `delete from repository_evaluation where repository_id < '00000000-0000-0000-0001-000000000000'`,
  );
});

test('the gate waits for the evaluation of a changed policy if the verdict is no block', async () => {
  await scan([vulnerable('waited')], { repository: 'acme/waited' });
  const boss = await server.queue.open();
  const change = (mode: string) => {
    const document = parsePolicies(policy('waited', packageIs('waited'), `enforcement_mode: ${mode}`));
    return importTx(server.db, tenant.id, (tx) => applyPolicies(tx, boss, document, { actorId: null }));
  };
  const answer = ({ verdict, policies_pending }: Awaited<ReturnType<typeof gate>>) => [
    verdict,
    policies_pending,
  ];
  await change('block');
  assert.deepEqual(answer(await gate({ repo: 'acme/waited', wait: '1' })), ['pass', true]);
  const waiting = gate({ repo: 'acme/waited', wait: '30' });
  await evaluatePendingPolicies(server.db, tenant.id);
  assert.deepEqual(answer(await waiting), ['block', false]);
  await change('warn');
  const started = Date.now();
  assert.deepEqual(answer(await gate({ repo: 'acme/waited', wait: '30' })), ['block', true]);
  assert.ok(Date.now() - started < 20_000, 'a block ends the wait');
  await evaluatePendingPolicies(server.db, tenant.id);
});

test('a changed policy covers the other repositories although the evaluation of one always fails, and its gate says so', {
  skip: onCitus,
}, async () => {
  for (const repository of ['acme/failing', 'acme/later']) await scan([vulnerable('reach')], { repository });
  const { repository } = await gate({ repo: 'acme/failing' });
  const allow = await refuseEvaluations(
    `new.repository_id = '${parseId('repository', repository.id)}' and new.marks = old.marks
     and new.failed_at is not distinct from old.failed_at`,
  );
  const boss = await server.queue.open();
  const document = parsePolicies(policy('reach', packageIs('reach')));
  await importTx(server.db, tenant.id, (tx) => applyPolicies(tx, boss, document, { actorId: null }));
  const failures: unknown[] = [];
  const failed = (error: unknown) => failures.push(error);
  await evaluatePendingPolicies(server.db, tenant.id, () => false, failed);
  await sweepViolations(server.db, tenant.id, new Date(), failed);
  assert.equal(failures.length, 2);
  assert.deepEqual(await violated('acme/later'), ['reach']);
  assert.equal((await gate({ repo: 'acme/later' })).policies_pending, false);
  assert.equal((await gate({ repo: 'acme/failing' })).policies_pending, true);
  await allow();
  await sweep(new Date());
  assert.deepEqual(await violated('acme/failing'), ['reach']);
  assert.equal((await gate({ repo: 'acme/failing' })).policies_pending, false);
});

for (const noted of [true, false]) {
  const failure = noted ? 'fails' : 'fails and this cannot be noted';
  test(`ages are reached although the evaluation of another repository ${failure}`, {
    skip: onCitus,
  }, async () => {
    const [failing, other] = [`acme/age-fails-${noted}`, `acme/age-${noted}`];
    const [aged, unscanned] = [`aged-${noted}`, `unscanned-${noted}`];
    const isOld = (fact: string) => `{fact: ${fact}, operator: '>=', value: 5}`;
    const here = `{fact: repository.full_name, operator: matches, value: 'acme/age*-${noted}'}`;
    await apply(
      policiesOf(
        policyOf(aged, `${isOld('age_days')}, ${here}`),
        policyOf(unscanned, `${isOld('days_since_last_scan')}, ${here}`, { target: 'analysis' }),
      ),
    );
    for (const repository of [failing, other]) await scan([vulnerable('aged')], { repository });
    const { repository } = await gate({ repo: failing });
    const allow = await refuseEvaluations(
      `new.repository_id = '${parseId('repository', repository.id)}' and ${
        noted ? 'new.marks = old.marks and new.failed_at is not distinct from old.failed_at' : 'true'
      }`,
    );
    // An earlier test has swept in the future.
    await server.owner.query('update policy_clock set swept_until = now()');
    const later = new Date(Date.now() + 5.5 * day);
    const failures: unknown[] = [];
    await sweepViolations(server.db, tenant.id, later, (error) => failures.push(error));
    assert.ok(failures.length > 0);
    assert.deepEqual(new Set(await violated(other)), new Set([aged, unscanned]));
    assert.deepEqual(await violated(failing), []);
    assert.equal((await gate({ repo: failing })).policies_pending, noted);
    await allow();
    await sweep(later);
    // The evaluation of a pending repository has the present time, at which the age is not reached.
    if (noted) assert.equal((await gate({ repo: failing })).policies_pending, false);
    else assert.deepEqual(new Set(await violated(failing)), new Set([aged, unscanned]));
  });
}

test('a changed policy stays pending if the failure of its evaluation cannot be noted', {
  skip: onCitus,
}, async () => {
  await scan([vulnerable('unnoted')], { repository: 'acme/unnoted' });
  const boss = await server.queue.open();
  const document = parsePolicies(policy('unnoted', packageIs('unnoted')));
  await importTx(server.db, tenant.id, (tx) => applyPolicies(tx, boss, document, { actorId: null }));
  const allow = await refuseEvaluations();
  const failures: unknown[] = [];
  await evaluatePendingPolicies(
    server.db,
    tenant.id,
    () => false,
    (error) => failures.push(error),
  );
  await allow();
  assert.ok(failures.length >= 2);
  assert.equal((await gate({ repo: 'acme/unnoted' })).policies_pending, true);
  await evaluatePendingPolicies(server.db, tenant.id);
  assert.deepEqual(await violated('acme/unnoted'), ['unnoted']);
});

test('rules: the nearest one decides, and the violation names it', async () => {
  const rules = (text: string) =>
    policy('ruled', packageIs('ruled'), `enforcement_mode: block\nrules: [${text}]`);
  for (const repository of ['acme/one', 'acme/two', 'other/three'])
    await scan([vulnerable('ruled')], { repository });
  await inventory({ applications: [{ name: 'Ruled', repositories: ['acme/two'] }] });
  const modes = async () => {
    const found: Record<string, string | null> = {};
    for (const repo of ['acme/one', 'acme/two', 'other/three']) {
      const [item] = await violations({ repo, status: 'open', policy: 'ruled' });
      found[repo] = item ? `${item.enforcement_mode} ${item.rule?.type ?? 'no rule'}` : null;
    }
    return Object.values(found);
  };
  await apply(rules(''));
  assert.deepEqual(await modes(), ['block no rule', 'block no rule', 'block no rule']);
  await apply(rules('{type: org, id: acme}'));
  assert.deepEqual(await modes(), ['block org', 'block org', null]);
  await apply(
    rules('{type: org, id: acme, enforcement_mode: warn}, {type: repo, id: ACME/one}, {type: workspace}'),
  );
  assert.deepEqual(await modes(), ['block repo', 'warn org', 'block workspace']);
  await apply(rules('{type: org, id: acme}, {type: application, id: ruled, action: exclude}'));
  assert.deepEqual(await modes(), ['block org', null, null]);
  await apply(rules('{type: repo, id: acme/one, action: exclude}'));
  assert.deepEqual(
    await modes(),
    [null, 'block no rule', 'block no rule'],
    'who only takes out means the rest',
  );
});

test('rules: that of an organization applies to those below its path, whichever came first', async () => {
  const packages = [vulnerable('nested')];
  await scan(packages, { repository: 'group/early/deep/api' });
  await scan(packages, { repository: 'group/top' });
  await apply(
    policy('nested', packageIs('nested'), 'enforcement_mode: block\nrules: [{type: org, id: group}]'),
  );
  await scan(packages, { repository: 'group/late/api' });
  await scan(packages, { repository: 'group2/api' });
  for (const repo of ['group/early/deep/api', 'group/top', 'group/late/api']) {
    assert.deepEqual(await violated(repo), ['nested'], repo);
  }
  assert.deepEqual(await violated('group2/api'), []);
  await inventory({ organizations: [{ full_path: 'group/early' }] });
  assert.deepEqual(await parentOf('group/early/deep'), 'group/early');
  assert.deepEqual(await parentOf('group/early'), 'group');
  await inventory({ organizations: [{ full_path: 'group/early', parent: null }] });
  await inventory({ organizations: [{ full_path: 'group/early' }] });
  await scan(packages, { repository: 'group/own/team/api' });
  await inventory({
    organizations: [{ full_path: 'group/own/team', parent: null }, { full_path: 'group/own' }],
  });
  for (const path of ['group/early', 'group/own/team']) {
    assert.deepEqual(await parentOf(path), null, `an inventory decides otherwise about ${path}`);
  }
});

test('two organizations that are created at the same time are parent and child by their paths', async () => {
  const create = async (tx: ChangeTx, path: string) => void (await getOrCreateOrganization(tx, path));
  const createByFile = async (tx: ChangeTx, path: string) =>
    void (await applyInventory(tx, { organizations: [{ full_path: path }] }));
  for (const [first, second, name] of [
    [create, create, 'uploads'],
    [createByFile, create, 'file-first'],
    [create, createByFile, 'file-second'],
  ] as const) {
    const later = await importTx(server.db, tenant.id, async (tx) => {
      await first(tx, name);
      const waiting = importTx(server.db, tenant.id, (other) => second(other, `${name}/team`));
      await untilLockWaits(server.owner);
      return { waiting };
    });
    await later.waiting;
    assert.equal(await parentOf(`${name}/team`), name);
  }
});

async function parentOf(path: string): Promise<string | null> {
  const { body } = await clientOf(server.app, people.admin.key).get<{
    items: { id: string; full_path: string }[];
  }>('/api/v1/acme/organizations?per_page=200');
  const id = body.items.find((item) => item.full_path === path)?.id ?? '';
  const detail = await clientOf(server.app, people.admin.key).get<{ parent: { full_path: string } | null }>(
    `/api/v1/acme/organizations/${id}`,
  );
  return detail.body.parent?.full_path ?? null;
}

test('the builtin policies are disabled at first, and keep later changes', async () => {
  const read = () => tenantReadTx(server.db, tenant.id, (tx) => listPolicies(tx));
  const builtin = (await read()).filter((one) => one.type === 'builtin');
  assert.deepEqual(fieldsOf(builtin, 'key', 'status'), [
    ['bod-26-04-14-days', 'disabled'],
    ['bod-26-04-3-days', 'disabled'],
    ['bod-26-04-60-days', 'disabled'],
    ['denied-license', 'disabled'],
    ['exploitable-critical', 'disabled'],
    ['high-severity', 'disabled'],
    ['malware-package', 'disabled'],
    ['pci-dss-6-3-3', 'disabled'],
    ['stale-scans', 'disabled'],
    ['verified-secret', 'disabled'],
  ]);
  await apply(policy('malware-package', factIs('type', 'malware'), 'status: active\nenforcement_mode: warn'));
  await sweep(new Date());
  const now = (await read()).find((one) => one.key === 'malware-package');
  assert.deepEqual([now?.type, now?.status, now?.enforcementMode], ['builtin', 'active', 'warn']);
});
