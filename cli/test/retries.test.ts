/** Tests of retries against a faulty server: the repeated requests, their idempotency keys, and the last attempt. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { fieldOf } from '../../server/test/support/fields.ts';
import { exitCodeOf, messageOf } from '../src/failures.ts';
import { fetchGate } from '../src/gate/fetch-gate.ts';
import type { RetryClock } from '../src/requests.ts';
import { openSession } from '../src/session.ts';
import { openReportFile } from '../src/upload/report-file.ts';
import { sendReport } from '../src/upload/send-report.ts';
import { badServer, type Trick } from './support/bad-server.ts';

const key = `mrl_wsk_${'a'.repeat(46)}`;
process.env.MERLON_TOKEN = key;
after(() => {
  delete process.env.MERLON_TOKEN;
});
const server = await badServer();
const session = await openSession({ url: server.url, workspace: 'acme' });
const directory = mkdtempSync(join(tmpdir(), 'merlon-retries-'));
after(() => rmSync(directory, { recursive: true, force: true }));
const text = JSON.stringify({ version: '2.1.0', runs: [], padding: 'x'.repeat(300_000) });
const file = join(directory, 'report.sarif');
writeFileSync(file, text);
const taken: Trick = { status: 202, body: { id: 'scan_1', status: 'queued' } };

/** A clock that does not wait, and records the pauses. */
function recordingClock() {
  const pauses: number[] = [];
  const said: string[] = [];
  const clock: RetryClock = {
    pause: async (milliseconds) => pauses.push(milliseconds),
    say: (message) => said.push(message),
  };
  return { pauses, said, clock };
}

async function send(path: string, clock: RetryClock) {
  const report = await openReportFile(path);
  return sendReport(session, report, { repo: 'acme/shop', ref: 'main' }, clock);
}

async function failure(work: Promise<unknown>): Promise<Error> {
  return work.then(
    () => assert.fail('it went through'),
    (error) => error as Error,
  );
}

test('after lost connections, a limit and a restart the same report is sent under the same key until it is accepted', async () => {
  server.next(
    [
      'drop',
      { status: 429, headers: { 'retry-after': '7' } },
      { status: 503, headers: { 'retry-after': '5' } },
      'silent',
      { status: 502 },
    ],
    taken,
  );
  const { clock, pauses, said } = recordingClock();
  const scan = await send(file, clock);
  assert.equal(scan.id, 'scan_1');
  assert.equal(server.received.length, 6);
  assert.equal(new Set(server.received.map(({ headers }) => headers['idempotency-key'])).size, 1);
  for (const { url, headers, body } of server.received) {
    assert.equal(url, '/ingest/v1/acme/scans?repo=acme%2Fshop&ref=main&file_name=report.sarif');
    assert.equal(headers.authorization, `Bearer ${key}`);
    assert.equal(headers['content-encoding'], 'gzip');
    assert.ok(body === null || body === text);
  }
  assert.deepEqual([pauses[1], pauses[2]], [7_000, 5_000]);
  assert.match(said[0] ?? '', /cannot reach .*: connection lost; trying again in 1 s \(1 of 5\)/);
  assert.match(said[1] ?? '', /too many requests; trying again in 7 s \(2 of 5\)/);
  assert.match(said[2] ?? '', /the server answers 503/);
  assert.ok(said.every((line) => !line.includes(key)));
});

test('each upload has its own idempotency key', async () => {
  server.next([], taken);
  await send(file, recordingClock().clock);
  await send(file, recordingClock().clock);
  const [first, second] = server.received.map(({ headers }) => headers['idempotency-key']);
  assert.notEqual(first, second);
});

test('a request is repeated five times at most', async () => {
  const cases: [Trick, number, RegExp][] = [
    ['drop', 4, /The server at .* cannot be reached: connection lost\./],
    [{ status: 503, body: { code: 'SERVICE_UNAVAILABLE', message: 'Not now.' } }, 4, /Not now/],
    [
      { status: 429, body: { code: 'RATE_LIMIT_EXCEEDED', message: 'Too many requests.' } },
      3,
      /Too many requests/,
    ],
  ];
  for (const [trick, code, message] of cases) {
    server.next([], trick);
    const error = await failure(send(file, recordingClock().clock));
    assert.equal(server.received.length, 6);
    assert.equal(exitCodeOf(error), code);
    assert.match(messageOf(error), message);
  }
});

test('a limit that is reset much later is not waited for', async () => {
  server.next([{ status: 429, headers: { 'retry-after': '3600' } }], taken);
  await failure(send(file, recordingClock().clock));
  assert.equal(server.received.length, 1);
});

