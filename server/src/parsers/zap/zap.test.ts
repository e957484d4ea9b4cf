import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fieldsOf } from '../../../test/support/fields.ts';
import {
  emptyEvidence,
  emptyFinding,
  findingsOf,
  unreadableIn,
} from '../../../test/support/format-reports.ts';
import { processorMs } from '../../../test/support/processor-time.ts';
import { decodeReport } from '../reading/decode.ts';
import { defaultLimits, ParseContext } from '../reading/limits.ts';
import { plainText } from '../reading/plain-text.ts';
import { type Report, ReportError, type ReportFinding } from '../report.ts';
import { zap } from './zap.ts';

function parse(bytes: Uint8Array, limits = defaultLimits): Report {
  const document = decodeReport(bytes, limits);
  assert.ok(zap.recognises(document));
  return zap.parse(document, new ParseContext(limits));
}

function bytesOf(name: string): Buffer {
  return readFileSync(new URL(`../../../test/fixtures/zap/${name}`, import.meta.url));
}

test('an instance is the same in XML and JSON, with another query, session and name of the alert', () => {
  const keys = (name: string): string[] =>
    findingsOf(parse(bytesOf(name))).map(
      ({ rule, path, code }) => `${rule} ${path} ${code?.replace(/\n/g, ' ')}`,
    );
  const before = new Set(keys('before.xml'));
  const after = new Set(keys('after.json'));
  assert.deepEqual([...before.intersection(after)], ['10020 https://garden.example/bed/rose GET X-Fence']);
  assert.deepEqual([...after.difference(before)], ['10021 https://garden.example/bed/rose GET']);
  assert.deepEqual(
    [...before.difference(after)],
    [
      '10020 https://garden.example/bed/rose POST X-Fence',
      '40012 https://garden.example/search GET q',
      '10099 https://garden.example/ undefined',
    ],
  );
});

test('the alert about a missing header is the same before and after its plug-in has several kinds', () => {
  const codeOf = (pluginid: string, alertRef: string | undefined, name: string): unknown => {
    const instances = [{ uri: 'https://garden.example/', method: 'GET' }];
    const report = { '@version': '2', site: [{ alerts: [{ pluginid, alertRef, name, instances }] }] };
    return findingsOf(parse(Buffer.from(JSON.stringify(report))))[0]?.code;
  };
  const missing = 'Content Security Policy (CSP) Header Not Set';
  for (const alertRef of [undefined, '10038', '10038-1'])
    assert.equal(codeOf('10038', alertRef, missing), 'GET');
  assert.equal(codeOf('10038', '10038-1', 'Another name'), 'GET');
  assert.equal(codeOf('10038', '10038-3', 'CSP Report-Only Header Found'), 'GET\n3');
  for (const alertRef of [undefined, '10038']) {
    assert.equal(codeOf('10038', alertRef, 'CSP Report-Only Header Found'), 'GET\nother');
  }
  assert.equal(codeOf('10054', '10054-1', 'Cookie without SameSite Attribute'), 'GET');
  assert.equal(codeOf('10054', undefined, 'Cookie Without SameSite Attribute'), 'GET');
  assert.equal(codeOf('10055', '10055-1', 'CSP: X'), 'GET\n1', 'this plug-in has always had several kinds');
  assert.equal(codeOf('10055', undefined, 'CSP: X'), 'GET');
});

