/**
 * Tests of bad input over a real socket: each answer is JSON of the API's shape with the right status and no internal
 * detail, and the server keeps running.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pino } from 'pino';
import { buildApp } from '../../src/app.ts';
import { commitSteps } from '../../src/commit-steps.ts';
import { openDatabase } from '../../src/db/database.ts';
import { logSerializers } from '../../src/http/request-context.ts';
import { clientOf, type Json } from '../support/client.ts';
import { importAll } from '../support/import.ts';
import { createTestServer } from '../support/server.ts';
import { type RawAnswer, sendRaw } from '../support/socket.ts';
import { trivyReport } from '../support/tool-reports.ts';
import { createTestWorkspace, reportInput } from '../support/workspace.ts';

const server = await createTestServer();
const { people } = await createTestWorkspace(server, 'acme');
const { key } = people.admin;
await importAll(server, 'acme', [
  reportInput(trivyReport({ packages: [{ id: 'CVE-2030-1', package: 'lodash', severity: 'HIGH' }] })),
]);

/** A complete server, with a log and statements that the test reads. */
const logged: string[] = [];
const sent: string[] = [];
const db = openDatabase(server.appUrl, {
  commitSteps,
  maxConnections: 8,
  traceStatement: (text) => {
    sent.push(text);
    return () => {};
  },
});
const log = pino(
  { level: 'trace', serializers: logSerializers },
  { write: (line) => void logged.push(line) },
);
const app = await buildApp({ config: server.config, db, secret: server.secret, log });
server.beforeClose(async () => {
  await app.close();
  await db.close();
});
await app.listen({ port: 0, host: '127.0.0.1' });
const port = Number(new URL(app.listeningOrigin).port);

const list = await clientOf(app, key).get<{ items: { id: string }[] }>('/api/v1/acme/vulnerabilities');
const vulnerability = list.body.items[0]?.id ?? '';
const assignment = `/api/v1/acme/vulnerabilities/${vulnerability}/assignment`;
const decisions = '/manage/v1/acme/vulnerabilities/decisions';

interface Wire {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  body?: string;
}

async function wire({
  method = 'GET',
  path = '/api/v1/acme/whoami',
  headers = {},
  body,
}: Wire): Promise<RawAnswer> {
  const lines = Object.entries({
    Host: 'test',
    Connection: 'close',
    Authorization: `Bearer ${key}`,
    ...(body === undefined
      ? {}
      : { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)) }),
    ...headers,
  }).filter(([, value]) => value !== '');
  return sendRaw(
    port,
    `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n${body ?? ''}`,
  );
}

function isError(answer: RawAnswer, status: number, code: string, shown = ''): Json {
  assert.equal(answer.status, status, `${shown} ${answer.body}`);
  assert.match(answer.headers['content-type'] ?? '', /^application\/json/, shown);
  const body = JSON.parse(answer.body) as Json;
  assert.equal(body.code, code, `${shown} ${answer.body}`);
  assert.equal(typeof body.message, 'string');
  assert.doesNotMatch(answer.body, /node_modules|\.ts:|at async|select |stack/i, shown);
  return body;
}

function fieldsOf(body: Json): string[] {
  return Object.keys((body.details as { errors: object }).errors).sort();
}

