/** Tests of the life of a vulnerability over scans, references and decisions, through the real pipeline. */
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { decide } from '../../src/actions/triage/decisions.ts';
import { formatId, type VulnerabilityId } from '../../src/domain/ids.ts';
import { unpackState } from '../../src/domain/packed-state.ts';
import { parseReference } from '../../src/domain/reference-name.ts';
import type { ReportFile } from '../../src/ingest/upload/import-files.ts';
import { sweepTenant } from '../../src/vulnerabilities/sweep.ts';
import { createTestDatabase } from '../support/database.ts';
import { seedOf } from '../support/form.ts';
import { countsOf, importAll } from '../support/import.ts';
import { assertInvariants } from '../support/invariants.ts';
import { randomOf } from '../support/random.ts';
import { sarif, trivy } from '../support/reports.ts';
import { gitleaks } from '../support/scanner-reports.ts';
import { createTestWorkspace, principalAs, reportInput } from '../support/workspace.ts';

const database = await createTestDatabase();
afterEach(() => assertInvariants(database.owner));
const workspace = await createTestWorkspace(database, 'acme');
const { tenant } = workspace;
const principal = principalAs(workspace, 'admin');

const lodash = { id: 'CVE-2020-8203', name: 'lodash', version: '4.17.15' };
const minimist = { id: 'CVE-2021-44906', name: 'minimist', version: '1.2.5', severity: 'CRITICAL' };
const reject = (id: string) =>
  decide(database.db, principal, { action: 'reject', reason: 'no', vulnerabilities: [{ id }] });
const day = (n: number): Date => new Date(Date.UTC(2026, 0, n));
const send = (reports: ReportFile[]) => importAll(database, 'acme', reports);

interface State {
  id: VulnerabilityId;
  status: string;
  severity: string;
  source: string;
  title: string;
  fixVersion: string | null;
  references: Record<string, string>;
  events: string[];
}

async function stateOf(repository: string, advisory: string): Promise<State> {
  const { rows } = await database.owner.query(
    `select v.id, v.packed_state, v.title, v.fix_version,
            (select json_object_agg(full_ref, packed_state) from vulnerability_reference r where r.vulnerability_id = v.id) as refs,
            (select json_agg(kind order by id) from vulnerability_event e where e.vulnerability_id = v.id) as events
       from vulnerability v join repository p on p.id = v.repository_id
      where p.full_name = $1 and (v.advisory = $2 or v.rule = $2)`,
    [repository, advisory],
  );
  assert.equal(rows.length, 1, `${advisory} once in ${repository}`);
  const [row] = rows;
  const traits = unpackState(row.packed_state);
  return {
    id: row.id,
    status: traits.status,
    severity: traits.severity,
    source: traits.source,
    title: row.title,
    fixVersion: row.fix_version,
    references: Object.fromEntries(
      Object.entries(row.refs as Record<string, number>).map(([ref, packedState]) => [
        ref,
        unpackState(packedState).status,
      ]),
    ),
    events: row.events,
  };
}

test('a vulnerability is opened, fixed by absence and reopened by presence', async () => {
  const repository = 'acme/absence';
  const scans = await send([
    reportInput(trivy([lodash, minimist]), { repository, scannedAt: day(1) }),
    reportInput(trivy([minimist]), { repository, scannedAt: day(2) }),
    reportInput(trivy([lodash, minimist]), { repository, scannedAt: day(3) }),
  ]);
  assert.deepEqual(countsOf(scans, 'new', 'fixed', 'reopened', 'unchanged'), [
    [2, 0, 0, 0],
    [0, 1, 0, 1],
    [0, 0, 1, 1],
  ]);
  const state = await stateOf(repository, lodash.id);
  assert.equal(state.status, 'open');
  assert.deepEqual(state.events, ['fixed', 'reopened']);
});

