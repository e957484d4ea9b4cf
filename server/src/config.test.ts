import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { ConfigError, loadConfig } from './config.ts';

test('missing settings have defaults, and given values are used', () => {
  const config = loadConfig({ PATH: 'x', MERLON_TRUST_PROXY: '10.0.0.0/8', MERLON_WORKERS: '0' });
  assert.deepEqual(
    [config.port, config.host, config.trustProxy, config.workers],
    [8080, '127.0.0.1', '10.0.0.0/8', 0],
  );
  assert.equal(config.databaseUrl, null);
});

test('a wrong value or name stops the start, and the message does not repeat a password', () => {
  const wrong: [Record<string, string>, RegExp][] = [
    [{ MERLON_PORT: 'http' }, /^MERLON_PORT=http: Must be an integer from 0 to 65535\.$/],
    [{ MERLON_RATE_LIMIT_PER_MINUTE: '-1' }, /MERLON_RATE_LIMIT_PER_MINUTE=-1/],
    [
      { MERLON_TRUST_PROXY: 'nginx' },
      /^MERLON_TRUST_PROXY=nginx: Must be false, true, or addresses and networks such as 10\.1\.0\.0\/16, /,
    ],
    [{ MERLON_LOG_LEVEL: 'loud' }, /Must be one of fatal/],
    [
      { MERLON_DATABASE_URL: 'mysql://u:hunter2@db' },
      /^MERLON_DATABASE_URL=…: Must start with postgres:\/\/ or postgresql:\/\/, as a URL does\.$/,
    ],
    ...['/merlon', '/?x', '/#x', '/#'].map((rest): [Record<string, string>, RegExp] => [
      { MERLON_PUBLIC_URL: `https://merlon.example.com${rest}` },
      /^MERLON_PUBLIC_URL=…: Must have nothing after the host and port\.$/,
    ]),
    [{ MERLON_POTR: '1' }, /^There is no setting MERLON_POTR: correct or remove it\. The settings are .*\.$/],
    [
      { MERLON_SMTP_URL: 'smtp://mail.example.com' },
      /^Set MERLON_MAIL_FROM, which is required with MERLON_SMTP_URL\.$/,
    ],
    [{ MERLON_SMTP_URL: 'smtp://u:hunter2%@mail.example.com' }, /^MERLON_SMTP_URL=…: Must have each %/],
    [{ MERLON_OIDC_SCOPES: 'profile email' }, /one of them must be openid\.$/],
    [{ MERLON_OIDC_SCOPES: 'openid "x"' }, /Must be scopes/],
    [{ MERLON_MAIL_FROM: 'Merlon\r\nBcc: a@b.example' }, /Must be an address such as/],
  ];
  for (const [environment, message] of wrong) {
    assert.throws(
      () => loadConfig(environment),
      (error: Error) => error instanceof ConfigError && message.test(error.message),
    );
  }
});

test('the public URL is an origin, with or without a final slash', () => {
  for (const value of ['https://merlon.example.com', 'https://MERLON.example.com:443/'])
    assert.equal(loadConfig({ MERLON_PUBLIC_URL: value }).publicUrl, 'https://merlon.example.com');
});

test('an issuer is reached by https, or by http on this machine', () => {
  const provider = {
    MERLON_PUBLIC_URL: 'https://merlon.example.com',
    MERLON_OIDC_CLIENT_ID: 'merlon',
    MERLON_OIDC_CLIENT_SECRET: 'secret',
  };
  for (const name of ['MERLON_OIDC_ISSUER', 'MERLON_CI_ISSUERS']) {
    const load = (issuer: string) => loadConfig({ ...provider, [name]: issuer });
    for (const issuer of ['https://id.example.com', 'http://127.0.0.1:9000']) {
      const { oidc, ciIssuers } = load(issuer);
      assert.equal(name === 'MERLON_OIDC_ISSUER' ? oidc?.issuer : ciIssuers[0], issuer);
    }
    assert.throws(
      () => load('http://id.example.com'),
      new RegExp(`${name}=http://id\\.example\\.com: An issuer must start with https:`),
    );
  }
});

test('a proxy is an address, a network or a name that the library of the server knows', async () => {
  const accepted = [
    '127.0.0.1',
    '::1',
    '10.0.0.0/8, fd00::/8',
    'loopback,linklocal, uniquelocal',
    '::ffff:10.0.0.1',
    '10.0.0.1/32',
  ];
  for (const value of accepted) {
    const { trustProxy } = loadConfig({ MERLON_TRUST_PROXY: value });
    assert.equal(trustProxy, value);
    await Fastify({ trustProxy }).close();
  }
  assert.equal(loadConfig({ MERLON_TRUST_PROXY: 'true' }).trustProxy, true);
  assert.equal(loadConfig({ MERLON_TRUST_PROXY: 'false' }).trustProxy, false);
  const refused = [
    'True',
    '1',
    'proxy.example.com',
    '10.0.0.1,',
    ' ',
    '10.0.0.0/0',
    '::/0',
    '10.0.0.0/33',
    '10.0.0.0/255.0.0.0',
    '10.0.0.0/',
    '/8',
    '10.0.0.0/8/8',
    'localhost',
  ];
  for (const value of refused) {
    assert.throws(() => loadConfig({ MERLON_TRUST_PROXY: value }), ConfigError, value);
  }
});
