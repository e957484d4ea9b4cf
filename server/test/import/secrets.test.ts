/**
 * Tests that no secret of a report can be found in the database or in the server's output: not while the report waits,
 * not after it was parsed, not if it could not be parsed; neither as a whole nor in part, in any encoding.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { createTestDatabase } from '../support/database.ts';
import { onlyInCi } from '../support/form.ts';
import { SecretParts, searchDatabase, searchValue } from '../support/leak-search.ts';
import {
  get,
  nodeSettings,
  sendReport,
  startServing,
  startWorking,
  stop,
  untilFinal,
} from '../support/serving.ts';
import { createTestWorkspace } from '../support/workspace.ts';

const samples = new URL('../../../../shared/samples/', import.meta.url);
const skip = existsSync(samples) ? false : 'no ../shared/samples beside this checkout';

/** Letters and digits that nobody writes by accident. */
function chance(length: number): string {
  return randomBytes(2 * length)
    .toString('base64')
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .slice(0, length);
}

const lines = (count: number): string[] => Array.from({ length: count }, () => chance(64));
const keyOf = (kind: string, body: string[]): string =>
  [`-----BEGIN ${kind} KEY-----`, ...body, `-----END ${kind} KEY-----`].join('\n');

/**
 * Secrets of every form that the tools know, and of unknown forms. The known prefixes are joined here, so that no
 * scanner reports this file.
 */
const secrets = {
  nameless: chance(40),
  short: chance(12),
  signs: `${chance(10)}+/=&%"\\'<${chance(10)}`,
  github: `${'gh'}p_${chance(36)}`,
  amazon: `${'AK'}IA${chance(16).toUpperCase()}`,
  slack: `${'xo'}xb-${chance(12)}-${chance(24)}`,
  token: `${'ey'}J${chance(20)}.${'ey'}J${chance(40)}.${chance(43)}`,
  url: `postgres://app:${chance(20)}@db.example/app`,
  key: keyOf('RSA PRIVATE', lines(6)),
  second: chance(32),
};
const all = Object.values(secrets);
const bodies = all.map((secret) =>
  secret.replaceAll(/-----[A-Z ]+-----|postgres:\/\/app:|@db\.example\/app/g, ''),
);

/** A text that may be shown and must be found, to prove that the search works. */
const visible = `rule${chance(24)}`;

interface Sent {
  name: string;
  body: Buffer | string;
  /** The answer to the upload; 202 by default. */
  status?: number;
  /** The expected final status of the scan. */
  ends?: 'completed' | 'failed';
  encoding?: string;
}

const json = (value: unknown): string => JSON.stringify(value);

