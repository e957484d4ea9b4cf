/** Tests of networks of companies: a certificate of a private authority, and a proxy. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, connect, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type Run, runMerlon } from './support/run-merlon.ts';

const directory = mkdtempSync(join(tmpdir(), 'merlon-network-'));
after(() => rmSync(directory, { recursive: true, force: true }));
const [key, certificate] = ['key.pem', 'certificate.pem'].map((name) => join(directory, name)) as [
  string,
  string,
];
execFileSync(
  'openssl',
  [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
    ...['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,DNS:merlon.invalid'],
    ...['-keyout', key, '-out', certificate],
  ],
  { stdio: 'ignore' },
);

const refuse: RequestListener = (_request, response) => {
  response.writeHead(401, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ code: 'AUTHENTICATION_REQUIRED', message: 'The key is unknown.' }));
};

async function listen(server: Server): Promise<number> {
  after(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const port = await listen(createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, refuse));

const whoami = (url: string, env: Record<string, string>): Promise<Run> =>
  runMerlon(['whoami'], {
    cwd: directory,
    env: { MERLON_URL: url, MERLON_WORKSPACE: 'acme', MERLON_TOKEN: `mrl_wsk_${'a'.repeat(46)}`, ...env },
  });

test('an unknown authority ends with the variable to set, and with it the server is reached', async () => {
  const url = `https://localhost:${port}`;
  const unknown = await whoami(url, {});
  assert.match(
    unknown.stderr,
    /cannot be reached: the authority of its certificate is unknown; set NODE_EXTRA_CA_CERTS to a file with the certificate of that authority\./,
  );
  assert.match(
    (await whoami(url, { NODE_EXTRA_CA_CERTS: certificate })).stderr,
    /The key in MERLON_TOKEN is not valid/,
  );
});

test('a certificate of another name is no matter of the authority', async () => {
  const { stderr } = await whoami(`https://127.0.0.1:${port}`, { NODE_EXTRA_CA_CERTS: certificate });
  assert.match(stderr, /cannot be reached: /);
  assert.doesNotMatch(stderr, /NODE_EXTRA_CA_CERTS/);
});

test('with NODE_USE_ENV_PROXY=1 requests go through the proxy of HTTPS_PROXY', async () => {
  const asked: string[] = [];
  const proxy = createHttpServer().on('connect', ({ url }, socket) => {
    asked.push(String(url));
    const tunnel = connect(port, '127.0.0.1', () =>
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n'),
    );
    socket.pipe(tunnel).pipe(socket);
  });
  const { stderr } = await whoami('https://merlon.invalid', {
    NODE_EXTRA_CA_CERTS: certificate,
    NODE_USE_ENV_PROXY: '1',
    HTTPS_PROXY: `http://127.0.0.1:${await listen(proxy)}`,
  });
  assert.match(stderr, /The key in MERLON_TOKEN is not valid/);
  assert.deepEqual(asked, ['merlon.invalid:443']);
});