test('a vulnerability of a branch is the same on main, and a fix on main does not fix the release branch', async () => {
  const repository = 'acme/branches';
  const input = (report: unknown, ref: string, at: Date) =>
    reportInput(report, { repository, ref, scannedAt: at, defaultBranch: parseReference('main') });
  await send([input(trivy([lodash]), 'main', day(1)), input(trivy([lodash, minimist]), 'feature/x', day(2))]);
  assert.deepEqual(await stateOf(repository, minimist.id).then((s) => [s.status, s.references]), [
    'open',
    { 'refs/heads/feature/x': 'open' },
  ]);
  await send([input(trivy([lodash, minimist]), 'main', day(3)), input(trivy([minimist]), 'main', day(4))]);
  const fixed = await stateOf(repository, lodash.id);
  assert.equal(fixed.status, 'fixed', 'main decides');
  assert.deepEqual(fixed.references, { 'refs/heads/main': 'fixed', 'refs/heads/feature/x': 'open' });
});

test('a decision on a branch holds after the merge, and scans never change it', async () => {
  const repository = 'acme/decision';
  await send([
    reportInput(trivy([lodash]), { repository, scannedAt: day(1) }),
    reportInput(trivy([lodash, minimist]), { repository, ref: 'feature/y', scannedAt: day(2) }),
  ]);
  const { id } = await stateOf(repository, minimist.id);
  await reject(formatId('vulnerability', id));
  await send([
    reportInput(trivy([lodash, minimist]), { repository, scannedAt: day(3) }),
    reportInput(trivy([lodash]), { repository, scannedAt: day(4) }),
    reportInput(trivy([lodash, minimist]), { repository, scannedAt: day(5) }),
  ]);
  const state = await stateOf(repository, minimist.id);
  assert.equal(state.status, 'rejected');
  assert.deepEqual(state.references, { 'refs/heads/main': 'rejected', 'refs/heads/feature/y': 'rejected' });
});

test('an acceptance ends by the clock', async () => {
  const repository = 'acme/acceptance';
  await send([reportInput(trivy([lodash]), { repository, scannedAt: day(1) })]);
  const { id } = await stateOf(repository, lodash.id);
  const until = new Date(Date.now() + 3_600_000);
  await decide(database.db, principal, {
    action: 'accept',
    reason: 'until the release',
    until: until.toISOString(),
    vulnerabilities: [{ id: formatId('vulnerability', id) }],
  });
  await sweepTenant(database.db, tenant.id, new Date(until.getTime() - 1000), 30);
  assert.equal((await stateOf(repository, lodash.id)).status, 'accepted');
  await sweepTenant(database.db, tenant.id, until, 30);
  const state = await stateOf(repository, lodash.id);
  assert.equal(state.status, 'open');
  assert.deepEqual(state.events, ['accepted', 'acceptance_ended']);
});

test('one vulnerability of two tools is closed only when neither sees it, whatever the order', async () => {
  const other = { ...trivy([{ ...lodash, severity: 'LOW' }]) };
  for (const [repository, order] of [
    ['acme/tools-1', ['trivy', 'image']],
    ['acme/tools-2', ['image', 'trivy']],
  ] as const) {
    const inputs = {
      trivy: reportInput(trivy([lodash]), { repository, category: 'a', scannedAt: day(1) }),
      image: reportInput(other, { repository, category: 'b', scannedAt: day(1) }),
    };
    await send(order.map((name) => inputs[name]));
    assert.equal((await stateOf(repository, lodash.id)).severity, 'high', 'the highest word stands');
    await send([reportInput(trivy([]), { repository, category: 'a', scannedAt: day(2) })]);
    const half = await stateOf(repository, lodash.id);
    assert.deepEqual(
      [half.status, half.severity],
      ['open', 'low'],
      'the other still sees it, and only its word counts',
    );
    await send([reportInput(trivy([]), { repository, category: 'b', scannedAt: day(3) })]);
    assert.equal((await stateOf(repository, lodash.id)).status, 'fixed');
  }
});