test('reads an instance with everything it says', () => {
  const report = parse(bytesOf('before.xml'));
  assert.deepEqual(findingsOf(report)[0], {
    ...emptyFinding,
    pointer: '/OWASPZAPReport/site[1]/alerts[1]/alertitem[1]',
    type: 'dast',
    severity: 'medium',
    title: 'Missing Fence Header',
    description: 'The fence is not set for pages with a <form>.',
    rule: '10020',
    cwes: ['CWE-1021'],
    path: 'https://garden.example/bed/rose',
    code: 'GET\nX-Fence',
    links: ['https://fence.example/a', 'https://fence.example/b'],
    sharedRow: '/OWASPZAPReport/site[1]/alerts[1]/alertitem[1]',
    evidence: {
      ...emptyEvidence,
      dataFlow: ['GET', 'POST'].map((method) => ({
        path: 'https://garden.example/bed/rose',
        line: null,
        text: `${method}, parameter X-Fence`,
      })),
      remediation: 'Set it.',
    },
  } satisfies ReportFinding);
  assert.deepEqual(
    [report.read, findingsOf(report).length],
    [4, 4],
    'two of three instances are one location',
  );
  assert.deepEqual(unreadableIn(report), ['/OWASPZAPReport/site[1]/alerts[1]/alertitem[3]']);
  assert.deepEqual(fieldsOf(report.runs, 'tool', 'toolVersion'), [['zap', '2.16.0']]);
  assert.ok(
    !JSON.stringify(report).includes('topsecret'),
    'what a response shows without an attack is not taken over',
  );
});

test('a false positive is suppressed, the attack is shown, and an alert without instances is about its site', () => {
  const [, , hose, about] = findingsOf(parse(bytesOf('before.xml')));
  assert.deepEqual(hose?.suppression, {
    by: 'file',
    reason: 'Marked as a false positive in ZAP.',
    expiresAt: null,
  });
  assert.equal(hose?.severity, 'high');
  assert.equal(hose?.description, 'Plain words about <script> here.');
  assert.deepEqual(
    hose?.evidence?.dataFlow.map(({ text }) => text),
    ['GET, parameter q\nSent: <script>alert(1)</script>'],
  );
  assert.deepEqual(hose?.cwes, []);
  assert.deepEqual([about?.path, about?.severity], ['https://garden.example/', 'low']);
});

test('takes a site alone, and null for a list', () => {
  const report = parse(Buffer.from('{"@version":"2","site":{"@name":"https://a.example","alerts":null}}'));
  assert.deepEqual([report.read, report.runs.length], [0, 1]);
});

test('the limit counts instances', () => {
  const instances = Array.from({ length: 20 }, (_, index) => ({ uri: `https://a.example/${index}` }));
  const report = { '@version': '2', site: [{ alerts: [{ pluginid: '1', name: 'A', instances }] }] };
  const parseWith = (maxFindings: number): Report =>
    parse(Buffer.from(JSON.stringify(report)), { ...defaultLimits, maxFindings });
  assert.equal(findingsOf(parseWith(20)).length, 20);
  assert.throws(
    () => parseWith(19),
    (error) => error instanceof ReportError && error.code === 'LIMIT_EXCEEDED',
  );
});

test('HTML becomes plain text, and other text is unchanged', () => {
  assert.equal(
    plainText('<p>One&nbsp;two.</p><p></p><ul><li>a</li><li>b &amp;lt;</li></ul>'),
    'One two.\n\n- a\n- b &lt;',
  );
  assert.equal(plainText('Set <script> & be done'), 'Set <script> & be done');
  for (const unit of ['<', '<p', '<p>', ' ', '\n', '&', '</', '<li ']) {
    const started = processorMs();
    plainText(`<p>${unit.repeat(300_000)}`);
    assert.ok(processorMs() - started < 1500, unit);
  }
});

