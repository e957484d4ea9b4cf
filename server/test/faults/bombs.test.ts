/**
 * Tests of hostile reports: each is refused, or its scan fails and names the limit, or it is imported. The server stays
 * below a gigabyte of memory and answers other requests meanwhile.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGzip, gzipSync, zstdCompressSync } from 'node:zlib';
import { createTestDatabase } from '../support/database.ts';
import { onlyInCi } from '../support/form.ts';
import { assertInvariants } from '../support/invariants.ts';
import {
  forgetPeak,
  get,
  nodeSettings,
  peakMemoryMb,
  sendReport,
  startServing,
  stop,
  untilFinal,
} from '../support/serving.ts';
import { createTestWorkspace } from '../support/workspace.ts';

// The largest of these reports takes 1,010 MB on a quiet machine, plus or minus ten because of garbage collection.
const maxMemoryMb = 1100;
const mb = 1024 * 1024;

const database = await createTestDatabase();
const { people } = await createTestWorkspace(database, 'acme');
const { key } = people.member;
const server = await startServing(nodeSettings(database));
// This must run before the database is removed: `after` hooks run in the order of their registration.
const closeDatabase = database.db.close;
database.db.close = async () => {
  await stop(server.child);
  await closeDatabase();
};

interface Attempt {
  body: Buffer | Iterable<Buffer>;
  encoding?: 'gzip' | 'zstd';
  format?: string;
}

interface Outcome {
  /** The status of the upload. */
  status: number;
  /** The message to the sender or in the scan; empty if the report was read. */
  message: string;
  // biome-ignore lint/suspicious/noExplicitAny: the tests look into it field by field
  scan: any;
}

let sent = 0;

/** Sends the report, waits for its result, and sends other requests meanwhile. */
async function attempt({ body, encoding, format }: Attempt): Promise<Outcome> {
  forgetPeak(server.child);
  const others = requestMeanwhile();
  try {
    const query = { repo: `acme/bomb-${sent++}`, ref: 'main', ...(format ? { format } : {}) };
    const headers = encoding ? { 'content-encoding': encoding } : {};
    const answer = await sendReport({ url: server.url, key, slug: 'acme', query, headers, body });
    if (answer.status !== 202) return { status: answer.status, message: answer.text, scan: null };
    const { id } = JSON.parse(answer.text);
    const scan = await untilFinal(server.url, `/api/v1/acme/scans/${id}`, key, 60_000);
    return { status: 202, message: scan.error?.message ?? '', scan };
  } finally {
    await others.end();
    const peak = peakMemoryMb(server.child);
    assert.ok(others.count() > 0, 'nobody else was answered');
    assert.ok(peak === null || peak < maxMemoryMb, `the server took ${peak} MB`);
  }
}

/** Requests the health check and a list in a loop. Each must be answered. */
function requestMeanwhile() {
  let isRunning = true;
  let count = 0;
  const requests = (async () => {
    while (isRunning) {
      const [health, list] = await Promise.all([
        get(server.url, '/healthz', '', 5_000),
        get(server.url, '/api/v1/acme/vulnerabilities', key, 5_000),
      ]);
      assert.deepEqual([health.status, list.status], [200, 200]);
      count++;
      await sleep(100);
    }
  })();
  // The error is reported at the end, to the caller that waits.
  requests.catch(() => {});
  return {
    count: () => count,
    end: async () => {
      isRunning = false;
      await requests;
    },
  };
}

function* repeated(head: string, unit: string, count: number, tail: string): Generator<Buffer> {
  yield Buffer.from(head);
  const atOnce = Math.max(1, Math.floor(65_536 / unit.length));
  const chunk = Buffer.from(unit.repeat(atOnce));
  for (let left = count; left > 0; left -= atOnce) {
    yield left >= atOnce ? chunk : chunk.subarray(0, left * Buffer.byteLength(unit));
  }
  yield Buffer.from(tail);
}

async function gzipped(parts: Iterable<Buffer>): Promise<Buffer> {
  const gzip = createGzip({ level: 1 });
  const chunks: Buffer[] = [];
  gzip.on('data', (chunk) => chunks.push(chunk));
  const ended = new Promise((resolve) => gzip.on('end', resolve));
  for (const part of parts) {
    if (!gzip.write(part)) await new Promise((resolve) => gzip.once('drain', resolve));
  }
  gzip.end();
  await ended;
  return Buffer.concat(chunks);
}

const sarifHead = '{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"t"}},"results":[';
const sarifTail = ']}]}';
const sarifResult = (message: string): string =>
  `${sarifHead}{"ruleId":"r","message":{"text":"${message}"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"a.c"},"region":{"startLine":1}}}]}${sarifTail}`;