test('a partial report closes nothing, and a late one closes and reopens nothing', async () => {
  const repository = 'acme/partial';
  const scans = await send([
    reportInput(trivy([lodash]), { repository, sha: 'a'.repeat(40), scannedAt: day(5) }),
    reportInput(trivy([minimist]), { repository, sha: 'b'.repeat(40), scannedAt: day(6), partial: true }),
    reportInput(trivy([minimist]), { repository, sha: 'c'.repeat(40), scannedAt: day(7) }),
    // The report is from the day before, and its finding has been fixed since.
    reportInput(trivy([lodash]), { repository, sha: 'd'.repeat(40), scannedAt: day(6) }),
  ]);
  assert.deepEqual(countsOf(scans, 'new', 'fixed', 'reopened'), [
    [1, 0, 0],
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 0],
  ]);
  assert.equal((await stateOf(repository, lodash.id)).status, 'fixed');
  assert.equal((await stateOf(repository, minimist.id)).status, 'open');
});

test('a mass closing on a tracked reference is held until a second scan shows the same', async () => {
  const repository = 'acme/guard';
  const many = Array.from({ length: 40 }, (_, i) => ({ ...lodash, id: `CVE-2024-${10_000 + i}` }));
  const scans = await send([
    reportInput(trivy(many), { repository, scannedAt: day(1) }),
    reportInput(trivy(many.slice(0, 5)), { repository, scannedAt: day(2) }),
    reportInput(trivy(many.slice(0, 4)), { repository, scannedAt: day(3) }),
    reportInput(trivy(many.slice(0, 4)), { repository, scannedAt: day(4) }),
    reportInput(trivy([]), { repository, scannedAt: day(5) }),
  ]);
  assert.deepEqual(countsOf(scans, 'fixed', 'closing_held'), [
    [0, 0],
    [0, 35],
    [0, 36], // another closure than the one that is held
    [36, 0], // the same again
    [4, 0], // fewer than twenty
  ]);
  const [forced] = await send([
    reportInput(trivy(many), { repository: 'acme/forced', scannedAt: day(1) }),
    reportInput(trivy([]), { repository: 'acme/forced', scannedAt: day(2), force: true }),
  ]).then((list) => list.slice(1));
  assert.equal(forced?.counts?.fixed, 40);
});

test('a dry run says what would change, and changes nothing', async () => {
  const repository = 'acme/dry';
  await send([reportInput(trivy([lodash]), { repository, scannedAt: day(1) })]);
  const [dry] = await send([reportInput(trivy([minimist]), { repository, scannedAt: day(2), dryRun: true })]);
  assert.deepEqual([dry?.counts?.new, dry?.counts?.fixed], [1, 1]);
  assert.equal((await stateOf(repository, lodash.id)).status, 'open');
  await assert.rejects(stateOf(repository, minimist.id));
});

test('a branch becomes inactive after 30 days, and active when it is scanned again', async () => {
  const repository = 'acme/quiet';
  const start = new Date(Date.now() - 40 * 24 * 3_600_000);
  await send([
    reportInput(trivy([lodash]), { repository, scannedAt: start }),
    reportInput(trivy([lodash, minimist]), { repository, ref: 'old', scannedAt: start }),
  ]);
  assert.equal((await stateOf(repository, minimist.id)).status, 'open');
  await sweepTenant(database.db, tenant.id, new Date(), 30);
  assert.equal((await stateOf(repository, minimist.id)).status, 'fixed', 'on no active reference');
  assert.equal((await stateOf(repository, lodash.id)).status, 'open', 'main never goes quiet');
  await send([reportInput(trivy([lodash, minimist]), { repository, ref: 'old', scannedAt: new Date() })]);
  assert.equal((await stateOf(repository, minimist.id)).status, 'open');
});

