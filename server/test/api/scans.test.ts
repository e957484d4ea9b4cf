/** Tests of scans: the list with its filters, one scan with all its problems, and the state that CI waits for. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { repositorySources } from '../../src/domain/repository-enums.ts';
import { type Answer, clientOf, type Json, type Schemas, walk } from '../support/client.ts';
import { fieldOf } from '../support/fields.ts';
import { importAll } from '../support/import.ts';
import { createTestServer } from '../support/server.ts';
import { codeReport, trivyReport } from '../support/tool-reports.ts';
import { createTestWorkspace, reportInput } from '../support/workspace.ts';
import { fields, id, list as listOf, nullable, oneOf, type Shape, ShapeChecker } from './shapes.ts';
import { page, reference } from './spec-tables.ts';

const scanStatus = oneOf('queued', 'running', 'completed', 'failed', 'canceled');
const counts = fields(
  Object.fromEntries(
    ['read', 'new', 'unchanged', 'reopened', 'fixed', 'suppressed', 'unreadable', 'closing_held'].map(
      (name) => [name, 'integer' as const],
    ),
  ),
);
const verdict = nullable(oneOf('pass', 'warn', 'block'));
const repository = fields({ id: id('repo'), full_name: 'string' });
const scanFields: Record<string, Shape> = {
  id: id('scan'),
  repository: fields({
    id: id('repo'),
    full_name: 'string',
    source: oneOf(...repositorySources),
    org: fields({ full_path: 'string' }),
  }),
  reference,
  sha: nullable('string'),
  status: scanStatus,
  format: 'string',
  tools: listOf('string'),
  category: nullable('string'),
  source: nullable(oneOf('current', 'git_history')),
  progress: nullable(fields({ step: 'string', done: 'integer', total: 'integer' })),
  partial: 'boolean',
  dry_run: 'boolean',
  file_name: nullable('string'),
  scanned_at: 'timestamp',
  created_at: 'timestamp',
  started_at: nullable('timestamp'),
  finished_at: nullable('timestamp'),
  counts: nullable(counts),
  warning_count: 'integer',
  verdict,
  error: nullable(
    fields({ code: 'string', message: 'string', pointer: nullable('string'), line: nullable('integer') }),
  ),
};
const scanDetail = fields({
  ...scanFields,
  warnings: listOf('string'),
  unreadable: listOf(fields({ pointer: 'string', reason: 'string' })),
});
const scanState = fields({
  repository,
  reference: nullable(reference),
  status: nullable(scanStatus),
  verdict,
  counts: nullable(counts),
  scans: listOf(
    fields({
      id: id('scan'),
      reference,
      tool: nullable('string'),
      category: nullable('string'),
      status: scanStatus,
      outcome: nullable(oneOf('succeeded', 'failed', 'scanned_nothing')),
    }),
  ),
  missing: listOf('string'),
});

type Scan = Schemas['ScanDetail'];

type State = Schemas['ScanStatus'];

const server = await createTestServer();
const { tenant, people } = await createTestWorkspace(server, 'acme');
const client = clientOf(server.app, people.viewer.key);
const base = '/api/v1/acme/scans';
const checker = new ShapeChecker();
const sha = 'abcdef0123456789abcdef0123456789abcdef01';
const laterSha = 'abcdef0999999999999999999999999999999999';
const packages = [
  { id: 'CVE-2030-1', package: 'lodash', severity: 'HIGH' },
  { id: 'CVE-2030-2', package: 'minimist', severity: 'LOW' },
] as const;
const withBrokenRow = {
  ...trivyReport({ packages: [...packages] }),
  Results: [
    {
      Target: 'package-lock.json',
      Class: 'lang-pkgs',
      Type: 'npm',
      Vulnerabilities: [{ VulnerabilityID: 'CVE-2030-1', PkgName: 'lodash', Severity: 'HIGH' }, 'no row'],
    },
  ],
};
const trivy = (count: number): object => trivyReport({ packages: packages.slice(0, count) });
const code = codeReport([{ rule: 'sqli', title: 'SQL', path: 'src/db.ts', code: 'query(x)' }]);
const imported = await importAll(server, 'acme', [
  reportInput(trivy(2), { sha }),
  reportInput(code, { sha, category: 'nightly' }),
  reportInput(trivy(1), { sha: laterSha, partial: true }),
  reportInput(trivy(1), { ref: 'next', dryRun: true }),
  reportInput('{"no": "report"}', { ref: 'broken', sha: 'deadbeef' }),
  reportInput(withBrokenRow, { repository: 'acme/api', source: 'git_history' }),
]);
assert.equal(imported.length, 6);

function fits(shape: Shape, answer: Answer, name: string): void {
  assert.equal(answer.status, 200, `${name}: ${answer.text}`);
  assert.deepEqual(checker.problems(shape, answer.body, name), []);
}

async function found(query: string): Promise<Scan[]> {
  const answer = await client.get<{ items: Scan[] }>(`${base}${query}`);
  fits(page(fields(scanFields)), answer as unknown as Answer, 'scans');
  return answer.body.items;
}

async function stateOf(query: string): Promise<State> {
  const answer = await client.get<State>(`${base}/status?${query}`);
  fits(scanState, answer as unknown as Answer, 'state');
  return answer.body;
}

/** Inserts a waiting scan, like an upload. */
async function insertWaiting(ref: string, commit: string | null = null): Promise<string> {
  const { rows } = await server.owner.query<{ id: string }>(
    `insert into scan (tenant_id, id, repository_id, reference_id, sha, format, status, scanned_at, digest,
                       content_digest)
     select f.tenant_id, gen_random_uuid(), f.repository_id, f.id, $3, 'auto', 'queued', now(), '\\x00', '\\x00'
       from reference f join repository r on r.tenant_id = f.tenant_id and r.id = f.repository_id
      where f.tenant_id = $1 and f.full_ref = $2 and r.name_key = 'acme/shop' returning id`,
    [tenant.id, `refs/heads/${ref}`, commit],
  );
  const [row] = rows;
  assert.ok(row, 'the reference is not there');
  return row.id;
}