/** Each form puts the secret into every field where the tool, or a rule that somebody wrote for it, may put it. */
function forms(): Sent[] {
  const gitleaks8 = all.map((secret, i) => ({
    RuleID: i === 0 ? visible : `rule-of-${i}`,
    Description: `Found ${secret} here`,
    StartLine: i + 1,
    Match: `key = "${secret}"`,
    Secret: secret,
    File: `deploy/${i}.env`,
    Commit: i % 2 === 0 ? '' : '0123456789abcdef0123456789abcdef01234567',
    Author: secret,
    Email: `${secret}@example.org`,
    Message: `Hide ${secret}`,
    Tags: [secret],
    Link: `https://code.example/x#${secret}`,
    Fingerprint: `deploy/${i}.env:${secret}:1`,
  }));
  const gitleaks7 = all.map((secret, i) => ({
    line: `  token: "${secret}" # ${secret}`,
    lineNumber: i + 1,
    offender: i % 2 === 0 ? secret : `token: "${secret}"`,
    commit: '',
    repo: '.',
    rule: 'Token',
    commitMessage: secret,
    file: `old/${i}.yml`,
    tags: secret,
  }));
  const trufflehog = all.map((secret, i) =>
    json({
      SourceMetadata: { Data: { Git: { commit: '0123456789abcdef', file: `src/${i}.ts`, line: i + 1 } } },
      DetectorType: 2,
      DetectorName: 'Garden',
      DetectorDescription: `Opens as ${secret} does`,
      DecoderName: 'PLAIN',
      Verified: i % 2 === 0,
      Raw: secret,
      RawV2: `${secret}:${secrets.second}`,
      Redacted: secret.slice(0, 7),
      ExtraData: { account: secret, rotation_guide: `https://rotate.example/${secret}` },
      StructuredData: { key: secret },
    }),
  );
  const early = all.map((secret, i) =>
    json({
      SourceMetadata: { Data: { Filesystem: { file: `early/${i}.ts` } } },
      DetectorType: 2,
      DetectorName: 'Garden',
      Raw: Buffer.from(secret).toString('base64'),
    }),
  );
  const trufflehog2 = all.map((secret, i) =>
    json({
      branch: 'main',
      commit: `Hide ${secret}`,
      commitHash: 'abc',
      date: '2020-01-02 03:04:05',
      diff: `+${secret}`,
      path: `second/${i}`,
      printDiff: `+\u001b[93m${secret}\u001b[0m`,
      reason: 'High Entropy',
      stringsFound: [secret],
    }),
  );
  const trivy = {
    SchemaVersion: 2,
    ArtifactName: '.',
    ArtifactType: 'filesystem',
    Results: all.map((secret, i) => ({
      Target: `app/${i}.env`,
      Class: 'secret',
      Secrets: [
        {
          RuleID: 'token',
          Category: 'General',
          Severity: 'HIGH',
          Title: 'Token',
          StartLine: i + 1,
          EndLine: i + 1,
          Match: i % 2 === 0 ? `TOKEN="${secret}"` : `TOKEN=${'*'.repeat(20)}`,
          Code: {
            Lines: [{ Number: i + 1, Content: `TOKEN="${secret}"`, IsCause: true, Highlighted: secret }],
          },
        },
      ],
    })),
  };
  const sarif = (tool: string, shown: string[]) => ({
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: tool, rules: [{ id: 'token', shortDescription: { text: 'Token' } }] } },
        results: shown.map((secret, i) => ({
          ruleId: 'token',
          message: { text: `token has detected secret ${secret} for file ${i}.ts.` },
          partialFingerprints: { secret },
          properties: { offender: secret },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: `${i}.ts` },
                region: { startLine: i + 1, snippet: { text: secret } },
                contextRegion: { startLine: i, snippet: { text: `a\nTOKEN = "${secret}"\nb` } },
              },
            },
          ],
        })),
      },
    ],
  });
  // These tools do not look for secrets, so only text that looks like one can be recognised.
  const shaped = [secrets.github, secrets.amazon, secrets.slack, secrets.token, secrets.url, secrets.key];
  const code = {
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'CodeQL' } },
        results: shaped.map((secret, i) => ({
          ruleId: `js/hard-coded-${i}`,
          message: { text: `The text ${secret} is used as a credential.`, markdown: `**${secret}**` },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: `code/${i}.ts` },
                region: { startLine: 3, snippet: { text: `const secret = "${secret}";` } },
              },
            },
          ],
        })),
      },
    ],
  };
  const semgrep = {
    version: '1.90.0',
    errors: [],
    results: shaped.map((secret, i) => ({
      check_id: 'generic.secrets.security.token',
      path: `semgrep/${i}.ts`,
      start: { line: 1, col: 1, offset: 0 },
      end: { line: 1, col: 9, offset: 9 },
      extra: {
        message: `Found ${secret}`,
        lines: `token = "${secret}"`,
        severity: 'ERROR',
        fingerprint: `${i}`.repeat(32),
        metadata: {},
        metavars: { $X: { abstract_content: secret } },
      },
    })),
  };
  const whole: Sent[] = [
    { name: 'gitleaks 8', body: json(gitleaks8) },
    { name: 'gitleaks 7', body: json(gitleaks7) },
    { name: 'trufflehog 3', body: trufflehog.join('\n') },
    { name: 'trufflehog 3, early', body: early.join('\n') },
    { name: 'trufflehog 2', body: trufflehog2.join('\n') },
    { name: 'trivy', body: json(trivy) },
    { name: 'sarif of gitleaks', body: json(sarif('gitleaks', all)) },
    { name: 'sarif of a code scanner', body: json(code) },
    { name: 'semgrep', body: json(semgrep) },
    { name: 'gitleaks 8, gzip', body: gzipSync(json(gitleaks8.slice(1))), encoding: 'gzip' },
    { name: 'trivy, zstd', body: zstdCompressSync(json({ ...trivy, ArtifactName: 'b' })), encoding: 'zstd' },
  ];
  // Longer than the part of a report that is read before it is accepted.
  const long = json(Array.from({ length: 40 }, () => gitleaks8).flat());
  const broken: Sent[] = [
    {
      name: 'rows that cannot be read',
      body: json([...gitleaks8, { Secret: 5, Match: secrets.nameless }, secrets.key]),
    },
    { name: 'cut off early', body: json(gitleaks8).slice(0, 900), status: 422 },
    { name: 'cut off late', body: long.slice(0, -7), ends: 'failed' },
    {
      name: 'broken within',
      body: long.replace(/"StartLine":5,/g, `"StartLine":${secrets.nameless},`),
      ends: 'failed',
    },
    { name: 'no report', body: `TOKEN=${all.join('\n')}`, status: 422 },
    { name: 'no known report', body: json({ [secrets.nameless]: all }), status: 422 },
    { name: 'lines with a broken one', body: [trufflehog[0]?.slice(0, -9), ...trufflehog].join('\n') },
    {
      name: 'lines that are cut off',
      body: [...trufflehog, trufflehog[0]?.slice(0, -9)].join('\n'),
      ends: 'failed',
    },
    {
      name: 'nested too deep',
      body: `${long.slice(0, -1)},${'['.repeat(300)}"${secrets.nameless}"${']'.repeat(300)}]`,
      ends: 'failed',
    },
    {
      name: 'xml, broken',
      body: `<OWASPZAPReport version="2"><site name="${secrets.nameless}"><${secrets.nameless}></site>`,
      ends: 'failed',
    },
  ];
  return [...whole, ...broken];
}