async function assertFails(what: Attempt, message: RegExp, statuses: number[]): Promise<void> {
  const outcome = await attempt(what);
  assert.ok(statuses.includes(outcome.status), `${outcome.status} ${outcome.message}`);
  if (outcome.scan !== null) assert.equal(outcome.scan.status, 'failed', JSON.stringify(outcome.scan));
  assert.match(outcome.message, message);
}

async function assertReads(what: Attempt, found: number): Promise<Outcome['scan']> {
  const outcome = await attempt(what);
  assert.equal(outcome.status, 202, outcome.message);
  assert.deepEqual([outcome.scan.status, outcome.scan.counts?.new], ['completed', found], outcome.message);
  return outcome.scan;
}

test('a report that grows a thousand times when decompressed is refused', async () => {
  const run = Buffer.concat([Buffer.from(sarifHead), Buffer.alloc(64 * mb, 0x20), Buffer.from(sarifTail)]);
  await assertFails({ body: gzipSync(run), encoding: 'gzip' }, /MERLON_MAX_INFLATION_RATIO/, [413]);
  await assertFails({ body: zstdCompressSync(run), encoding: 'zstd' }, /MERLON_MAX_INFLATION_RATIO/, [413]);
  // Gzip within gzip is no report.
  await assertFails({ body: gzipSync(gzipSync(run)), encoding: 'gzip' }, /known format|not text/, [422]);
});

test('a text of two hundred megabytes is cut', { skip: onlyInCi }, async () => {
  function* giant() {
    yield Buffer.from(sarifResult('@').split('@')[0] ?? '');
    for (let n = 0; n < 200 * 16; n++)
      yield Buffer.from(randomBytes(1024).toString('hex').padEnd(65_536, 'a'));
    yield Buffer.from(sarifResult('@').split('@')[1] ?? '');
  }
  const scan = await assertReads({ body: await gzipped(giant()), encoding: 'gzip' }, 1);
  assert.match(scan.warnings.join(), /longer than 1048576 characters was cut/);
});

test('a zstd frame with a window of 2 GB is refused', async () => {
  // The magic number, no content size, a window of 2^31, and one last block that repeats one byte 1,000 times.
  const frame = Buffer.from('28b52ffd00a8' + '431f0020', 'hex');
  await assertFails({ body: frame, encoding: 'zstd' }, /decompressed/, [400]);
});

test('ten million empty results are refused', { skip: onlyInCi }, async () => {
  const results = () => repeated(`${sarifHead}{}`, ',{}', 10_000_000, sarifTail);
  await assertFails(
    { body: await gzipped(results()), encoding: 'gzip' },
    /MERLON_MAX_INFLATION_RATIO/,
    [413],
  );
  await assertFails({ body: results() }, /more than 15000000 values/, [202]);
});

test('a million runs, lines, elements, attributes or components without a finding are refused', {
  skip: onlyInCi,
}, async () => {
  const run = '{"tool":{"driver":{"name":"t"}},"results":[]}';
  await assertFails(
    { body: repeated(`{"version":"2.1.0","runs":[${run}`, `,${run}`, 1_000_000, ']}') },
    /more than 1000 runs/,
    [202],
  );
  const line = '{"SourceMetadata":{},"DetectorName":"x"}\n';
  await assertFails({ body: repeated('', line, 1_000_000, '') }, /more than 250000 JSON values/, [202]);
  const [head, tail] = [
    '<OWASPZAPReport version="2"><site name="s"><alerts>',
    '</alerts></site></OWASPZAPReport>',
  ];
  await assertFails(
    { body: repeated(head, '<alertitem/>', 1_000_000, tail) },
    /more than 250000 findings/,
    [202],
  );
  const [first, last] = ['<alertitem><instances>', '</instances></alertitem>'];
  await assertFails(
    { body: repeated(head + first, '<instance/>', 1_000_000, last + tail) },
    /more than 250000 findings/,
    [202],
  );
  await assertFails(
    { body: repeated(head + first, '<a/>', 6_000_000, last + tail) },
    /more than 15000000 values/,
    [202],
  );
  function* attributes() {
    yield Buffer.from('<OWASPZAPReport version="2"><site');
    for (let n = 0; n < 1_000_000; n += 1000) {
      yield Buffer.from(Array.from({ length: 1000 }, (_, i) => ` a${n + i}="1"`).join(''));
    }
    yield Buffer.from('></site></OWASPZAPReport>');
  }
  await assertReads({ body: attributes() }, 0);
  function* components() {
    yield Buffer.from('{"bomFormat":"CycloneDX","specVersion":"1.5","components":[{}');
    for (let n = 0; n < 300_000; n++)
      yield Buffer.from(`,{"type":"library","name":"x${n}","purl":"pkg:npm/x${n}@1"}`);
    yield Buffer.from(']}');
  }
  await assertFails({ body: components() }, /more than 250000 packages/, [202]);
});

