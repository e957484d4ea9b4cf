/**
 * Tests of `POST /ingest/v1/{slug}/scans`: accepted, refused and recognised reports, over HTTP, processed by the
 * worker.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { env } from 'node:process';
import { test } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { parseId } from '../../src/domain/ids.ts';
import { processRepository } from '../../src/ingest/import/process-scan.ts';
import { assertInvariants } from '../support/invariants.ts';
import { type PackageResult, sarif, trivy } from '../support/reports.ts';
import { createTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { createTestWorkspace } from '../support/workspace.ts';
import { zipOf } from '../support/zip.ts';

const server = await createTestServer({
  MERLON_MAX_UPLOAD_MB: '2',
  MERLON_MAX_INFLATED_MB: '8',
  MERLON_UPLOADS_PER_MINUTE: '0',
});
const workspace = await createTestWorkspace(server, 'acme');
const { tenant, people } = workspace;
await server.app.listen({ port: 0, host: '127.0.0.1' });
const { port } = server.app.server.address() as AddressInfo;

const lodash: PackageResult = { id: 'CVE-2020-8203', name: 'lodash', version: '4.17.15' };
const report = (results: PackageResult[] = [lodash]) => JSON.stringify(trivy(results));

interface Upload {
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: string | Buffer;
  key?: string;
}

async function upload({ query = {}, headers = {}, body = report(), key = people.member.key }: Upload = {}) {
  const parameters = new URLSearchParams({ repo: 'acme/shop', ref: 'main', ...query });
  const response = await fetch(`http://127.0.0.1:${port}/ingest/v1/acme/scans?${parameters}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, ...headers },
    body,
  });
  // biome-ignore lint/suspicious/noExplicitAny: the tests look into it field by field
  return { status: response.status, headers: response.headers, body: (await response.json()) as any };
}

async function process(repository = 'acme/shop'): Promise<void> {
  const { rows } = await server.owner.query('select id from repository where full_name = $1', [repository]);
  await processRepository(server, tenant.id, rows[0].id);
}

async function scanOf(id: string) {
  const { rows } = await server.owner.query('select * from scan where id = $1', [parseId('scan', id)]);
  return rows[0];
}

async function pieces(): Promise<number> {
  const { rows } = await server.owner.query('select count(*)::int as n from scan_report');
  return rows[0].n;
}

test('an upload gives 202 with the scan and its Location, and the report is deleted after processing', async () => {
  const taken = await upload({
    query: {
      sha: 'ABCDEF1234567',
      category: 'api',
      scanned_at: '2026-01-02T03:04:05Z',
      environment: 'production',
      file_name: 'trivy.json',
      default_branch: 'main',
    },
  });
  assert.equal(taken.status, 202, JSON.stringify(taken.body));
  assert.equal(taken.headers.get('location'), `/api/v1/acme/scans/${taken.body.id}`);
  assert.equal(taken.body.status, 'queued');
  assert.equal(taken.body.sha, 'abcdef1234567');
  assert.equal(await pieces(), 1);
  await process();
  const scan = await scanOf(taken.body.id);
  assert.deepEqual([scan.status, scan.counts.new, scan.category], ['completed', 1, 'api']);
  assert.equal(await pieces(), 0);
  const { rows } = await server.owner.query(
    `select f.environment_key, r.default_guessed from reference f join repository r on r.default_reference_id = f.id`,
  );
  assert.deepEqual(rows, [{ environment_key: 'production', default_guessed: false }]);
});

test('an environment is stored without the blanks around it, and a file name in one spelling of its accents', async () => {
  for (const [at, environment] of ['production ', '\ufeffProduction'].entries()) {
    const repo = `acme/around-${at}`;
    const taken = await upload({ query: { repo, environment, file_name: 'Pru\u0308fbericht.json' } });
    assert.equal(taken.status, 202, JSON.stringify(taken.body));
    await process(repo);
    const { rows } = await server.owner.query(
      `select f.environment_key, s.file_name from scan s join reference f on f.id = s.reference_id where s.id = $1`,
      [parseId('scan', taken.body.id)],
    );
    assert.deepEqual(rows, [{ environment_key: 'production', file_name: 'Pr\u00fcfbericht.json' }]);
  }
});

test('a waiting report is encrypted, so that the database shows nothing of it', async () => {
  const taken = await upload({
    body: report([{ ...lodash, name: 'tell-tale-package' }]),
    query: { repo: 'acme/sealed' },
  });
  const { rows } = await server.owner.query('select ciphertext from scan_report');
  assert.ok(rows.length > 0);
  for (const { ciphertext } of rows) assert.ok(!ciphertext.includes('tell-tale'));
  assert.equal(taken.status, 202);
  await process('acme/sealed');
});

test('gzip and zstd are decompressed, with and without their Content-Encoding; another encoding is refused', async () => {
  for (const [encoding, body] of [
    ['gzip', gzipSync(report())],
    ['zstd', zstdCompressSync(report())],
  ] as const) {
    const taken = await upload({
      body,
      headers: { 'content-encoding': encoding },
      query: { repo: `acme/${encoding}` },
    });
    assert.equal(taken.status, 202, JSON.stringify(taken.body));
    await process(`acme/${encoding}`);
    assert.equal((await scanOf(taken.body.id)).counts.new, 1);
  }
  for (const [name, body] of [
    ['plain-gzip', gzipSync(report())],
    ['plain-zstd', zstdCompressSync(report())],
  ] as const) {
    const taken = await upload({ body, query: { repo: `acme/${name}` } });
    assert.equal(taken.status, 202, JSON.stringify(taken.body));
    await process(`acme/${name}`);
    assert.equal((await scanOf(taken.body.id)).counts.new, 1);
  }
  const refused = await upload({ headers: { 'content-encoding': 'br' } });
  assert.deepEqual([refused.status, refused.body.code], [415, 'UNSUPPORTED_MEDIA_TYPE']);
  const broken = await upload({ body: report(), headers: { 'content-encoding': 'gzip' } });
  assert.deepEqual([broken.status, broken.body.code], [400, 'MALFORMED_REQUEST']);
  assert.equal(await pieces(), 0);
});

test('a compressed body that goes on after its first piece is never read in part', async () => {
  const large = JSON.stringify({ ...JSON.parse(report()), padding: randomBytes(200_000).toString('hex') });
  for (const [name, body] of [
    ['zstd', Buffer.concat([zstdCompressSync(report()), zstdCompressSync(report())])],
    ['zstd-large', Buffer.concat([zstdCompressSync(large), zstdCompressSync(large)])],
    ['gzip', Buffer.concat([gzipSync(report()), Buffer.alloc(8), gzipSync(report())])],
  ] as const) {
    const refused = await upload({ body, query: { repo: `acme/pieces-${name}` } });
    assert.deepEqual([refused.status, refused.body.code], [400, 'MALFORMED_REQUEST'], name);
    assert.match(refused.body.message, /as one piece/);
  }
  assert.equal(await pieces(), 0);
});

/** A frame of Zstandard with a window of 2 to this power, whose only block has the text as it is. */
function zstdFrame(windowLog: number, text: string): Buffer {
  const header = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, (windowLog - 10) << 3, 0, 0, 0]);
  header.writeUIntLE((Buffer.byteLength(text) << 3) | 1, 6, 3);
  return Buffer.concat([header, Buffer.from(text)]);
}