/** Sends without a worker and searches, then starts a worker and searches again. */
async function assertKept(list: Sent[], parts: SecretParts, seen: string | null): Promise<void> {
  assert.ok(parts.size > 100, `${parts.size} parts are too few to look for`);
  const database = await createTestDatabase();
  const { people } = await createTestWorkspace(database, 'acme');
  const { key } = people.admin;
  const settings = { ...nodeSettings(database), MERLON_LOG_LEVEL: 'trace' };
  const server = await startServing({ ...settings, MERLON_WORKERS: '0' });
  try {
    const scans: { sent: Sent; id: string }[] = [];
    for (const [i, sent] of list.entries()) {
      const answer = await sendReport({
        url: server.url,
        key,
        slug: 'acme',
        query: { repo: `acme/secrets-${i}`, ref: 'main' },
        headers: sent.encoding ? { 'content-encoding': sent.encoding } : {},
        body: Buffer.from(sent.body),
      });
      assert.equal(answer.status, sent.status ?? 202, `${sent.name}: status ${answer.status}`);
      assert.equal(searchValue(answer.text, parts), null, `${sent.name}: the answer`);
      if (answer.status === 202) scans.push({ sent, id: JSON.parse(answer.text).id });
    }
    const { rows } = await database.owner.query(
      'select count(distinct scan_id)::int as waiting from scan_report',
    );
    assert.deepEqual(rows, [{ waiting: scans.length }]);
    assert.deepEqual(await searchDatabase(database.owner, parts), [], 'while they wait');

    const worker = await startWorking(settings);
    try {
      for (const { sent, id } of scans) {
        const scan = await untilFinal(server.url, `/api/v1/acme/scans/${id}`, key, 60_000);
        assert.equal(scan.status, sent.ends ?? 'completed', `${sent.name}: ${scan.error?.code}`);
        assert.equal(searchValue(scan, parts), null, `${sent.name}: the scan`);
      }
      assert.deepEqual(await searchDatabase(database.owner, parts), [], 'after they were read');
      const page = await get(server.url, '/api/v1/acme/vulnerabilities?per_page=200', key);
      assert.equal(searchValue(page.body, parts), null, 'the list');
    } finally {
      await stop(worker.child);
    }
    if (seen !== null) await assertFinds(database.owner, seen);
    assert.equal(searchValue(worker.said(), parts), null, 'what the worker says');
  } finally {
    await stop(server.child);
  }
  assert.match(server.said(), /"level":(?:10|20|30)/, 'the server says something');
  assert.equal(searchValue(server.said(), parts), null, 'what the server says');
}