describe('bodies', () => {
  const patch = (body: string, headers: Record<string, string> = {}): Promise<RawAnswer> =>
    wire({ method: 'PATCH', path: assignment, body, headers });

  test('invalid JSON is 400', async () => {
    for (const body of [
      '{',
      'nonsense',
      '{"assignee":}',
      "{'assignee':null}",
      '{"assignee":null}}',
      '\u0000',
      '{"a":NaN}',
    ]) {
      isError(await patch(body), 400, 'MALFORMED_REQUEST', body);
    }
    isError(await patch(''), 400, 'MALFORMED_REQUEST', 'empty');
    for (const type of ['application/json', '']) {
      const missing = { method: 'PATCH', path: assignment, headers: { 'Content-Type': type } };
      const { message } = isError(await wire(missing), 400, 'MALFORMED_REQUEST', `no body, ${type}`);
      assert.equal(message, 'The body is empty; it must be JSON.');
    }
  });

  test('a field that would reach a prototype is an unknown field, at any depth, and reaches none', async () => {
    const policy = '"key":"p","target_type":"vulnerability","enforcement_mode":"warn","condition":';
    const apply = { method: 'POST', path: '/manage/v1/acme/policies/apply' };
    const polluted = '{"polluted":true,"assignee":null}';
    const cases: [body: string, field: string, request?: Wire][] = [
      [`{"assignee":null,"__proto__":${polluted}}`, '__proto__'],
      [`{"__proto__":${polluted}}`, '__proto__'],
      [`{"assignee":null,"\\u005f_proto__":${polluted}}`, '__proto__'],
      ['{"assignee":null,"__proto__":null}', '__proto__'],
      [`[{"a":[1,{"__proto__":${polluted}}]}]`, '0.a.1.__proto__'],
      [`{"assignee":null,"constructor":{"prototype":${polluted}}}`, 'constructor'],
      // The schema of a condition leaves its fields open.
      [
        `{"policies":[{${policy}{"all":[],"__proto__":${polluted}}}]}`,
        'policies.0.condition.__proto__',
        apply,
      ],
    ];
    for (const [body, field, request = { method: 'PATCH', path: assignment }] of cases) {
      const error = isError(await wire({ ...request, body }), 422, 'VALIDATION_FAILED', body);
      assert.deepEqual(
        (error.details as Json).errors,
        Object.fromEntries([[field, ['Unknown field.']]]),
        body,
      );
      assert.equal(({} as Json).polluted, undefined);
    }
    const policies = `{"policies":[{${policy}{"all":[],"constructor":{"prototype":${polluted}}}}]}`;
    isError(await wire({ ...apply, body: policies }), 422, 'VALIDATION_FAILED', policies);
    assert.equal(({} as Json).polluted, undefined);
  });

  test('a body with thousands of texts that cannot be stored is refused with the path of one, in few characters', async () => {
    const nul = '"\\u0000"';
    for (const body of [
      `{"${'k'.repeat(500_000)}":[${Array(50_000).fill(nul).join()}]}`,
      `${`[${nul},`.repeat(90_000)}${nul}${']'.repeat(90_000)}`,
    ]) {
      const answer = await patch(body);
      const [field = ''] = fieldsOf(isError(answer, 422, 'VALIDATION_FAILED'));
      assert.equal(field.length, 255);
      assert.ok(answer.body.length < 2_000, `${answer.body.length} characters`);
    }
  });

  test('a wrong type is 422 on its field, and null does not count as absent', async () => {
    const cases: [string, string][] = [
      ['{"assignee":1}', 'assignee'],
      ['{"assignee":true}', 'assignee'],
      ['{"assignee":[]}', 'assignee'],
      ['{"assignee":{}}', 'assignee'],
      ['{}', 'assignee'],
      ['{"assignee":null,"status_version":null}', 'status_version'],
      ['{"assignee":null,"status_version":1}', 'status_version'],
      [`{"assignee":"${'x'.repeat(256)}"}`, 'assignee'],
      ['{"assignee":null,"other":1}', 'other'],
      ['{"assignee":null,"constructor":1}', 'constructor'],
      ['{"assignee":null,"hasOwnProperty":null}', 'hasOwnProperty'],
      ['{"assignee":"a\\u0000b"}', 'assignee'],
      ['{"assignee":"\\ud800"}', 'assignee'],
      ['{"assignee":null,"status_version":"\\u0000"}', 'status_version'],
      ['{"assignee":""}', 'assignee'],
      ['[]', 'body'],
      ['null', 'body'],
      ['"text"', 'body'],
      ['1', 'body'],
    ];
    for (const [body, field] of cases) {
      const error = isError(await patch(body), 422, 'VALIDATION_FAILED', body);
      assert.deepEqual(fieldsOf(error), [field], body);
    }
  });

  test('deeply nested and long values are refused fast', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    isError(await patch(deep), 422, 'VALIDATION_FAILED');
    isError(await patch(`{"assignee":${deep}}`), 422, 'VALIDATION_FAILED');
    const many = JSON.stringify({
      action: 'confirm',
      vulnerabilities: Array(501).fill({ id: vulnerability }),
    });
    const error = isError(
      await wire({ method: 'POST', path: decisions, body: many }),
      422,
      'VALIDATION_FAILED',
    );
    assert.deepEqual(fieldsOf(error), ['vulnerabilities']);
  });

  test('another content type is 415', async () => {
    for (const type of [
      'text/plain',
      'application/xml',
      'multipart/form-data; boundary=x',
      'application/x-www-form-urlencoded',
      'json',
      'application/json2',
      ';',
    ]) {
      isError(
        await patch('{"assignee":null}', { 'Content-Type': type }),
        415,
        'UNSUPPORTED_MEDIA_TYPE',
        type,
      );
    }
    isError(await patch('{"assignee":null}', { 'Content-Type': '' }), 415, 'UNSUPPORTED_MEDIA_TYPE', 'none');
    const right = await patch('{"assignee":null}', { 'Content-Type': 'application/json; charset=utf-8' });
    assert.equal(right.status, 200, right.body);
  });

  test('a compressed body is 415 where no report is taken', async () => {
    for (const encoding of ['gzip', 'zstd', 'br', 'identity, gzip']) {
      const answer = await patch('{"assignee":null}', { 'Content-Encoding': encoding });
      const { message } = isError(answer, 415, 'UNSUPPORTED_MEDIA_TYPE', encoding);
      assert.match(String(message), /Content-Encoding/);
    }
    for (const encoding of ['Identity', ' ']) {
      const plain = await patch('{"assignee":null}', { 'Content-Encoding': encoding });
      assert.equal(plain.status, 200, plain.body);
    }
  });

  test('a body over the limit is 413, announced or not', async () => {
    const large = `{"assignee":"${'x'.repeat(1024 * 1024)}"}`;
    isError(await patch(large), 413, 'PAYLOAD_TOO_LARGE');
    isError(await patch('{', { 'Content-Length': '99999999999' }), 413, 'PAYLOAD_TOO_LARGE');
    const chunk = 'x'.repeat(64 * 1024);
    const chunks = `${chunk.length.toString(16)}\r\n${chunk}\r\n`.repeat(20);
    const chunked = await wire({
      method: 'PATCH',
      path: assignment,
      body: `${chunks}0\r\n\r\n`,
      headers: { 'Content-Length': '', 'Transfer-Encoding': 'chunked' },
    });
    isError(chunked, 413, 'PAYLOAD_TOO_LARGE');
  });
});