test('zstd with a window of 8 MB is decompressed, and one with more is refused with what to do', async () => {
  const taken = await upload({ body: zstdFrame(23, report()), query: { repo: 'acme/window' } });
  assert.equal(taken.status, 202, JSON.stringify(taken.body));
  await process('acme/window');
  assert.equal((await scanOf(taken.body.id)).counts.new, 1);
  for (const headers of [{ 'content-encoding': 'zstd' }, {}]) {
    const refused = await upload({ body: zstdFrame(24, report()), headers });
    assert.deepEqual([refused.status, refused.body.code], [400, 'MALFORMED_REQUEST']);
    assert.match(refused.body.message, /window of more than 8 MB.*without --long/);
  }
  assert.equal(await pieces(), 0);
});

test('an invalid Content-Type is 415, and any valid type is accepted', async () => {
  const refused = await upload({ headers: { 'content-type': 'x' } });
  assert.equal(refused.status, 415);
  assert.match(refused.body.message, /^The Content-Type is not a media type/);
});

test('a body that is too large, sent or decompressed, is refused with the name of the limit', async () => {
  const large = await upload({ body: Buffer.alloc(3 * 1024 * 1024, 0x20) });
  assert.deepEqual([large.status, large.body.code], [413, 'PAYLOAD_TOO_LARGE']);
  assert.deepEqual(large.body.details, { max_bytes: 2 * 1024 * 1024 });
  const random = Buffer.from(
    Array.from({ length: 9 * 1024 * 1024 }, (_, i) => 33 + ((i * 2654435761) >>> 25)),
  );
  const inflated = await upload({ body: gzipSync(random), headers: { 'content-encoding': 'gzip' } });
  assert.deepEqual([inflated.status, inflated.body.code], [413, 'PAYLOAD_TOO_LARGE']);
  assert.deepEqual(inflated.body.details, { max_decompressed_bytes: 8 * 1024 * 1024 });
  const bomb = await upload({
    body: gzipSync(
      Buffer.concat([Buffer.from('{"a":"'), Buffer.alloc(6 * 1024 * 1024, 0x61), Buffer.from('"}')]),
    ),
    headers: { 'content-encoding': 'gzip' },
  });
  assert.equal(bomb.status, 413);
  assert.match(bomb.body.message, /MERLON_MAX_INFLATION_RATIO/);
  assert.equal(await pieces(), 0);
});