/** The same search finds a text that may be visible. */
async function assertFinds(owner: Parameters<typeof searchDatabase>[0], seen: string): Promise<void> {
  const found = await searchDatabase(owner, new SecretParts([seen]));
  assert.ok(
    found.some((where) => where.startsWith('public.vulnerability')),
    `the search finds nothing: ${found}`,
  );
}

test('the search finds a part of a secret in every encoding', () => {
  const secret = chance(40);
  const parts = new SecretParts([secret]);
  const part = secret.slice(11, 31);
  const text = `before ${part} after`;
  const packed: unknown[] = [
    text,
    { [text]: 1 },
    [[{ a: text }]],
    json({ a: json({ b: text }) }),
    Buffer.from(text),
    gzipSync(text),
    zstdCompressSync(json({ a: Buffer.from(text).toString('base64') })),
    ...['', 'x', 'xx'].map((before) => Buffer.from(before + text).toString('base64')),
    `key=${Buffer.from(text).toString('base64url')}.`,
    `0x${Buffer.from(text).toString('hex')}`,
    gzipSync(text).toString('base64'),
    [...part].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join(''),
    `before ${part.slice(0, 4)}\\${part.slice(4)}`,
  ];
  for (const value of packed) assert.notEqual(searchValue(value, parts), null, String(value));
  assert.equal(searchValue(`before ${secret.slice(0, 7)} after`, parts), null);
});

test('made-up secrets of every tool and form are stored nowhere', () =>
  assertKept(forms(), new SecretParts(bodies), visible));

test('the secrets of real reports are stored nowhere', { skip: skip || onlyInCi }, async () => {
  const list: Sent[] = [];
  const found: string[] = [];
  const shown: string[] = [];
  for (const folder of ['gitleaks-json', 'trufflehog-json', 'trivy-json']) {
    for (const name of readdirSync(new URL(`${folder}/`, samples)).sort()) {
      const body = readFileSync(new URL(`${folder}/${name}`, samples));
      if (folder === 'trivy-json' && !/secret/i.test(name)) continue;
      list.push({ name, body });
      collect(documentsOf(body.toString('utf8')), found, shown);
    }
  }
  await assertKept(list, new SecretParts(found, shown.join('\n')), null);
});

const secretKeys = new Set(['Secret', 'offender', 'Raw', 'RawV2', 'stringsFound']);
const shownKeys =
  /^(?:file|path|commit\w*|rule\w*|detectorname|description|title|link|repository|fingerprint)$/i;

/** The fields of the report that hold a secret, and those that may be shown. */
function collect(value: unknown, found: string[], shown: string[], key = ''): void {
  if (typeof value === 'string') {
    if (secretKeys.has(key)) found.push(value, Buffer.from(value, 'base64').toString('latin1'));
    else if (shownKeys.test(key)) shown.push(value);
  } else if (Array.isArray(value)) {
    for (const item of value) collect(item, found, shown, key);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) collect(item, found, shown, name);
  }
}

function documentsOf(text: string): unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return text.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as unknown] : []));
  }
}