describe('requests that are no HTTP', () => {
  test('a bad request line, header or length is 400 JSON', async () => {
    for (const request of [
      'nonsense\r\n\r\n',
      'GET\r\n\r\n',
      'GET / HTTP/9.9\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: a\r\nno colon here\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: a\r\nBad\u0000Name: x\r\n\r\n',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n',
      '\u0016\u0003\u0001\u0002\u0000\u0001',
    ]) {
      isError(await sendRaw(port, request), 400, 'MALFORMED_REQUEST', JSON.stringify(request));
    }
  });

  test('a request of HTTP/1.1 without Host is 400 JSON on every path, and one of HTTP/1.0 needs none', async () => {
    const end = `Authorization: Bearer ${key}\r\n\r\n`;
    for (const path of ['/api/v1/acme/whoami', '/api/v1/acme/nothing', '/healthz', '/']) {
      const answer = await sendRaw(port, `GET ${path} HTTP/1.1\r\n${end}`);
      const { message } = isError(answer, 400, 'MALFORMED_REQUEST', path);
      assert.match(String(message), /Host/);
      assert.equal(answer.headers.connection, 'close');
      assert.equal(answer.headers['cache-control'], 'private, no-store');
    }
    assert.equal((await sendRaw(port, `GET /api/v1/acme/whoami HTTP/1.0\r\n${end}`)).status, 200);
  });

  test('headers of a megabyte are 431 JSON', async () => {
    const answer = await wire({ headers: { 'X-Large': 'x'.repeat(1024 * 1024) } });
    isError(answer, 431, 'HEADERS_TOO_LARGE');
    const many = Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`X-${i}`, 'y'.repeat(50)]));
    isError(await wire({ headers: many }), 431, 'HEADERS_TOO_LARGE');
    isError(
      await wire({ path: `/api/v1/acme/vulnerabilities?q=${'x'.repeat(100_000)}` }),
      431,
      'HEADERS_TOO_LARGE',
    );
  });

  test('a path or a query with broken percent encoding is 400', async () => {
    for (const path of [
      '/api/v1/%zz/whoami',
      '/api/v1/acme/repositories/acme%',
      '/%',
      '/api/v1/acme/vulnerabilities/%E0%A4%A',
      '/api/v1/acme/vulnerabilities?q=%zz%zz',
      '/api/v1/acme/vulnerabilities?ref=%',
      '/api/v1/acme/vulnerabilities?ref=%FF',
      '/api/v1/acme/vulnerabilities?ref=main&ref=%E0%A4%A',
      '/api/v1/acme/vulnerabilities?repo=%ED%A0%80',
      '/api/v1/acme/vulnerabilities?%C3=1',
      '/api/v1/acme/whoami?%',
    ]) {
      isError(await wire({ path }), 400, 'MALFORMED_REQUEST', path);
    }
    for (const query of ['ref=a+b%2Bc%C3%A4%3D%26=%25', '&ref=a%20b%2bc%c3%a4%3d%26%3d%25&']) {
      const answer = await wire({ path: `/api/v1/acme/vulnerabilities?${query}` });
      assert.equal((JSON.parse(answer.body) as { filters: Json }).filters.ref, 'a b+cä=&=%', query);
    }
    const page = await wire({ path: '/sign-in?next=%', headers: { Host: 'localhost' } });
    assert.notEqual(page.status, 400, 'the server does not read the query of a page');
  });

  test('the server still works after all that', async () => {
    assert.equal((await wire({})).status, 200);
  });
});