test('an unknown format is refused at once, with the nearest format', async () => {
  const cases: [string, RegExp][] = [
    ['{"hello": "world"}', /no known format/],
    ['{"runs": [', /is not valid at line 1/],
    ['', /empty/],
    ['   ', /empty/],
    ['<html></html>', /HTML, which is not read/],
  ];
  for (const [body, message] of cases) {
    const refused = await upload({ body: body === '' ? Buffer.alloc(0) : body });
    assert.ok([400, 422].includes(refused.status), `${body}: ${refused.status}`);
    if (refused.status === 422) assert.match(refused.body.errors.report[0], message);
  }
  const other = await upload({ query: { format: 'sarif' } });
  assert.equal(other.status, 422);
  assert.match(other.body.errors.report[0], /is not sarif: its content is trivy/);
  const unknown = await upload({ query: { format: 'trivvy' } });
  assert.match(unknown.body.errors.format[0], /nearest is trivy/);
  assert.equal(await pieces(), 0);
});

test('a long report of an unknown format is refused by its beginning, one of a known format is not', async () => {
  const long = trivy(Array.from({ length: 2_000 }, (_, n) => ({ ...lodash, id: `CVE-2021-${10_000 + n}` })));
  const taken = await upload({ body: JSON.stringify(long), query: { repo: 'acme/long', format: 'trivy' } });
  assert.equal(taken.status, 202, JSON.stringify(taken.body));
  await process('acme/long');
  assert.equal((await scanOf(taken.body.id)).counts.new, 2_000);
  const wrong = await upload({ body: JSON.stringify(long), query: { repo: 'acme/long', format: 'grype' } });
  assert.equal(wrong.status, 422);
});