async function endWaiting(scanId: string, status: 'running' | 'canceled'): Promise<void> {
  await server.owner.query('update scan set status = $2, finished_at = now() where id = $1', [
    scanId,
    status,
  ]);
}

describe('the list', () => {
  test('is sorted newest first, in pages', async () => {
    const all = await found('');
    assert.equal(all.length, 6);
    assert.deepEqual(
      fieldOf(all, 'id'),
      all
        .map((scan) => scan.id)
        .toSorted()
        .toReversed(),
    );
    const walked = await walk<Scan>(client, base, { per_page: 2 });
    assert.deepEqual(walked, all);
  });

  test('accepts each filter, and several together', async () => {
    const repositoryId = (await found('?repo=acme/api'))[0]?.repository.id;
    for (const [query, count] of [
      ['repo=acme/shop', 5],
      ['repo=ACME/Api', 1],
      [`repo=${repositoryId}`, 1],
      ['repo=acme/shop&ref=main', 3],
      ['repo=acme/shop&ref=refs/heads/main', 3],
      ['repo=acme/shop&ref=HEAD', 3],
      ['repo=acme/shop&ref=nowhere', 0],
      [`sha=${sha}`, 2],
      ['sha=ABCDEF0', 3],
      ['sha=abcdef09', 1],
      ['status=completed', 5],
      ['status=failed', 1],
      ['status=failed,completed', 6],
      ['status=queued&status=running', 0],
      ['tool=trivy', 4],
      ['tool=Semgrep', 1],
      ['tool=nothing', 0],
      [`repo=acme/shop&tool=trivy&sha=${sha}&status=completed`, 1],
    ] as const) {
      assert.equal((await found(`?${query}`)).length, count, query);
    }
  });

  test('ref needs repo', async () => {
    const answer = await client.get(`${base}?ref=main`);
    assert.equal(answer.status, 422);
    assert.deepEqual(Object.keys(answer.body.errors as Json), ['repo']);
  });
});

describe('one scan', () => {
  test('has the fields of the list, and its warnings and unreadable rows', async () => {
    const all = await found('');
    assert.equal(all.length, 6);
    for (const scan of all) {
      const answer = await client.get<Scan>(`${base}/${scan.id}`);
      fits(scanDetail, answer as unknown as Answer, 'scan');
      const { warnings, unreadable, ...rest } = answer.body as Scan & { warnings: string[] };
      assert.deepEqual(rest, scan);
      assert.equal(unreadable?.length, scan.counts?.unreadable ?? 0);
      assert.ok(Array.isArray(warnings));
    }
  });

  test('counts its changes', async () => {
    const all = (await found('')).toReversed();
    const numbers = all.map((scan) => scan.counts && [scan.counts.read, scan.counts.new, scan.counts.fixed]);
    assert.deepEqual(numbers, [[2, 2, 0], [1, 1, 0], [1, 0, 0], [1, 0, 0], null, [2, 1, 0]]);
    const broken = await client.get<Scan>(`${base}/${all[5]?.id}`);
    assert.match(broken.body.unreadable?.[0]?.pointer ?? '', /^\/Results\/0\/Vulnerabilities\/1$/);
  });

  test('of a dry run says what would change, and changes nothing', async () => {
    const { body } = await client.get<{ summary: Json }>(
      '/api/v1/acme/vulnerabilities?repo=acme/shop&ref=next',
    );
    assert.equal(body.summary.total, 0);
    assert.deepEqual((await stateOf('repo=acme/shop&ref=next')).scans.length, 0);
  });

  test('that failed has the reason', async () => {
    const [failed] = await found('?status=failed');
    assert.equal(failed?.counts, null);
    assert.match(failed?.error?.code ?? '', /^[A-Z_]+$/);
    assert.ok((failed?.error?.message ?? '').length > 10);
  });
});