test('a refusal is not repeated, and the message says what to do', async () => {
  const refused = (status: number, body: object, headers = {}): Trick => ({ status, body, headers });
  const errors = { ref: ['The ref field is required: the repository is new.'] };
  const cases: [Trick, number, RegExp][] = [
    [refused(401, { code: 'AUTHENTICATION_REQUIRED' }), 3, /MERLON_TOKEN is not valid/],
    [
      refused(
        403,
        { code: 'TOKEN_ABILITY_DENIED' },
        { 'www-authenticate': 'Bearer error="insufficient_scope", scope="scans:write"' },
      ),
      3,
      /may not do this\. It needs the scope scans:write\./,
    ],
    [refused(404, { code: 'TENANT_NOT_FOUND' }), 3, /There is no such workspace/],
    [refused(413, { code: 'PAYLOAD_TOO_LARGE', message: 'Too large.' }), 3, /Too large/],
    [refused(422, { code: 'VALIDATION_FAILED', details: { errors } }), 2, /--ref: The ref field is required/],
    [
      refused(422, { code: 'VALIDATION_FAILED', details: { errors: { report: ['No report.'] } } }),
      3,
      /report: No report/,
    ],
    [
      refused(500, { code: 'INTERNAL_ERROR', message: 'Wrong.' }, { 'x-request-id': 'r1' }),
      4,
      /Wrong. \(request r1\)/,
    ],
    [refused(301, {}, { location: 'https://merlon.example.com/' }), 2, /set MERLON_URL/],
    [{ status: 200, headers: { 'content-type': 'text/html' }, body: '<p>' }, 2, /does not come from Merlon/],
    // Another server that takes any request.
    [{ status: 200, body: {} }, 2, /does not come from Merlon/],
    [{ status: 200, body: 'null' }, 2, /does not come from Merlon/],
  ];
  for (const [trick, code, message] of cases) {
    server.next([], trick);
    const error = await failure(send(file, recordingClock().clock));
    assert.equal(server.received.length, 1, messageOf(error));
    assert.match(messageOf(error), message);
    assert.equal(exitCodeOf(error), code, messageOf(error));
  }
});

test('JSON of another server is no verdict, and the message says what to do', async () => {
  for (const body of [{}, 'null', { verdict: 'pass' }]) {
    server.next([], { status: 200, body });
    const { clock } = recordingClock();
    const error = await failure(fetchGate(session, { repo: 'acme/shop', ref: 'main' }, 0, clock));
    assert.match(messageOf(error), /does not come from Merlon: set MERLON_URL/);
    assert.equal(exitCodeOf(error), 2);
  }
});

test('a decision is sent once, and again only after 429', async () => {
  const decide = () =>
    session.client.decideVulnerabilities({
      path: { tenant_slug: 'acme' },
      body: { action: 'confirm', vulnerabilities: [{ id: 'vc_1' }] },
    });
  server.next(['silent'], { status: 200, body: { items: [] } });
  assert.equal(exitCodeOf(await failure(decide())), 4);
  assert.equal(server.received.length, 1);
  server.next([{ status: 429, headers: { 'retry-after': '0' } }], { status: 200, body: { items: [] } });
  await decide();
  assert.equal(server.received.length, 2);
});

test('an answer that breaks off is a lost connection: a request without effect is repeated, a decision is not', async () => {
  const path = { tenant_slug: 'acme' };
  server.next(['cut'], { status: 200, body: { items: [] } });
  assert.deepEqual((await session.client.listScans({ path })).items, []);
  assert.equal(server.received.length, 2);
  server.next([], 'cut');
  const body = { action: 'confirm' as const, vulnerabilities: [{ id: 'vc_1' }] };
  const error = await failure(session.client.decideVulnerabilities({ path, body }));
  assert.match(messageOf(error), /The server at http.* cannot be reached: connection lost\./);
  assert.deepEqual([exitCodeOf(error), server.received.length], [4, 1]);
});

test('a compressed report is sent unchanged, and standard input can be sent twice', async () => {
  const compressed = join(directory, 'report.sarif.gz');
  writeFileSync(compressed, gzipSync(text));
  server.next([], taken);
  await send(compressed, recordingClock().clock);
  assert.equal(server.received[0]?.body, text);

  const input = await openReportFile('-', null, ['-'], Readable.from([Buffer.from(text)]));
  server.next(['silent'], taken);
  await sendReport(session, input, { repo: 'acme/shop', ref: 'main' }, recordingClock().clock);
  await input.close();
  assert.deepEqual(fieldOf(server.received, 'body'), [text, text]);
  assert.ok(!server.received[0]?.url.includes('file_name'));
});

test('an unreadable file is refused before anything is sent', async () => {
  server.next([], taken);
  await assert.rejects(
    openReportFile(join(directory, 'missing.json')),
    /missing\.json cannot be read: it does not exist\./,
  );
  await assert.rejects(openReportFile(directory), /it is a directory\./);
  assert.equal(server.received.length, 0);
});
