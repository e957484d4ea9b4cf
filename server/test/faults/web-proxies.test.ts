/**
 * Tests of nginx and Caddy in front of a real server, with the samples of `deploy/proxy`: TLS, the client's address,
 * large reports.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createTestDatabase } from '../support/database.ts';
import { makeDirectory } from '../support/process.ts';
import { nodeSettings, type Serving, startServing, stop } from '../support/serving.ts';
import { createTestWorkspace } from '../support/workspace.ts';

const host = 'merlon.example.com';
const sample = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../deploy/proxy/${name}`, import.meta.url)), 'utf8');
const database = await createTestDatabase();
const { people } = await createTestWorkspace(database, 'acme');
const { key } = people.admin;
const directory = makeDirectory();
const certificate = join(directory, 'merlon.crt');
const privateKey = join(directory, 'merlon.key');
let server: Serving;

async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => listener.once('listening', resolve));
  const { port } = listener.address() as { port: number };
  await new Promise((resolve) => listener.close(resolve));
  return port;
}

/** Replaces parts of the sample, which must exist. */
function changed(text: string, changes: [string, string][]): string {
  for (const [from, to] of changes) {
    assert.ok(text.includes(from), from);
    text = text.replace(from, to);
  }
  return text;
}

/** Each entry gives the arguments that start the program with its sample, on this port. */
const proxies: Record<string, { shown: string; configure: (port: number, node: string) => string[] }> = {
  nginx: {
    shown: '-v',
    configure(port, node) {
      const site = changed(sample('nginx.conf'), [
        ['server 127.0.0.1:8080;', `server ${node};`],
        ['listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`],
        ['/etc/nginx/merlon.crt', certificate],
        ['/etc/nginx/merlon.key', privateKey],
      ]);
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (of) => `${of}_temp_path ${directory}/${of};`,
      );
      const main = `daemon off; pid ${directory}/nginx.pid; events {} http { access_log off; ${temporary.join(' ')} ${site} }`;
      writeFileSync(join(directory, 'nginx.conf'), main);
      return ['-c', join(directory, 'nginx.conf'), '-e', 'stderr'];
    },
  },
  caddy: {
    shown: 'version',
    configure(port, node) {
      const site = changed(sample('Caddyfile'), [
        [`\n${host} {`, `\nhttps://${host}:${port} {\n\tbind 127.0.0.1\n\ttls ${certificate} ${privateKey}`],
        ['127.0.0.1:8080', node],
      ]);
      writeFileSync(
        join(directory, 'Caddyfile'),
        `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${site}`,
      );
      return ['run', '--adapter', 'caddyfile', '--config', join(directory, 'Caddyfile')];
    },
  },
};

interface Asked {
  path: string;
  headers?: Record<string, string>;
  body?: Buffer;
}

function ask(
  port: number,
  { path, headers = {}, body }: Asked,
): Promise<{ status: number; text: string; cookies: string }> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    const options = {
      host: '127.0.0.1',
      port,
      path,
      method,
      servername: host,
      rejectUnauthorized: false,
      agent: false as const,
    };
    const sent = request({ ...options, headers: { host, authorization: `Bearer ${key}`, ...headers } });
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

describe('a server behind a proxy', () => {
  before(async () => {
    const made = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', `/CN=${host}`];
    execFileSync('openssl', ['req', ...made, '-out', certificate, '-keyout', privateKey], {
      stdio: 'ignore',
    });
    server = await startServing({
      ...nodeSettings(database),
      MERLON_PROCESSES: '0',
      MERLON_LOG_LEVEL: 'info',
      MERLON_PUBLIC_URL: `https://${host}`,
      MERLON_TRUST_PROXY: '127.0.0.1',
    });
  });
  after(() => stop(server.child));
  for (const [name, { shown, configure }] of Object.entries(proxies)) {
    const missing = [name, 'openssl'].find(
      (program) => spawnSync(program, [program === name ? shown : 'version']).status !== 0,
    );
    test(`behind ${name} the address is the client’s as the proxy sees it, a report of 30 MB comes through, and one that is too large is refused`, {
      skip: missing !== undefined && `${missing} is not installed`,
    }, async (t) => {
      const port = await freePort();
      const proxy = spawn(name, configure(port, new URL(server.url).host), {
        env: { ...process.env, HOME: directory, XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let said = '';
      proxy.stderr?.on('data', (chunk) => {
        said += chunk;
      });
      t.after(() => stop(proxy));
      const isReady = async () => (await ask(port, { path: '/readyz' }).catch(() => null))?.status === 200;
      for (let waits = 0; !(await isReady()); waits++) {
        assert.ok(waits < 100, said);
        await sleep(100);
      }
      const list = await ask(port, {
        path: '/api/v1/acme/vulnerabilities',
        headers: { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-host': 'evil.example' },
      });
      assert.equal(list.status, 200, list.text);
      assert.doesNotMatch(
        server.said(),
        /203\.0\.113\.7|evil\.example/,
        'what the client claims is not believed',
      );

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
      const sent = await ask(port, { path: `/ingest/v1/acme/scans?${query}`, body });
      assert.equal(sent.status, 202, sent.text.slice(0, 300));
      assert.ok(body.length > 30_000_000);
      const { id } = JSON.parse(sent.text);
      for (let waits = 0; waits < 100; waits++) {
        const { status } = JSON.parse((await ask(port, { path: `/api/v1/acme/scans/${id}` })).text);
        if (status === 'completed') break;
        assert.notEqual(status, 'failed');
        await sleep(200);
      }
      const tooLarge = await ask(port, {
        path: `/ingest/v1/acme/scans?${query}`,
        body: Buffer.alloc(101 * 1024 * 1024, ' '),
      }).catch(() => null);
      assert.ok(tooLarge === null || tooLarge.status === 413, `${tooLarge?.status}`);
    });
  }
});
