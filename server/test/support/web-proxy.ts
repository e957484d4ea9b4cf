/** The proxies nginx, Caddy and HAProxy with the samples of `deploy/proxy`, in front of nodes of a test. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createDirectory } from './process.ts';

/** The host name of the samples. */
export const sampleHost = 'merlon.example.com';

const sampleNode = '127.0.0.1:8080';

export interface ProxySettings {
  port: number;
  /** Addresses such as `127.0.0.1:8080`. */
  nodes: string[];
  /** The files of a certificate; null for HTTP without TLS. */
  certificate: { file: string; key: string } | null;
}

export interface WebProxy {
  name: string;
  /** The reason why the proxy cannot run here; null if it can. */
  problem: string | null;
  /** nginx must end its workers itself. The others would wait for their open connections. */
  endSignal: NodeJS.Signals;
  start(settings: ProxySettings): { child: ChildProcess; said(): string };
}

function readSample(name: string): string {
  return readFileSync(fileURLToPath(new URL(`../../../deploy/proxy/${name}`, import.meta.url)), 'utf8');
}

/** Replaces each text of the sample, which must exist in it. */
function changed(text: string, changes: [string, string][]): string {
  for (const [from, to] of changes) {
    assert.ok(text.includes(from), from);
    text = text.replace(from, () => to);
  }
  return text;
}

interface Kind {
  version: string;
  /** Returns the arguments of the program. `directory` is for its files. */
  configure(settings: ProxySettings, directory: string): string[];
  environment?(settings: ProxySettings): Record<string, string>;
}

const kinds: Record<string, Kind> = {
  haproxy: {
    version: '-v',
    configure: () => ['-f', fileURLToPath(new URL('../../../deploy/proxy/haproxy.cfg', import.meta.url))],
    environment: ({ port, nodes: [a = '', b = ''] }) => ({
      MERLON_PROXY_ADDRESS: `127.0.0.1:${port}`,
      MERLON_NODE_A: a,
      MERLON_NODE_B: b,
    }),
  },
  nginx: {
    version: '-v',
    configure({ port, nodes, certificate }, directory) {
      const site = changed(readSample('nginx.conf'), [
        [`server ${sampleNode}`, '@node'],
        ['listen 443 ssl http2;', `listen 127.0.0.1:${port}${certificate ? ' ssl http2' : ''};`],
        ['ssl_certificate /etc/nginx/merlon.crt;', certificate ? `ssl_certificate ${certificate.file};` : ''],
        [
          'ssl_certificate_key /etc/nginx/merlon.key;',
          certificate ? `ssl_certificate_key ${certificate.key};` : '',
        ],
      ]).replace(/^.*@node(.*)$/m, (_line, rest) => nodes.map((node) => `server ${node}${rest}`).join('\n'));
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (of) => `${of}_temp_path ${directory}/${of};`,
      );
      const main = `daemon off; pid ${directory}/nginx.pid; events {} http { access_log off; ${temporary.join(' ')} ${site} }`;
      writeFileSync(join(directory, 'nginx.conf'), main);
      return ['-c', join(directory, 'nginx.conf'), '-e', 'stderr'];
    },
  },
  caddy: {
    version: 'version',
    configure({ port, nodes, certificate }, directory) {
      const address = certificate
        ? `https://${sampleHost}:${port} {\n\tbind 127.0.0.1\n\ttls ${certificate.file} ${certificate.key}`
        : `http://:${port} {\n\tbind 127.0.0.1`;
      const site = changed(readSample('Caddyfile'), [
        [`\n${sampleHost} {`, `\n${address}`],
        [sampleNode, nodes.join(' ')],
      ]);
      writeFileSync(
        join(directory, 'Caddyfile'),
        `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${site}`,
      );
      return ['run', '--adapter', 'caddyfile', '--config', join(directory, 'Caddyfile')];
    },
  },
};

export const webProxies: WebProxy[] = Object.entries(kinds).map(([name, kind]) => ({
  name,
  endSignal: name === 'nginx' ? 'SIGTERM' : 'SIGKILL',
  problem: spawnSync(name, [kind.version]).status === 0 ? null : `${name} is not installed`,
  start(settings) {
    const directory = createDirectory();
    const child = spawn(name, kind.configure(settings, directory), {
      env: {
        ...process.env,
        ...{ HOME: directory, XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory },
        ...kind.environment?.(settings),
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr?.on('data', (chunk) => {
      said += chunk;
    });
    return { child, said: () => said };
  },
}));