test('an archive of a format that has one is taken, any other is refused at once or by its scan', async () => {
  const risks = readFileSync(new URL('../fixtures/black-duck/before.csv', import.meta.url), 'utf8');
  // Files that are larger than the part that the upload reads to recognise a format.
  const noise = Array.from({ length: 20_000 }, (_, n) => `${n * 2_654_435_761}`).join('\n');
  const cases: [string, Record<string, string>, RegExp | null][] = [
    ['small', { 'security.csv': risks }, null],
    ['large', { 'source.csv': noise, 'security.csv': risks }, null],
    ['plain', { 'trivy.json': report() }, /ZIP archive: send the report inside it/],
  ];
  for (const [name, members, refusal] of cases) {
    const taken = await upload({ body: zipOf(members), query: { repo: `acme/zip-${name}` } });
    if (refusal !== null) {
      assert.equal(taken.status, 422);
      assert.match(taken.body.errors.report[0], refusal);
      continue;
    }
    assert.equal(taken.status, 202, JSON.stringify(taken.body));
    await process(`acme/zip-${name}`);
    const scan = await scanOf(taken.body.id);
    assert.deepEqual([scan.status, scan.format, scan.counts.new], ['completed', 'black-duck', 4], name);
  }
  const late = await upload({
    body: zipOf({ 'trivy.json': report(), noise }),
    query: { repo: 'acme/zip-late' },
  });
  assert.equal(late.status, 202);
  await process('acme/zip-late');
  const scan = await scanOf(late.body.id);
  assert.equal(scan.status, 'failed');
  assert.match(JSON.stringify(scan.error), /ZIP archive: send the report inside it/);
  const bomb = await upload({
    body: zipOf({ 'security.csv': risks + ' '.repeat(7 * 1024 * 1024) }),
    query: { repo: 'acme/zip-bomb' },
  });
  assert.equal(bomb.status, 202);
  await process('acme/zip-bomb');
  assert.match(JSON.stringify((await scanOf(bomb.body.id)).error), /MERLON_MAX_INFLATION_RATIO/);
  assert.equal(await pieces(), 0);
});

test('all wrong parameters are reported at once', async () => {
  const refused = await upload({
    query: {
      repo: 'shop',
      ref: '..',
      base_ref: 'a b',
      scanned_at: '2999-01-01T00:00:00Z',
      repo_external_id: '7',
    },
  });
  assert.equal(refused.status, 422);
  assert.deepEqual(Object.keys(refused.body.errors).sort(), [
    'base_ref',
    'ref',
    'repo',
    'repo_external_id',
    'scanned_at',
  ]);
  const unknown = await upload({ query: { branch: 'main' } });
  assert.match(unknown.body.errors.branch[0], /Unknown parameter/);
  const forced = await upload({ query: { force: 'true' } });
  assert.deepEqual(Object.keys(forced.body.errors), ['force']);
  assert.equal(
    (await upload({ query: { force: 'true', repo: 'acme/forced' }, key: people.admin.key })).status,
    202,
  );
});

test('an inexact time, or one from before scanners existed, is refused', async () => {
  for (const [text, message] of [
    ['2026-01-01T00:00', /RFC 3339/],
    ['2026-02-30T00:00:00Z', /2026-02-30 00:00:00 is none/],
    ['9999-12-31T23:59:59-01:00', /years 1 to 9999/],
    ['0000-01-01T00:00:00Z', /years 1 to 9999/],
    ['1970-01-01T00:00:00Z', /before 1990/],
  ] as const) {
    const { status, body } = await upload({ query: { scanned_at: text } });
    assert.deepEqual([status, Object.keys(body.errors)], [422, ['scanned_at']], text);
    assert.match(body.errors.scanned_at[0], message);
  }
});

test('a report has the time of the database and is known again, whatever the clock of its node is', async (t) => {
  const fast = 3_600_000;
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + fast });
  const soon = new Date(Date.now() - fast + 240_000).toISOString();
  for (const [repo, query] of [
    ['acme/fast', {}],
    ['acme/faster', { scanned_at: soon }],
  ] as const) {
    const { body } = await upload({ query: { repo, ...query } });
    const { rows } = await server.owner.query(
      "select scanned_at between now() - interval '1 minute' and now() as is_present from scan where id = $1",
      [parseId('scan', body.id)],
    );
    assert.equal(rows[0].is_present, true, repo);
    assert.equal((await upload({ query: { repo, ...query } })).body.repeated, true, repo);
  }
});