test('severity, fix and source follow the references that are active', async () => {
  const repository = 'acme/quiet-claims';
  const start = new Date(Date.now() - 40 * 24 * 3_600_000);
  const leak = gitleaks([{ path: 'a.env', line: 1, secret: 'k3y-of-a-8s7d6f5g', text: 'key of a' }]);
  const code = { rule: 'sqli', path: 'a.ts', line: 1 };
  // On the branch a comment in the code suppresses the result, so the vulnerability is not open there.
  const onBranch = [
    trivy([{ ...lodash, severity: 'CRITICAL', fixed: '2.0.0' }]),
    leak,
    sarif([{ ...code, level: 'error', suppressed: true }]),
  ];
  const sendBranch = (scannedAt: Date) =>
    send(onBranch.map((report) => reportInput(report, { repository, ref: 'old', scannedAt })));
  await send([
    reportInput(trivy([{ ...lodash, severity: 'LOW', fixed: '1.4.2' }]), { repository, scannedAt: start }),
    reportInput(leak, { repository, scannedAt: start, source: 'git_history' }),
    reportInput(sarif([{ ...code, level: 'note' }]), { repository, scannedAt: start }),
  ]);
  await sendBranch(start);
  const shown = async () => {
    const [dependency, secret, result] = [
      await stateOf(repository, lodash.id),
      await stateOf(repository, 'generic-api-key'),
      await stateOf(repository, code.rule),
    ];
    return [dependency.severity, dependency.fixVersion, secret.source, result.severity];
  };
  const withBranch = ['critical', '2.0.0', 'current', 'high'];
  assert.deepEqual(await shown(), withBranch);
  await sweepTenant(database.db, tenant.id, new Date(), 30);
  assert.deepEqual(await shown(), ['low', '1.4.2', 'git_history', 'low']);
  await sendBranch(new Date());
  assert.deepEqual(await shown(), withBranch);
});

test('a vulnerability that no active reference has keeps its values', async () => {
  const repository = 'acme/quiet-only';
  const start = new Date(Date.now() - 40 * 24 * 3_600_000);
  await send([
    reportInput(trivy([]), { repository, scannedAt: start }),
    reportInput(trivy([{ ...minimist, fixed: '1.2.6' }]), { repository, ref: 'old', scannedAt: start }),
  ]);
  await sweepTenant(database.db, tenant.id, new Date(), 30);
  const state = await stateOf(repository, minimist.id);
  assert.deepEqual([state.status, state.severity, state.fixVersion], ['fixed', 'critical', '1.2.6']);
});

test('the default branch is guessed until it is given, and statuses follow it', async () => {
  const repository = 'acme/default';
  await send([
    reportInput(trivy([minimist]), { repository, ref: 'develop', scannedAt: day(1) }),
    reportInput(trivy([lodash]), { repository, ref: 'main', scannedAt: day(2) }),
    reportInput(trivy([]), { repository, ref: 'develop', scannedAt: day(3) }),
  ]);
  assert.equal((await stateOf(repository, minimist.id)).status, 'fixed');
  await send([
    reportInput(trivy([lodash]), {
      repository,
      ref: 'main',
      scannedAt: day(4),
      defaultBranch: parseReference('main'),
    }),
  ]);
  assert.equal((await stateOf(repository, lodash.id)).status, 'open');
});

