/** Reports written to break a parser: each is read or refused, never more. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { prepareReport } from '../features/scans/prepare/identity.ts';
import { parseReport } from './detect.ts';
import { type Report, ReportError } from './report.ts';

const fixtures = new URL('../../test/fixtures/', import.meta.url);

function attempt(content: string): Report | ReportError {
  try {
    return parseReport(Buffer.from(content));
  } catch (error) {
    assert.ok(
      error instanceof ReportError,
      `${error instanceof Error ? error.stack : error}\n${content.slice(0, 300)}`,
    );
    return error;
  }
}

function read(value: unknown): Report {
  const report = attempt(JSON.stringify(value));
  assert.ok(!(report instanceof ReportError), String(report));
  return report;
}

const intruders: unknown[] = [
  null,
  0,
  -1,
  1.5,
  1e308,
  Number.MAX_SAFE_INTEGER,
  '',
  'x',
  '\u0000\ud800',
  '__proto__',
  '9'.repeat(400),
  true,
  [],
  [[]],
  [null],
  {},
  { __proto__x: 1 },
  JSON.parse('{"__proto__":{"level":"error"},"constructor":null,"toString":1}'),
];

/** Every value of a document, one after the other, replaced in place by something of another kind, or taken out. */
function* replaced(root: unknown): Generator<unknown> {
  const stack: unknown[] = [root];
  while (stack.length > 0) {
    const node = stack.pop();
    if (typeof node !== 'object' || node === null) continue;
    const holder = node as Record<string, unknown>;
    for (const key of Object.keys(holder)) {
      const kept = holder[key];
      for (const intruder of intruders) {
        holder[key] = intruder;
        yield root;
      }
      if (!Array.isArray(holder)) {
        delete holder[key];
        yield root;
      }
      holder[key] = kept;
      stack.push(kept);
    }
  }
}

// Of a fixture: what runs in seconds for all of them, and everything.
const full = process.env.TEST_FULL === '1';
const most = full ? Number.POSITIVE_INFINITY : 250;
const seed = Number(process.env.TEST_SEED ?? 20_260_729);
// A fixture is read in some milliseconds; the machine may have others to serve.
const maxMs = 5_000;

interface Fixture {
  name: string;
  text: string;
}

const all: Fixture[] = readdirSync(fixtures, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(?:json|jsonl|sarif|xml)$/.test(name))
  .sort()
  .map((name) => ({ name, text: readFileSync(new URL(name, fixtures), 'utf8') }));

/** As evenly over the whole as the number allows, from another place by each seed. */
function* some<T>(items: Iterable<T>, count: number): Generator<T> {
  const step = Math.max(1, Math.ceil(count / most));
  let at = seed % step;
  for (const item of items) if (at++ % step === 0) yield item;
}

function count(items: Iterable<unknown>): number {
  let n = 0;
  for (const _ of items) n++;
  return n;
}

/** JSON, each line of JSON lines, and how the values come together again. */
function documentsOf({ text }: Fixture): unknown[] | null {
  try {
    return [JSON.parse(text)];
  } catch {
    const lines = text.split('\n').flatMap((line) => {
      try {
        return [JSON.parse(line) as unknown];
      } catch {
        return [];
      }
    });
    return lines.length > 0 ? lines : null;
  }
}

/** Cuts, repeats, numbers without end, letters that mean something: of any text, JSON or XML. */
function* spoiled(text: string): Generator<string> {
  const step = Math.max(1, Math.floor(text.length / (full ? 2_000 : 60)));
  for (let at = seed % step; at < text.length; at += step) {
    yield text.slice(0, at);
    yield text.slice(at);
    yield text.slice(0, at) + text.slice(at + 40);
    yield text.slice(0, at) + text.slice(at, at + 40).repeat(3) + text.slice(at + 40);
    for (const sign of [
      '"',
      '{',
      ']',
      '<',
      '>',
      '&x;',
      '\u0000',
      '\n',
      ',',
      '1e999',
      '\\ud800',
      '<![CDATA[',
    ]) {
      yield text.slice(0, at) + sign + text.slice(at + 1);
    }
  }
  const digits = '9'.repeat(1_000);
  for (const number of [digits, `-${digits}`, '1e999', '-0.0', '1'.padEnd(400, '0')]) {
    yield text.replace(/\b[0-9]+\b/g, number);
  }
  yield text.replaceAll(/"[A-Za-z]+":/g, '"__proto__":');
  yield text.replaceAll(/<([A-Za-z]+)>/g, '<$1 __proto__="x" constructor="y">');
}

/** Read or refused, in time, and what was read can be given to the import. */
function readsOrRefuses(content: string, name: string): Report | ReportError {
  const started = performance.now();
  const report = attempt(content);
  if (!(report instanceof ReportError)) {
    assert.doesNotThrow(() => prepareReport(report, key), `${name}: ${content.slice(0, 300)}`);
  }
  const ms = performance.now() - started;
  assert.ok(ms < maxMs, `${name}: ${ms} ms`);
  return report;
}

const key = Buffer.alloc(32, 1);