test('HEAD and references of other kinds are refused; a default branch is a branch', async () => {
  for (const [field, text, message] of [
    ['ref', 'HEAD', /whatever is checked out/],
    ['ref', 'head', /whatever is checked out/],
    ['base_ref', 'HEAD', /whatever is checked out/],
    ['ref', 'refs/remotes/origin/main', /^Must be a branch, tag or pull request/],
    ['ref', 'refs/stash', /^Must be a branch, tag or pull request/],
    ['default_branch', 'HEAD', /whatever is checked out/],
    ['default_branch', 'refs/pull/7/head', /^Must be a branch, not "refs/],
    ['default_branch', 'refs/tags/v1', /^Must be a branch, not "refs/],
  ] as const) {
    const { status, body } = await upload({ query: { repo: 'acme/heads', [field]: text } });
    assert.deepEqual([status, Object.keys(body.errors ?? {})], [422, [field]], `${field} ${text}`);
    assert.match(body.errors[field][0], message);
  }
});

test('names with control characters or blanks at the ends are refused', async () => {
  const fields = {
    repo: 'acme/sh\u001b[31mop',
    category: 'a\u202eb',
    environment: 'pro\u0085d',
    file_name: 'gpj.\u2067exe',
    repo_source: 'ghc',
    repo_external_id: '7\u0007',
    org_external_id: '\u007f8',
  };
  const { status, body } = await upload({ query: fields });
  const { repo_source: _, ...named } = fields;
  assert.deepEqual([status, Object.keys(body.errors).sort()], [422, Object.keys(named).sort()]);
  assert.match(body.errors.category[0], /control characters/);
  const hidden = await upload({ query: { repo: 'acme/shop', environment: 'prod\u200buction' } });
  assert.deepEqual([hidden.status, Object.keys(hidden.body.errors)], [422, ['environment']]);
  for (const repo of ['acme/sh\u200bop', 'acme/shop\u2060', 'ac\u00adme/shop', 'acme/shop\ufe0f']) {
    const unseen = await upload({ query: { repo } });
    assert.deepEqual([unseen.status, Object.keys(unseen.body.errors)], [422, ['repo']], JSON.stringify(repo));
  }
  const hebrew = await upload({ query: { repo: 'acme/names', category: 'שלום\u200f 💥' } });
  assert.equal(hebrew.status, 202, JSON.stringify(hebrew.body));
});

test('a viewer may not upload', async () => {
  assert.equal((await upload({ key: people.viewer.key })).status, 403);
});

test('without ref the default branch is used, and a new repository is refused with 422', async () => {
  const send = (repo: string) =>
    fetch(`http://127.0.0.1:${port}/ingest/v1/acme/scans?repo=${repo}&sha=1234567`, {
      method: 'POST',
      headers: { authorization: `Bearer ${people.member.key}` },
      body: report(),
    });
  assert.equal((await send('acme/unheard-of')).status, 422);
  const known = await send('acme/shop');
  assert.equal(known.status, 202);
  assert.equal(((await known.json()) as { reference: { ref: string } }).reference.ref, 'main');
});

test('a second report without a reference goes to the branch of the first one that still waits', async () => {
  const first = await upload({ query: { repo: 'acme/quick', ref: 'trunk' } });
  const response = await fetch(`http://127.0.0.1:${port}/ingest/v1/acme/scans?repo=acme/quick&sha=ddddddd`, {
    method: 'POST',
    headers: { authorization: `Bearer ${people.member.key}` },
    body: report(),
  });
  assert.equal(response.status, 202);
  const second = (await response.json()) as { reference: { id: string } };
  assert.equal(second.reference.id, first.body.reference.id);
});

test('the same bytes give the same scan for some minutes, while they are the newest of their kind', async () => {
  const query = { repo: 'acme/repeats', sha: 'aaaaaaa' };
  const first = await upload({ query });
  const again = await upload({ query, body: gzipSync(report()), headers: { 'content-encoding': 'gzip' } });
  assert.equal(again.body.id, first.body.id);
  assert.deepEqual([first.body.repeated, again.body.repeated], [false, true]);
  const other = await upload({ query, body: report([]) });
  assert.notEqual(other.body.id, first.body.id);
  const back = await upload({ query });
  assert.notEqual(back.body.id, first.body.id);
  const commit = await upload({ query: { ...query, sha: 'bbbbbbb' } });
  assert.notEqual(commit.body.id, back.body.id);
  const category = await upload({ query: { ...query, category: 'other' } });
  assert.notEqual(category.body.id, back.body.id);
  for (const parameters of [
    { environment: 'production' },
    { default_branch: 'main' },
    { base_sha: 'ccccccc' },
    { file_name: 'other.json' },
    { scanned_at: '2026-01-01T00:00:00Z' },
  ]) {
    const different = await upload({ query: { ...query, ...parameters } });
    assert.notEqual(different.body.id, back.body.id, JSON.stringify(parameters));
  }
  const last = await upload({ query: { repo: 'acme/nightly' } });
  await server.owner.query(`update scan set created_at = created_at - interval '11 minutes' where id = $1`, [
    parseId('scan', last.body.id),
  ]);
  const nextNight = await upload({ query: { repo: 'acme/nightly' } });
  assert.notEqual(nextNight.body.id, last.body.id);
});

test('the same bytes give the same scan also after the report of another tool', async () => {
  const query = { repo: 'acme/two-tools' };
  const first = await upload({ query });
  await process('acme/two-tools');
  await upload({ query, body: JSON.stringify(sarif([{ rule: 'sqli', path: 'src/a.ts', line: 1 }])) });
  await process('acme/two-tools');
  const again = await upload({ query });
  assert.deepEqual([again.body.repeated, again.body.id], [true, first.body.id]);
});

test('an upload that is repeated with a time a few minutes ahead gives the same scan', async () => {
  const scanned_at = new Date(Date.now() + 240_000).toISOString();
  for (const [repo, headers] of [
    ['acme/ahead', {}],
    ['acme/ahead-with-key', { 'idempotency-key': 'ahead' }],
  ] as const) {
    const first = await upload({ query: { repo, scanned_at }, headers });
    const again = await upload({ query: { repo, scanned_at }, headers });
    assert.deepEqual([again.status, again.body.repeated, again.body.id], [202, true, first.body.id], repo);
  }
});

test('an Idempotency-Key gives the same scan for a day, and 409 with another body', async () => {
  const headers = { 'idempotency-key': 'run-7' };
  const query = { repo: 'acme/keys' };
  const first = await upload({ query, headers });
  const second = await upload({ query, headers });
  assert.equal(second.status, 202);
  assert.equal(second.body.id, first.body.id);
  for (const other of [
    await upload({ query: { ...query, ref: 'dev' }, headers }),
    await upload({ query, headers, body: report([]) }),
    await upload({ query: { ...query, scanned_at: '2026-01-01T00:00:00Z' }, headers }),
  ]) {
    assert.deepEqual([other.status, other.body.code], [409, 'IDEMPOTENCY_KEY_REUSED']);
  }
  const at = await Promise.all(
    [1, 2, 3, 4].map(() => upload({ query, headers: { 'idempotency-key': 'at-once' } })),
  );
  assert.equal(new Set(at.map((answer) => answer.body.id)).size, 1);
  await server.owner.query(`update scan set created_at = now() - interval '25 hours' where id = $1`, [
    parseId('scan', first.body.id),
  ]);
  const nextDay = await upload({ query, headers, body: report([]) });
  assert.notEqual(nextDay.body.id, first.body.id);
});

test('a repository that was renamed in the VCS is renamed, and found by its name alone too', async () => {
  const vcs = { repo_source: 'ghc', repo_external_id: '4711' };
  await upload({ query: { repo: 'acme/old-name' } });
  const known = await upload({ query: { repo: 'Acme/Old-Name', ...vcs } });
  const renamed = await upload({ query: { repo: 'acme/new-name', ...vcs } });
  assert.equal(renamed.body.repository.id, known.body.repository.id);
  const { rows } = await server.owner.query(
    `select full_name, source, external_id from repository where external_id = '4711'`,
  );
  assert.deepEqual(rows, [{ full_name: 'acme/new-name', source: 'ghc', external_id: '4711' }]);
});

test('a workspace may accept known repositories only', async () => {
  const set = (value: string) =>
    server.owner.query(`update tenant set settings = jsonb_build_object('new_repositories', $1::text)`, [
      value,
    ]);
  await set('known_organizations');
  assert.equal((await upload({ query: { repo: 'acme/another' } })).status, 202);
  assert.deepEqual(Object.keys((await upload({ query: { repo: 'elsewhere/x' } })).body.errors), ['repo']);
  await set('never');
  assert.equal((await upload({ query: { repo: 'acme/yet-another' } })).status, 422);
  assert.equal((await upload({ query: { sha: '7777777' } })).status, 202);
  await set('any');
  assert.equal(await reportsWithoutScan(), 0);
});

async function reportsWithoutScan(): Promise<number> {
  const { rows } = await server.owner.query(
    `select count(*)::int as n from scan_report r where not exists (select 1 from scan s where s.id = r.scan_id)`,
  );
  return rows[0].n;
}

test('a body that ends early leaves nothing', async () => {
  const before = await server.owner.query('select count(*)::int as n from scan');
  const broken = httpRequest({
    host: '127.0.0.1',
    port,
    method: 'POST',
    path: '/ingest/v1/acme/scans?repo=acme/shop&ref=main',
    headers: { authorization: `Bearer ${people.member.key}`, 'content-length': '100000' },
  });
  broken.on('error', () => {});
  const arriving = once(server.app.server, 'request');
  broken.write(report().slice(0, 50));
  const [, response] = await arriving;
  await new Promise((resolve) => setTimeout(resolve, 200));
  broken.destroy();
  await once(response, 'close');
  await until(async () => (await reportsWithoutScan()) === 0, 'no piece of the report is left');
  const after = await server.owner.query('select count(*)::int as n from scan');
  assert.equal(after.rows[0].n, before.rows[0].n);
});

test('a report whose commit gets no answer is kept, and its second upload is the same scan', {
  skip: env.TEST_CITUS_NODES !== undefined && 'Citus has no such trigger',
}, async (t) => {
  const { owner, db } = server;
  await owner.query(`
    create function commit_slowly() returns trigger language plpgsql as
      $$ begin perform pg_sleep(2); return null; end $$;
    create constraint trigger commit_slowly after insert on scan deferrable initially deferred
      for each row execute function commit_slowly()`);
  t.after(() => owner.query('drop trigger if exists commit_slowly on scan'));
  const sessions = new Map<number, Socket>();
  const note = (client: object): void => {
    const { processID, connection } = client as { processID: number; connection: { stream: Socket } };
    sessions.set(processID, connection.stream);
  };
  db.pool.on('acquire', note);
  const query = { repo: 'acme/slow' };
  const first = upload({ query });
  const committing = async (): Promise<number> => {
    const { rows } = await owner.query(
      "select pid from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()",
    );
    return rows[0]?.pid ?? 0;
  };
  const pid = await until(committing, 'the scan is about to be committed');
  db.pool.off('acquire', note);
  sessions.get(pid)?.destroy(Object.assign(new Error('silent'), { code: 'ETIMEDOUT' }));
  assert.equal((await first).status, 503);
  assert.equal(await committing(), pid, 'the commit goes on');
  await until(async () => (await committing()) === 0, 'the scan is committed');
  await owner.query('drop trigger commit_slowly on scan');
  const second = await upload({ query });
  assert.deepEqual([second.status, second.body.repeated], [202, true]);
  await process('acme/slow');
  assert.equal((await scanOf(second.body.id)).status, 'completed');
});

test('a form is refused as a report', async () => {
  const refused = await upload({ headers: { 'content-type': 'multipart/form-data; boundary=x' } });
  assert.equal(refused.status, 415);
  assert.match(refused.body.message, /--data-binary/);
});

test('the data of this file breaks no invariant', () => assertInvariants(server.owner));
