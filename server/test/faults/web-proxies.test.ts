/**
 * Tests of nginx and Caddy in front of a real server, with the samples of `deploy/proxy`: TLS, the client's address,
 * large reports, live scans.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { request } from 'node:https';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';
import { buildApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { sessionHeaders } from '../../src/doctor/isolation/session-headers.ts';
import { createTestDatabase } from '../support/database.ts';
import { type EventStream, type HeardEvent, openEvents } from '../support/event-stream.ts';
import { freePort } from '../support/free-port.ts';
import { createDirectory } from '../support/process.ts';
import { nodeSettings, type Serving, startServing, stop } from '../support/serving.ts';
import { until } from '../support/until.ts';
import { sampleHost, webProxies } from '../support/web-proxy.ts';
import { createTestWorkspace } from '../support/workspace.ts';

const database = await createTestDatabase();
const { people } = await createTestWorkspace(database, 'acme');
const publicUrl = `https://${sampleHost}`;
const { key } = people.admin;
const directory = createDirectory();
const certificate = join(directory, 'merlon.crt');
const privateKey = join(directory, 'merlon.key');
let server: Serving;
let session: Record<string, string>;

interface ProxyRequest {
  path: string;
  headers?: Record<string, string>;
  body?: Buffer;
}

function sendRequest(
  port: number,
  { path, headers = {}, body }: ProxyRequest,
): Promise<{ status: number; text: string; cookies: string }> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    const options = {
      host: '127.0.0.1',
      port,
      path,
      method,
      servername: sampleHost,
      rejectUnauthorized: false,
      agent: false as const,
    };
    const sent = request({
      ...options,
      headers: { host: sampleHost, authorization: `Bearer ${key}`, ...headers },
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => {
        sent.destroy();
        resolve({
          status: response.statusCode ?? 0,
          text,
          cookies: String(response.headers['set-cookie'] ?? ''),
        });
      });
    });
    sent.end(body);
  });
}

/** The protocol that a browser gets, which prefers HTTP/2. */
function browserProtocol(port: number): Promise<string | false | null> {
  return new Promise((resolve, reject) => {
    const options = { servername: sampleHost, rejectUnauthorized: false, ALPNProtocols: ['h2', 'http/1.1'] };
    const socket = connect({ host: '127.0.0.1', port, ...options }, () => {
      resolve(socket.alpnProtocol);
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

describe('a server behind a proxy', () => {
  before(async () => {
    const made = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', `/CN=${sampleHost}`];
    execFileSync('openssl', ['req', ...made, '-out', certificate, '-keyout', privateKey], {
      stdio: 'ignore',
    });
    server = await startServing({
      ...nodeSettings(database),
      MERLON_PROCESSES: '0',
      MERLON_LOG_LEVEL: 'info',
      MERLON_PUBLIC_URL: publicUrl,
      MERLON_TRUST_PROXY: '127.0.0.1',
    });
    const config = loadConfig({ MERLON_PUBLIC_URL: publicUrl });
    const app = await buildApp({ config, db: database.db, secret: database.secret, log: false });
    session = await sessionHeaders({ ...database, app, config }, people.admin.user.id);
    await app.close();
  });
  after(() => stop(server.child));
  const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
  // HAProxy has no TLS in its sample; rolling-restart.test.ts starts it.
  for (const { name, problem, endSignal, start } of webProxies.filter((proxy) => proxy.name !== 'haproxy')) {
    test(`behind ${name} the client’s address is known, a report of 30 MB is accepted, a larger one refused, and scan events arrive at once`, {
      skip: problem ?? (!hasOpenssl && 'openssl is not installed'),
    }, async (t) => {
      const port = await freePort();
      const nodes = [new URL(server.url).host];
      const proxy = start({ port, nodes, certificate: { file: certificate, key: privateKey } });
      let events: EventStream | null = null;
      t.after(() => {
        events?.hangUp();
        return stop(proxy.child, endSignal);
      });
      const isReady = async () =>
        (await sendRequest(port, { path: '/readyz' }).catch(() => null))?.status === 200;
      for (let waits = 0; !(await isReady()); waits++) {
        assert.ok(waits < 100, proxy.said());
        await sleep(100);
      }
      assert.equal(await browserProtocol(port), 'h2');
      const list = await sendRequest(port, {
        path: '/api/v1/acme/vulnerabilities',
        headers: { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-host': 'evil.example' },
      });
      assert.equal(list.status, 200, list.text);
      assert.doesNotMatch(
        server.said(),
        /203\.0\.113\.7|evil\.example/,
        'what the client claims is not believed',
      );

      events = await openEvents(port, '/console/api/v1/acme/scans/events', session, { byTls: true });
      assert.equal(events.status, 200, events.text());

      const vulnerabilities = Array.from({ length: 1000 }, (_, i) => ({
        VulnerabilityID: `CVE-2030-${10_000 + i}`,
        PkgName: 'lodash',
        InstalledVersion: '4.17.15',
        Severity: 'HIGH',
        Description: 'x'.repeat(30_000),
      }));
      const report = {
        SchemaVersion: 2,
        ArtifactName: '.',
        Results: [
          { Target: 'package-lock.json', Class: 'lang-pkgs', Type: 'npm', Vulnerabilities: vulnerabilities },
        ],
      };
      const body = Buffer.from(JSON.stringify(report));
      const query = new URLSearchParams({ repo: `acme/${name}`, ref: 'main' });
      const sent = await sendRequest(port, { path: `/ingest/v1/acme/scans?${query}`, body });
      assert.equal(sent.status, 202, sent.text.slice(0, 300));
      assert.ok(body.length > 30_000_000);
      const { id } = JSON.parse(sent.text);
      const isOf = ({ event, data }: HeardEvent) => event === 'scan' && (data as { id: string }).id === id;
      await until(() => events?.events.some(isOf), `${name} passes an event on`, 4_000);
      assert.equal(events.endedAt(), null);
      for (let waits = 0; waits < 100; waits++) {
        const { status } = JSON.parse((await sendRequest(port, { path: `/api/v1/acme/scans/${id}` })).text);
        if (status === 'completed') break;
        assert.notEqual(status, 'failed');
        await sleep(200);
      }
      const tooLarge = await sendRequest(port, {
        path: `/ingest/v1/acme/scans?${query}`,
        body: Buffer.alloc(101 * 1024 * 1024, ' '),
      }).catch(() => null);
      assert.ok(tooLarge === null || tooLarge.status === 413, `${tooLarge?.status}`);
    });
  }
});