test('the same secret in two files is one vulnerability, and its value is stored nowhere', async () => {
  const repository = 'acme/secret';
  const secret = `ghp_${'Zq9xV2'.repeat(6)}`;
  const report = {
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'gitleaks',
            rules: [{ id: 'github-pat', shortDescription: { text: 'GitHub token' } }],
          },
        },
        results: ['a.env', 'b.env'].map((uri) => ({
          ruleId: 'github-pat',
          message: { text: `github-pat has detected secret for file ${uri}` },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri },
                region: { startLine: 3, snippet: { text: secret } },
              },
            },
          ],
        })),
      },
    ],
  };
  const [scan] = await send([reportInput(report, { repository, scannedAt: day(1) })]);
  assert.equal(scan?.counts?.new, 1);
  const { rows } = await database.owner.query(
    `select table_name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  for (const { table_name: table } of rows) {
    const found = await database.owner.query(`select 1 from ${table} t where t::text like $1 limit 1`, [
      `%${secret}%`,
    ]);
    assert.equal(found.rows.length, 0, `the secret stands in ${table}`);
  }
});

test('an unreadable report fails with the position, and the next one is processed', async () => {
  const repository = 'acme/broken';
  const scans = await send([
    reportInput('{"version": "2.1.0", "runs": [', { repository, scannedAt: day(1) }),
    reportInput(sarif([{ rule: 'x', path: 'a.ts', line: 1 }]), { repository, scannedAt: day(2) }),
  ]);
  assert.equal(scans[0]?.error?.code, 'MALFORMED_REPORT');
  assert.equal(scans[0]?.error?.line, 1);
  assert.equal(scans[1]?.counts?.new, 1);
});

test('a report is imported whole although its names are longer than an index allows', async () => {
  // PostgreSQL compresses the entries of an index, so only random text is too long.
  const below = randomOf(seedOf(20_260_101));
  const random = (length: number, from = 0x4e00): string =>
    String.fromCodePoint(...Array.from({ length }, () => from + below(20_000)));
  const fourBytes = 0x20000;
  const repository = 'acme/long-names';
  const version = random(500);
  const packages = [
    { name: random(500), version, type: 'library' },
    { name: 'rake', version, type: 'library', purl: `pkg:npm/${random(500)}/rake` },
    { name: 'hoe', version: '1.0', type: 'library', purl: 'pkg:npm/hoe@1.0' },
  ].map((component, index) => ({ ...component, 'bom-ref': `part-${index}` }));
  const bom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    components: packages,
    vulnerabilities: packages.map((component) => ({
      id: random(500),
      affects: [{ ref: component['bom-ref'] }],
      analysis: { state: 'not_affected' },
    })),
  };
  const [inventory] = await send([reportInput(bom, { repository, scannedAt: day(1) })]);
  assert.equal(inventory?.error, null);
  const { rows } = await database.owner.query(
    `select g.purl, s.status from package g join package_version v on v.package_id = g.id
       join manifest_package m on m.package_version_id = v.id join repository p on p.id = m.repository_id
       join vex_statement s on s.repository_id = p.id and s.package = g.purl
      where p.full_name = $1 order by s.package collate "C"`,
    [repository],
  );
  assert.deepEqual(
    rows.map(({ purl, status }) => [purl.replace(/[0-9a-f]{64}$/, '(digest)'), status]),
    [
      ['pkg:generic/(digest)', 'not_affected'],
      ['pkg:npm/(digest)', 'not_affected'],
      ['pkg:npm/hoe', 'not_affected'],
    ],
  );

  // From the second commit on, each file has its own series.
  const category = random(255, fourBytes);
  const run = { tool: random(500), category: random(500) };
  const files = [1, 2].map((n) => ({
    fileName: random(255, fourBytes),
    report: Buffer.from(JSON.stringify(sarif([{ rule: `rule-${n}`, path: `${n}.ts`, line: 1 }], run))),
  }));
  const scans = await send(
    ['a', 'b'].flatMap((commit, n) =>
      files.map((file) =>
        reportInput(null, { repository, category, sha: commit.repeat(40), scannedAt: day(n + 2), ...file }),
      ),
    ),
  );
  assert.deepEqual(
    scans.map(({ error, counts }) => [error, counts?.new]),
    [
      [null, 1],
      [null, 1],
      [null, 0],
      [null, 0],
    ],
  );
  const series = await database.owner.query(
    `select 1 from scan_series s join repository p on p.id = s.repository_id where p.full_name = $1 and s.file_name <> ''`,
    [repository],
  );
  assert.equal(series.rowCount, 1);
});
