/** Tests of the traces of a real server, as a collector receives them by OTLP. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase } from '../support/database.ts';
import { trivy } from '../support/reports.ts';
import { get, nodeSettings, sendReport, startServing, stop, untilFinal } from '../support/serving.ts';
import { createTestWorkspace } from '../support/workspace.ts';

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: Record<string, unknown> }[];
}

const database = await createTestDatabase();
const { people } = await createTestWorkspace(database, 'acme');
const { key } = people.admin;

const spans: Span[] = [];
let bodies = '';
const collector = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString();
  bodies += body;
  const { resourceSpans } = JSON.parse(body);
  for (const { scopeSpans } of resourceSpans) for (const { spans: some } of scopeSpans) spans.push(...some);
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
}).listen(0, '127.0.0.1');
await once(collector, 'listening');
const { port } = collector.address() as { port: number };

const settings = {
  ...nodeSettings(database),
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
  OTEL_BSP_SCHEDULE_DELAY: '100',
};

/** Runs the server, and returns the spans that it has sent until its end. */
async function spansOf(
  extra: Record<string, string>,
  work: (url: string) => Promise<unknown>,
): Promise<Span[]> {
  spans.length = 0;
  bodies = '';
  const { child, url } = await startServing({ ...settings, ...extra });
  try {
    await work(url);
    await sleep(300);
  } finally {
    assert.equal(await stop(child), 0);
  }
  return [...spans];
}

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

test('a request, its statements and an import have spans without a value, and a stranger continues no trace', async (t) => {
  t.after(() => collector.close());
  const report = trivy([{ id: 'CVE-2030-77', name: 'lodash', version: '4.17.15' }]);
  const found = await spansOf({ MERLON_PROCESSES: '1' }, async (url) => {
    const path = `${url}/api/v1/acme/vulnerabilities?q=lodash`;
    const answer = await fetch(path, { headers: { authorization: `Bearer ${key}`, traceparent } });
    assert.equal(answer.status, 200);
    const body = Buffer.from(JSON.stringify(report));
    const sent = await sendReport({
      url,
      key,
      slug: 'acme',
      query: { repo: 'acme/shop', ref: 'main' },
      body,
    });
    await untilFinal(url, `/api/v1/acme/scans/${JSON.parse(sent.text).id}`, key, 90_000);
  });
  const list = found.find(({ name }) => name === 'GET /api/v1/:tenant_slug/vulnerabilities');
  assert.ok(list);
  assert.ok(!traceparent.includes(list.traceId));
  const parts = found.filter(({ parentSpanId }) => parentSpanId === list.spanId);
  assert.ok(
    parts.some(({ name }) => name.startsWith('select ')),
    JSON.stringify(parts.map(({ name }) => name)),
  );
  const imported = found.find(({ name }) => name === 'import');
  assert.ok(imported);
  const steps = found.filter(({ parentSpanId }) => parentSpanId === imported.spanId).map(({ name }) => name);
  assert.ok(steps.includes('import writing'), String(steps));
  assert.match(bodies, /"merlon"/);
  for (const secret of [key, 'lodash', 'CVE-2030-77', 'acme', people.admin.user.id, '4.17.15']) {
    assert.ok(!bodies.includes(secret), secret);
  }

  const continued = await spansOf({ MERLON_PROCESSES: '0', MERLON_TRUST_PROXY: '127.0.0.1' }, (url) =>
    fetch(`${url}/healthz`, { headers: { traceparent } }),
  );
  const health = continued.find(({ name }) => name === 'GET /healthz');
  assert.ok(health && traceparent.includes(health.traceId));

  const off = { OTEL_TRACES_SAMPLER: 'always_off' };
  assert.deepEqual(await spansOf({ MERLON_PROCESSES: '0', ...off }, (url) => get(url, '/healthz')), []);
});