describe('routes', () => {
  test('an unknown route is 404, with and without a key, with and without a query', async () => {
    for (const path of [
      '/api',
      '/api/v1',
      '/api/v2/tenants',
      '/api/v1/acme/nothing',
      '/api/v1/acme/whoami/',
      '/api/v1/acme//whoami',
      '/wp-login.php?x=1',
      '/api/v1/acme/nothing?a=1&a=2',
      '/..%2f..%2fetc/passwd',
    ]) {
      for (const Authorization of [`Bearer ${key}`, '']) {
        const error = isError(
          await wire({ path, headers: { Authorization } }),
          404,
          'RESOURCE_NOT_FOUND',
          path,
        );
        assert.deepEqual(error, { code: 'RESOURCE_NOT_FOUND', message: 'Not found.' });
      }
    }
  });

  test('a name in the path that is longer than any is 404', async () => {
    for (const name of ['x'.repeat(513), '%2Fa'.repeat(300), 'x'.repeat(5_000)]) {
      for (const base of ['/api/v1/acme/vulnerabilities', '/api/v1/acme/scans', '/manage/v1/acme/policies']) {
        isError(await wire({ path: `${base}/${name}` }), 404, 'RESOURCE_NOT_FOUND', name);
      }
      isError(await wire({ path: `/api/v1/${name}/whoami` }), 404, 'RESOURCE_NOT_FOUND', name);
    }
  });

  test('a wrong method is 405 and says what is allowed', async () => {
    const cases: [string, string, string][] = [
      ['POST', '/api/v1/acme/vulnerabilities', 'GET, HEAD'],
      ['DELETE', '/api/v1/acme/vulnerabilities?state=open', 'GET, HEAD'],
      ['GET', assignment, 'PATCH'],
      ['PUT', assignment, 'PATCH'],
      ['GET', decisions, 'POST'],
      ['PATCH', '/api/v1/acme/repositories/acme/shop', 'GET, HEAD'],
      ['OPTIONS', '/api/v1/acme/whoami', 'GET, HEAD'],
      ['QUERY', '/api/v1/acme/vulnerabilities', 'GET, HEAD'],
      ['QUERY', assignment, 'PATCH'],
      ['PROPFIND', '/api/v1/acme/whoami', 'GET, HEAD'],
    ];
    for (const [method, path, allow] of cases) {
      const answer = await wire({ method, path });
      isError(answer, 405, 'METHOD_NOT_ALLOWED', `${method} ${path}`);
      assert.equal(answer.headers.allow, allow, `${method} ${path}`);
    }
    // The body is not read, so nothing is wrong with it.
    const withBody = { path: '/api/v1/acme/vulnerabilities', body: '{' };
    for (const type of ['application/json', 'text/plain', ';']) {
      for (const method of ['POST', 'QUERY']) {
        const answer = await wire({ ...withBody, method, headers: { 'Content-Type': type } });
        isError(answer, 405, 'METHOD_NOT_ALLOWED', `${method} ${type}`);
      }
    }
    for (const body of ['{', '{}']) {
      const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
      isError(await wire({ ...withBody, method: 'POST', body, headers }), 405, 'METHOD_NOT_ALLOWED', body);
      const unknown = { method: 'POST', path: '/ingest/v1/acme/scanz', body, headers };
      isError(await wire(unknown), 404, 'RESOURCE_NOT_FOUND', body);
    }
  });

  test('HEAD is GET without the body', async () => {
    for (const path of ['/api/v1/acme/whoami', '/api/v1/acme/vulnerabilities?state=open', '/healthz']) {
      const head = await wire({ method: 'HEAD', path });
      const get = await wire({ path });
      assert.deepEqual([head.status, head.body], [200, ''], path);
      assert.equal(head.headers['content-type'], get.headers['content-type'], path);
      assert.equal(head.headers['content-length'], String(Buffer.byteLength(get.body)), path);
    }
    assert.equal((await wire({ method: 'HEAD', headers: { Authorization: '' } })).status, 401);
  });
});

