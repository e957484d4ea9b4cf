/** Tests of the console's page and files: their headers, and the files that are not served. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { consoleDirectory } from '../../server/src/http/console-directory.ts';
import { createTestServer } from '../../server/test/support/server.ts';

const { app } = await createTestServer();
const get = (url: string) => app.inject({ url });

test('every path of the console returns the same page, with a strict Content-Security-Policy', async () => {
  const nonces = new Set<string>();
  for (const path of [
    '/',
    '/sign-in?next=/w/acme',
    '/setup',
    '/invite',
    '/account',
    '/w/acme/vulnerabilities?q=x',
  ]) {
    const answer = await get(path);
    assert.equal(answer.statusCode, 200, path);
    assert.match(String(answer.headers['content-type']), /^text\/html/);
    const policy = String(answer.headers['content-security-policy']);
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
    nonces.add(nonce);
    assert.ok(nonce.length >= 22 && answer.body.includes(nonce), path);
    assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self' 'nonce-/);
    assert.doesNotMatch(policy, /unsafe|\*|https?:/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.equal(answer.headers['cache-control'], 'private, no-store');
    assert.equal(answer.headers['x-content-type-options'], 'nosniff');
    assert.doesNotMatch(answer.body, /<script(?![^>]*\bsrc=)/, 'an inline script');
    assert.doesNotMatch(answer.body, /\son[a-z]+=|style=|https?:\/\//);
  }
  assert.equal(nonces.size, 6);
});

test('built files may be cached for ever, and no other file of the disk is served', async () => {
  const [name] = readdirSync(join(consoleDirectory, 'assets')).filter((file) => file.endsWith('.js'));
  const answer = await get(`/assets/${name}`);
  assert.equal(answer.statusCode, 200);
  assert.match(String(answer.headers['content-type']), /javascript/);
  assert.equal(answer.headers['cache-control'], 'public, max-age=31536000, immutable');
  for (const path of [
    '/assets/',
    '/assets/nothing.js',
    '/assets/../index.html',
    '/assets/%2e%2e/index.html',
    '/assets/..%2f..%2fpackage.json',
    '/assets/%2e%2e%2f%2e%2e%2f%2e%2e%2fetc/passwd',
    '/assets/..%5c..%5cpackage.json',
    '/index.html',
    '/w',
    '/nowhere',
  ]) {
    const refused = await get(path);
    assert.ok([400, 403, 404].includes(refused.statusCode), `${path}: ${refused.statusCode}`);
    assert.doesNotMatch(refused.body, /__CSP_NONCE__|"name"|root:/, path);
  }
});