test('three hundred thousand findings are refused', { skip: onlyInCi }, async () => {
  function* results() {
    yield Buffer.from(sarifHead);
    for (let n = 0; n < 300_000; n++) {
      yield Buffer.from(
        `${n === 0 ? '' : ','}{"ruleId":"r${n}","message":{"text":"m"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"a${n}.c"},"region":{"startLine":${n}}}}]}`,
      );
    }
    yield Buffer.from(sarifTail);
  }
  await assertFails({ body: results() }, /more than 250000 findings/, [202]);
});

test('a hundred thousand nested brackets and elements are refused', { skip: onlyInCi }, async () => {
  await assertFails(
    { body: Buffer.from(`${sarifHead}${'['.repeat(100_000)}${']'.repeat(100_000)}${sarifTail}`) },
    /deeper than 200/,
    [202, 422],
  );
  await assertFails(
    { body: Buffer.from(`${'['.repeat(100_000)}`) },
    /deeper than 200|known format/,
    [202, 422],
  );
  await assertFails(
    { body: Buffer.from(`{"runs":${'{"a":'.repeat(30_000)}1${'}'.repeat(30_000)},"version":"2.1.0"}`) },
    /deeper than 200/,
    [202, 422],
  );
  await assertFails(
    {
      body: Buffer.from(
        `<OWASPZAPReport>${'<site>'.repeat(100_000)}${'</site>'.repeat(100_000)}</OWASPZAPReport>`,
      ),
    },
    /deeper than 200/,
    [202, 422],
  );
});

test('growing and external entities are refused', async () => {
  const laughs = Array.from({ length: 10 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join(
    '',
  );
  const zap = '<OWASPZAPReport version="2"><site name="&l9;"><alerts>&l9;</alerts></site></OWASPZAPReport>';
  for (const type of [
    `<!DOCTYPE x [<!ENTITY l0 "ha">${laughs}]>`,
    `<!DOCTYPE x [<!ENTITY l9 SYSTEM "file:///etc/passwd">]>`,
    `<!DOCTYPE x [<!ENTITY % l9 SYSTEM "${server.url}/healthz"> %l9;]>`,
    `<!DOCTYPE x SYSTEM "${server.url}/healthz">`,
  ]) {
    await assertFails(
      { body: Buffer.from(`<?xml version="1.0"?>${type}${zap}`) },
      /document type/,
      [202, 422],
    );
  }
  await assertFails({ body: Buffer.from(zap) }, /that XML does not define/, [202, 422]);
});

test('a harmless report that looks dangerous is read', async () => {
  const utf16 = Buffer.from(`\ufeff${sarifResult('UTF-16')}`, 'utf16le');
  await assertReads({ body: utf16 }, 1);
  await assertReads({ body: Buffer.from(utf16).swap16() }, 1);
  const number = '9'.repeat(100_000);
  const numbers = sarifResult('numbers').replace(
    '"startLine":1',
    `"startLine":${number},"endLine":1e999,"rank":-${number}`,
  );
  await assertReads({ body: Buffer.from(numbers) }, 1);
  const names = sarifResult('names').replace(
    '"ruleId"',
    '"__proto__":{"level":"error","ruleId":"polluted"},"constructor":{"prototype":{"x":1}},"ruleId"',
  );
  await assertReads({ body: Buffer.from(names) }, 1);
  const twice = sarifResult('twice').replace('"ruleId":"r"', '"ruleId":"a","ruleId":"b"');
  await assertReads({ body: Buffer.from(twice) }, 1);
  const { rows } = await database.owner.query(
    "select (select count(*) from vulnerability_description d where d::text ~ 'polluted')::int + (select count(*) from vulnerability v where v::text ~ 'polluted')::int as n",
  );
  assert.equal(rows[0].n, 0);
});

test('afterwards no job waits and no report is stored', async () => {
  const { rows } = await database.owner.query(
    "select (select count(*)::int from scan where status in ('queued', 'running')) as waiting, (select count(*)::int from scan_report) as pieces",
  );
  assert.deepEqual(rows, [{ waiting: 0, pieces: 0 }]);
  await assertInvariants(database.owner);
});