test('any field of any kind, in every format: every row is a finding, unreadable, or skipped with a word', () => {
  assert.ok(all.length > 40 && new Set(all.map(({ name }) => name.split('/')[0])).size >= 18);
  for (const fixture of all) {
    const documents = documentsOf(fixture);
    if (documents === null) continue;
    for (const variant of some(replaced(documents), count(replaced(documents)))) {
      const written = (variant as unknown[]).map((document) => JSON.stringify(document)).join('\n');
      const report = readsOrRefuses(written, fixture.name);
      if (report instanceof ReportError || !/^(?:sarif|trivy)\//.test(fixture.name)) continue;
      const rows = report.runs.reduce((sum, run) => sum + run.findings.length, 0) + report.unreadable.length;
      assert.ok(rows <= report.read, fixture.name);
      assert.ok(rows === report.read || report.warnings.length > 0, fixture.name);
    }
  }
  assert.equal(({} as { level?: string }).level, undefined);
});

test('nothing that goes to the database holds NUL or half a letter', () => {
  let read = 0;
  for (const { name, text } of all) {
    const report = attempt(text.replaceAll(/": ?"/g, '": "\\u0000\\ud800'));
    if (report instanceof ReportError) continue;
    const { runs, ...rest } = prepareReport(report, key);
    const texts = runs.flatMap(({ findings, ...run }) => [
      JSON.stringify(run),
      ...findings.chunks.map((chunk) => Buffer.from(chunk).toString()),
    ]);
    assert.ok(!/\\u0000|\\ud800/.test(JSON.stringify(rest) + texts.join('')), name);
    read++;
  }
  assert.ok(read > 20, `${read} were read`);
});

test('a report of any format, cut, doubled, with letters and numbers exchanged, is read or refused', () => {
  for (const { name, text } of all) for (const content of spoiled(text)) readsOrRefuses(content, name);
});

test('names such as __proto__ and constructor are names like any other', () => {
  const report = attempt(
    `{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"constructor","rules":[{"id":"__proto__"}]}},
      "originalUriBaseIds":{"__proto__":{"uri":"file:///x/"}},
      "results":[{"ruleId":"__proto__","message":{"id":"constructor"},"__proto__":{"level":"error"},
        "locations":[{"physicalLocation":{"artifactLocation":{"uri":"a","uriBaseId":"__proto__"}}}]},
        {"ruleId":"toString","message":{"text":"m"},"fingerprints":{"__proto__":{"x":1}}}]}]}`,
  );
  assert.ok(!(report instanceof ReportError));
  assert.deepEqual(
    report.runs[0]?.findings.map(({ rule, severity, path }) => [rule, severity, path]),
    [
      ['__proto__', 'medium', 'a'],
      ['toString', 'medium', null],
    ],
  );
  assert.equal(Object.hasOwn(Object.prototype, 'level'), false);
});

test('a text of a megabyte is cut, and the report says so', () => {
  const report = read({
    version: '2.1.0',
    runs: [{ results: [{ ruleId: 'R'.repeat(2000), message: { text: `${'word '.repeat(300_000)}` } }] }],
    $schema: 'sarif',
  });
  const [finding] = report.runs[0]?.findings ?? [];
  assert.ok((finding?.description?.length ?? 0) <= 1_048_576);
  assert.ok((finding?.title.length ?? 0) <= 500);
  assert.equal(finding?.rule.length, 500);
  assert.equal(report.warnings.length, 2);
});

test('control characters and halves of characters do not get in', () => {
  const report = read({
    SchemaVersion: 2,
    ArtifactName: 'a\u0000b',
    Results: [
      {
        Target: 'x\u0000y',
        Vulnerabilities: [
          { VulnerabilityID: 'CVE-1\u0007', PkgName: 'p\ud800', Title: 't\u001b[0m', Description: 'd\r\ne' },
        ],
      },
    ],
  });
  assert.ok(!/\\u0000|\\u0007|\\u001b|\\ud800|\\r/.test(JSON.stringify(report)));
  assert.equal(report.runs[0]?.findings[0]?.description, 'd\ne');
});

test('a short report does not grow into a long one, and circles end', () => {
  const report = read({
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: { name: 'T', rules: [{ id: 'R', messageStrings: { m: { text: '{0}'.repeat(100_000) } } }] },
        },
        originalUriBaseIds: { A: { uri: 'a/', uriBaseId: 'B' }, B: { uri: 'b/', uriBaseId: 'A' } },
        results: [
          {
            ruleId: 'R',
            message: { id: 'm', arguments: ['x'.repeat(100_000)] },
            locations: [{ physicalLocation: { artifactLocation: { uri: 'f', uriBaseId: 'A' } } }],
          },
        ],
      },
    ],
  });
  assert.ok((report.runs[0]?.findings[0]?.description?.length ?? 0) <= 1_048_576);
});

test('time grows with the size of the report', () => {
  const slashes = '/'.repeat(400_000);
  const log = (name: string): unknown => ({
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name, rules: [{ id: 'a' }] } },
        automationDetails: { id: slashes },
        results: [
          `a${slashes}`,
          ' '.repeat(400_000),
          '('.repeat(400_000),
          `Package: ${':'.repeat(400_000)}`,
          '['.repeat(400_000),
        ].map((text) => ({
          ruleId: text,
          message: { text },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: `https://h/${text}` },
                region: { snippet: { text } },
              },
            },
          ],
        })),
      },
    ],
  });
  for (const name of ['T', 'Grype', 'gitleaks', `${'-'.repeat(400_000)}x`]) {
    const started = performance.now();
    read(log(name));
    assert.ok(
      performance.now() - started < 3000,
      `${name.slice(0, 10)} takes ${performance.now() - started} ms`,
    );
  }
});
