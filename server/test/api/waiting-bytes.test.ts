/** Tests of the limit of waiting bytes of a workspace: over HTTP, up to the refusal, and how the share becomes free. */
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { loadConfig } from '../../src/config.ts';
import { processRepository } from '../../src/ingest/import/process-scan.ts';
import { trivy } from '../support/reports.ts';
import { createTestServer } from '../support/server.ts';
import { sendReport } from '../support/serving.ts';
import { createTestWorkspace, type TestWorkspace } from '../support/workspace.ts';

const mb = 1024 * 1024;
const server = await createTestServer({
  MERLON_UPLOADS_PER_MINUTE: '0',
  MERLON_MAX_INFLATED_MB: '2',
  MERLON_MAX_WAITING_MB: '3',
});
const acme = await createTestWorkspace(server, 'acme');
const other = await createTestWorkspace(server, 'other');
await server.app.listen({ port: 0, host: '127.0.0.1' });
const url = `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}`;

/** A report of this many bytes. */
function report(bytes: number): Buffer {
  const text = JSON.stringify(trivy([{ id: 'CVE-2030-1', name: 'left', version: '1.0.0' }]));
  return Buffer.from(text.padEnd(bytes, ' '));
}

let sent = 0;

function upload(
  body: Buffer | AsyncIterable<Buffer>,
  options: { to?: TestWorkspace; query?: Record<string, string>; headers?: Record<string, string> } & {
    signal?: AbortSignal;
  } = {},
) {
  const { to = acme, query = {}, ...rest } = options;
  return sendReport({
    url,
    key: to.people.member.key,
    slug: to.tenant.slug,
    query: { repo: `acme/r${sent++}`, ref: 'main', ...query },
    body,
    ...rest,
  });
}

async function finishAll(): Promise<void> {
  const { rows } = await server.owner.query(
    "select distinct tenant_id, repository_id from scan where status in ('queued', 'running')",
  );
  for (const row of rows) await processRepository(server, row.tenant_id, row.repository_id);
}

async function piecesWithoutScan(): Promise<number> {
  const { rows } = await server.owner.query(
    'select count(*)::int as n from scan_report r where not exists (select 1 from scan s where s.id = r.scan_id)',
  );
  return rows[0].n;
}

test('a report beyond the limit of waiting bytes is refused with 429, one of another workspace is accepted', async () => {
  assert.equal((await upload(report(1.5 * mb))).status, 202);
  const refused = await upload(report(1.625 * mb));
  assert.equal(refused.status, 429, refused.text);
  assert.match(refused.text, /may have 3 MB together.*MERLON_MAX_WAITING_MB.*Send it again in 60 seconds/);
  assert.equal(JSON.parse(refused.text).details.retry_after_seconds, 60);
  assert.equal(await piecesWithoutScan(), 0, 'nothing of it is kept');
  assert.equal((await upload(report(1.375 * mb))).status, 202, 'one that fits');
  assert.equal((await upload(report(1.5 * mb), { to: other })).status, 202);
  await finishAll();
});

test('a compressed report counts by its decompressed size, and a dry run counts too', async () => {
  const packed = gzipSync(report(1.625 * mb));
  const headers = { 'content-encoding': 'gzip' };
  assert.equal((await upload(packed, { headers, query: { dry_run: 'true' } })).status, 202);
  assert.equal((await upload(packed, { headers })).status, 429);
  await finishAll();
  assert.equal((await upload(packed, { headers })).status, 202, 'its part is given back');
  await finishAll();
});

test('a failed, refused or broken upload frees its share', async () => {
  const broken = Buffer.from(
    report(0)
      .toString()
      .slice(0, -1)
      .padEnd(1.875 * mb, ' '),
  );
  assert.equal((await upload(broken, { query: { format: 'trivy' } })).status, 202);
  await finishAll();
  const { rows } = await server.owner.query("select count(*)::int as n from scan where status = 'failed'");
  assert.equal(rows[0].n, 1, 'its scan failed');
  assert.equal((await upload(report(2.5 * mb))).status, 413);
  assert.equal((await upload(report(1.875 * mb), { query: { ref: 'refs/heads/..' } })).status, 422);
  // Together they would not fit with the later reports.
  for (let n = 0; n < 3; n++) {
    const gone = new AbortController();
    const body = (async function* () {
      yield report(0.75 * mb);
      await sleep(200);
      gone.abort();
      await sleep(200);
    })();
    const headers = { 'content-length': String(0.75 * mb + 100) };
    await assert.rejects(upload(body, { signal: gone.signal, headers }));
  }
  let status = 429;
  for (const until = Date.now() + 10_000; status === 429 && Date.now() < until; await sleep(100)) {
    ({ status } = await upload(report(1.875 * mb)));
  }
  assert.equal(status, 202);
  await finishAll();
  assert.equal(await piecesWithoutScan(), 0);
});

test('simultaneous uploads count together', async () => {
  const headers = { 'content-length': String(1.375 * mb) };
  const answers = await Promise.all([1, 2, 3, 4].map(() => upload(report(1.375 * mb), { headers })));
  const statuses = answers.map(({ status }) => status).sort();
  assert.deepEqual(statuses, [202, 202, 429, 429]);
  assert.equal(await piecesWithoutScan(), 0);
  await finishAll();
});

test('a limit smaller than the largest report stops the start', () => {
  assert.throws(
    () => loadConfig({ MERLON_MAX_WAITING_MB: '255' }),
    /MERLON_MAX_WAITING_MB=255: Must not be less than MERLON_MAX_INFLATED_MB, which is 256/,
  );
});