test('shows what an attack sent and what proves it, bounded and without cookies and tokens', () => {
  const token = `ghp_${'Ab1'.repeat(12)}`;
  const instance = (more: object) => ({ uri: 'https://a.example/', method: 'GET', ...more });
  const instances = [
    instance({ param: 'a', attack: "' OR 1=1", evidence: 'Set-Cookie: sid=topsecret; path=/; HttpOnly' }),
    instance({ param: 'b', attack: 'x'.repeat(100_000), evidence: `token ${token}` }),
    instance({ param: '', attack: '../../etc/passwd', evidence: 'root:x:0:0' }),
    instance({ param: 'd', attack: ' ', evidence: 'topsecret' }),
  ];
  const report = { '@version': '2', site: [{ alerts: [{ pluginid: '1', name: 'A', instances }] }] };
  const read = findingsOf(parse(Buffer.from(JSON.stringify(report))));
  const texts = read[0]?.evidence?.dataFlow.map(({ text }) => text) ?? [];
  const textOf = (parameter: string): string =>
    texts.find((text) => text.startsWith(`GET${parameter === '' ? '' : `, parameter ${parameter}`}`)) ?? '';
  assert.equal(
    textOf('a'),
    "GET, parameter a\nSent: ' OR 1=1\nIn the response: Set-Cookie: sid=****; path=/; HttpOnly",
  );
  assert.equal(textOf('d'), 'GET, parameter d', 'a quote without an attack may be about a user');
  assert.ok(textOf('b').length <= 1_000 && textOf('b').includes('\nIn the response: token '));
  assert.ok(!JSON.stringify(read).includes(token));
  assert.ok(texts.some((text) => text.startsWith('GET\nSent: ../../etc/passwd')));
});

test('quotes no header and no address that lets somebody in, nor the half of a secret', () => {
  const secret = 'Tz7vQm4pLs9w';
  const texts = [
    `Set-Cookie: sid=${secret}`,
    `Cookie: theme=${secret}; sid=${secret}`,
    `Authorization: Bearer ${secret}`,
    `proxy-authorization: ${secret}`,
    `X-Auth-Token: ${secret}`,
    `<script src="https://cdn.example/a.js?v=1&access_token=${secret}"></script>`,
    `https://a.example/cart;jsessionid=${secret}?x=1`,
    `${'x'.repeat(370)} https://user:${secret}${'y'.repeat(40)}@cdn.example/`,
    `${'x'.repeat(370)} token="${secret}${'y'.repeat(40)}"`,
  ];
  const instances = texts.flatMap((text, i) =>
    [{ evidence: text }, { attack: text }].map((quote, j) => ({
      uri: 'https://a.example/',
      method: 'GET',
      param: `${i}-${j}`,
      ...quote,
    })),
  );
  const report = { '@version': '2', site: [{ alerts: [{ pluginid: '10017', name: 'A', instances }] }] };
  const read = findingsOf(parse(Buffer.from(JSON.stringify(report))));
  const steps = read[0]?.evidence?.dataFlow.map(({ text }) => text) ?? [];
  assert.equal(steps.length, instances.length);
  assert.deepEqual(
    steps.filter((text) => text.includes(secret.slice(0, 6))),
    [],
  );
  assert.ok(steps.some((text) => text.includes('src="https://cdn.example/a.js?v=1&access_token=****"')));
});

test('shows each request once with its address, and quotes headers of responses without an attack', () => {
  const instance = (path: string, param: string, evidence: string) => ({
    uri: `https://a.example/${path}`,
    method: 'GET',
    param,
    evidence,
  });
  const alert = (pluginid: string) => ({
    pluginid,
    name: 'A',
    instances: [
      instance('a', 'Server', 'garden/1.2'),
      instance('b', 'Server', 'garden/1.2'),
      instance('c', 'Via', 'shed/3'),
    ],
  });
  const report = { '@version': '2', site: [{ alerts: [alert('10036'), alert('10062')] }] };
  const [server, , , personal] = findingsOf(parse(Buffer.from(JSON.stringify(report))));
  assert.deepEqual(
    server?.evidence?.dataFlow.map(({ path, text }) => [path, text]),
    [
      ['https://a.example/a', 'GET, parameter Server (at 2 addresses)\nIn the response: garden/1.2'],
      ['https://a.example/c', 'GET, parameter Via\nIn the response: shed/3'],
    ],
  );
  assert.ok(!JSON.stringify(personal?.evidence).includes('garden/1.2'));
});