describe('keys in the wrong place', () => {
  test('a key in the URL is refused with a reason, and never logged', async () => {
    logged.length = 0;
    for (const path of [
      `/api/v1/acme/whoami?key=${key}`,
      `/api/v1/acme/whoami?api_key=${key}`,
      `/api/v1/acme/whoami?access_token=${key}`,
      `/api/v1/acme/whoami?x=${key}`,
      `/api/v1/${key}/whoami`,
      `/api/v1/acme/repositories/${key}`,
    ]) {
      const answer = await wire({ path, headers: { Authorization: '' } });
      isError(answer, 401, 'AUTHENTICATION_REQUIRED', path);
      assert.match(answer.headers['www-authenticate'] ?? '', /never in the URL.*revoke/, path);
      assert.doesNotMatch(answer.body, /mrl_/, path);
    }
    await wire({ path: `/api/v1/acme/whoami?key=${key}` });
    await wire({ path: `/nowhere?key=${key}`, headers: { Authorization: '' } });
    await wire({ path: `/nowhere/${key}`, headers: { Authorization: '' } });
    await wire({ path: '/api/v1/acme/whoami' });
    assert.ok(logged.length > 10);
    assert.deepEqual(
      logged.filter((line) => line.includes(key.slice(8))),
      [],
    );
  });

  test('a key with a wrong checksum is refused without a look-up', async () => {
    // The server also writes the last use of earlier keys, by the clock, so statements of another kind do not count.
    const lookUps = (): number => sent.filter((text) => text.includes('k.secret_sha256 = ')).length;
    sent.length = 0;
    const wrong = key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A');
    for (const given of [wrong, key.toUpperCase(), `${key}x`, key.slice(0, -1), 'x'.repeat(8000)]) {
      const answer = await wire({ headers: { Authorization: `Bearer ${given}` } });
      isError(answer, 401, 'AUTHENTICATION_REQUIRED');
      assert.match(answer.headers['www-authenticate'] ?? '', /error="invalid_token"/);
    }
    assert.equal(lookUps(), 0);
    assert.equal((await wire({ headers: { Authorization: `Bearer ${people.viewer.key}` } })).status, 200);
    assert.equal(lookUps(), 1, 'a look-up is found');
  });
});