describe('the state', () => {
  test('is that of a reference, of its default branch, or of a commit', async () => {
    const main = await stateOf('repo=acme/shop&ref=main');
    assert.equal(main.status, 'completed');
    assert.deepEqual(main.scans.map((scan) => [scan.tool, scan.category]).sort(), [
      ['semgrep', 'nightly'],
      ['trivy', ''],
    ]);
    assert.deepEqual(main.missing, []);
    assert.deepEqual(await stateOf('repo=acme/shop'), main);
    assert.deepEqual(await stateOf('repo=acme/shop&ref=HEAD'), main);
    const commit = await stateOf(`repo=acme/shop&sha=${sha}`);
    assert.deepEqual(commit.counts?.new, 3);
    assert.equal(commit.scans.length, 2);
    const later = await stateOf('repo=acme/shop&sha=ABCDEF09');
    assert.deepEqual(fieldOf(later.scans, 'tool'), ['trivy']);
  });

  test('is failed after a failed scan that no other has followed', async () => {
    const { status, verdict, scans } = await stateOf('repo=acme/shop&ref=broken');
    assert.deepEqual([status, verdict, scans.length], ['failed', null, 1]);
  });

  test('of a reference or commit without scans is unknown', async () => {
    const nowhere = await stateOf('repo=acme/shop&ref=nowhere&expect=trivy');
    assert.deepEqual(
      [nowhere.reference, nowhere.status, nowhere.verdict, nowhere.counts, nowhere.scans, nowhere.missing],
      [null, null, null, null, [], ['trivy']],
    );
    const answer = await client.get(`${base}/status?repo=acme/shop&sha=0000000`);
    assert.equal(answer.status, 404);
  });

  test('an expected tool without a completed scan is missing, and there is no verdict', async () => {
    const state = await stateOf('repo=acme/shop&ref=main&expect=trivy,Gitleaks,semgrep,gitleaks');
    assert.deepEqual([state.missing, state.verdict], [['gitleaks'], null]);
    const commit = await stateOf('repo=acme/shop&sha=abcdef09&expect=trivy&expect=semgrep');
    assert.deepEqual(commit.missing, ['semgrep']);
    const broken = await stateOf('repo=acme/shop&ref=broken&expect=trivy');
    assert.deepEqual(broken.missing, ['trivy']);
  });

  test('wait returns at once when all scans are final, else when the time is over', async () => {
    const started = Date.now();
    await stateOf('repo=acme/shop&ref=main&wait=30');
    await stateOf('repo=acme/shop&ref=broken&wait=30');
    assert.ok(Date.now() - started < 5_000, 'nothing to wait for');
    const waiting = Date.now();
    const state = await stateOf('repo=acme/shop&ref=main&expect=gitleaks&wait=1');
    assert.deepEqual(state.missing, ['gitleaks']);
    assert.ok(Date.now() - waiting >= 950 && Date.now() - waiting < 10_000);
  });

  test('wait ends when the scan ends', async () => {
    const scanId = await insertWaiting('main', laterSha);
    assert.equal((await stateOf('repo=acme/shop&ref=main')).status, 'queued');
    assert.equal((await stateOf('repo=acme/shop&ref=main')).verdict, null);
    assert.equal((await stateOf(`repo=acme/shop&sha=${sha}`)).status, 'completed', 'another commit is done');
    await endWaiting(scanId, 'running');
    assert.equal((await stateOf('repo=acme/shop&ref=main')).status, 'running');
    const started = Date.now();
    const pending = stateOf('repo=acme/shop&ref=main&wait=20');
    await sleep(700);
    await endWaiting(scanId, 'canceled');
    assert.equal((await pending).status, 'completed');
    assert.ok(Date.now() - started < 15_000, 'less than it would have waited');
    await server.owner.query('delete from scan where id = $1', [scanId]);
  });

  test('invalid parameters are refused', async () => {
    for (const [query, field] of [
      ['ref=main', 'repo'],
      ['repo=acme/shop&ref=main&sha=abcdef0', 'sha'],
      ['repo=acme/shop&wait=31', 'wait'],
      ['repo=acme/shop&wait=-1', 'wait'],
      ['repo=acme/shop&wait=1s', 'wait'],
      ['repo=acme/shop&sha=xyz', 'sha'],
      ['repo=acme/shop&expected=trivy', 'expected'],
    ] as const) {
      const answer = await client.get(`${base}/status?${query}`);
      assert.equal(answer.status, 422, query);
      assert.deepEqual(Object.keys(answer.body.errors as Json), [field], query);
    }
    for (const path of [
      '/status?repo=acme/nowhere',
      '/scan_nonsense',
      '/scan_00000000000000000000000000',
      '/nothing',
    ]) {
      assert.equal((await client.get(`${base}${path}`)).status, 404, path);
    }
  });
});
