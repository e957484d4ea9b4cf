/**
 * Tests of the export: every vulnerability once, changes since a cursor, three forms, and clients that are slow or hang
 * up.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { seedWorkspace } from '../../../benchmarks/seed-sql.ts';
import { mergeVulnerabilities } from '../../src/actions/merge/merge.ts';
import { importTx } from '../../src/db/database.ts';
import { formatId, newId, parseId, type VulnerabilityId } from '../../src/domain/ids.ts';
import { parseReport } from '../../src/parsers/parse-report.ts';
import type { ExportItem } from '../../src/reports/export/item.ts';
import { ndjson } from '../../src/reports/export/ndjson.ts';
import { sarifExport } from '../../src/reports/export/sarif.ts';
import { readItemsWithoutReferences, startWalk, walkItems } from '../../src/reports/export/walk.ts';
import { clientOf, type Json, type Page, send, succeeded, walk } from '../support/client.ts';
import { fieldOf, fieldsOf } from '../support/fields.ts';
import { onlyInCi } from '../support/form.ts';
import { importAll } from '../support/import.ts';
import { trivy } from '../support/reports.ts';
import { createTestServer } from '../support/server.ts';
import { codeReport, secretReport, trivyReport } from '../support/tool-reports.ts';
import { until } from '../support/until.ts';
import { createTestKey, createTestWorkspace, reportInput } from '../support/workspace.ts';

const path = '/export/v1/acme/vulnerabilities';
const nasty = [
  '=HYPERLINK("http://evil.example","click")',
  '+1, "quoted"; \'single\'',
  '-2+3 <script>alert(1)</script>',
  '@SUM(A1) \\ back\\slash 💥',
  'plain, with a comma',
  '[a link](https://evil.example) {0}',
];

const server = await createTestServer();
const { tenant, people } = await createTestWorkspace(server, 'acme');
const client = clientOf(server.app, people.member.key);
const other = await createTestWorkspace(server, 'other');

const packages = nasty.map((title, i) => ({
  id: `CVE-2030-${1000 + i}`,
  package: `lib${i}`,
  severity: 'HIGH' as const,
  title,
}));
const code = [
  { rule: 'sqli', title: '=cmd|calc', path: 'src/a b/ünï#1.ts', code: 'query(a)', line: 3 },
  { rule: 'sqli', title: '=cmd|calc', path: 'src/b.ts', code: 'query(b)', line: 9 },
];
const secrets = [
  { rule: 'aws-key', title: 'AWS key', path: 'kön fig#1/%41.yml', secret: 'AKIAQYLPMN5HFIQR7BBB' },
];

before(async () => {
  await importAll(server, 'acme', [
    reportInput(trivyReport({ packages })),
    reportInput(trivyReport({ packages: packages.slice(0, 2) }), { ref: 'dev' }),
    reportInput(codeReport(code)),
    reportInput(secretReport(secrets)),
  ]);
});

interface Export {
  items: ExportItem[];
  merged: { id: string; merged_into: string }[];
  cursor: string;
}

async function read(since?: string, key = people.member.key): Promise<Export> {
  const query = since === undefined ? '' : `?since=${since}`;
  const answer = await send(server.app, { path: path + query, authorization: `Bearer ${key}` });
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.headers['content-type'], 'application/x-ndjson; charset=utf-8');
  return split(answer.text);
}

function split(text: string): Export {
  assert.ok(text.endsWith('\n'));
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Json);
  const last = lines.pop() ?? {};
  assert.deepEqual(Object.keys(last), ['cursor']);
  const merged = lines.filter((line) => 'merged_into' in line);
  return {
    items: lines.filter((line) => !('merged_into' in line)) as unknown as ExportItem[],
    merged: merged as unknown as Export['merged'],
    cursor: String(last.cursor),
  };
}

/** Moves all times back, so that later changes have distinct times. */
async function letTimePass(): Promise<void> {
  await server.owner.query(`update vulnerability set updated_at = updated_at - interval '1 minute'`);
  await server.owner.query(`update vulnerability_redirect set created_at = created_at - interval '1 minute'`);
}

const idsOf = (items: { id: string }[]): string[] => items.map((item) => item.id).sort();

describe('NDJSON', () => {
  test('has every vulnerability once, with the fields of the detail', async () => {
    const { items, merged } = await read();
    const listed = await walk<{ id: string }>(client, '/api/v1/acme/vulnerabilities');
    assert.equal(listed.length, 9);
    assert.deepEqual(idsOf(items), idsOf(listed));
    assert.deepEqual(merged, []);
    assert.deepEqual(
      nasty.filter((title) => !items.some((item) => item.title === title)),
      [],
    );
    for (const { references, tools, reach: _, ...item } of items) {
      const { body } = await client.get(`/api/v1/acme/vulnerabilities/${item.id}`);
      for (const [name, value] of Object.entries(item)) assert.deepEqual(value, body[name], name);
      const statuses = (body.references as Json[]).map(({ ref, status }) => [ref, status]);
      assert.deepEqual(fieldsOf(references, 'ref', 'status'), statuses);
      assert.deepEqual(fieldOf(tools, 'tool'), [
        ...new Set((body.reporters as { tool: string }[]).map(({ tool }) => tool)),
      ]);
    }
    const shared = items.find((item) => item.title === nasty[0]);
    assert.deepEqual(
      shared?.references.map(({ ref, status }) => `${ref} ${status}`),
      ['main open', 'dev open'],
    );
    assert.deepEqual(shared?.tools, [{ tool: 'trivy', live: true }]);
  });

  test('since a cursor it returns what changed: a location, a reference, a tool or a decision', async () => {
    await letTimePass();
    const { items, cursor } = await read();
    assert.deepEqual((await read(cursor)).items, [], 'nothing');
    const of = (title: string) => items.find((item) => item.title === title) as ExportItem;

    const first = of(nasty[4] ?? '');
    await client.patch(`/api/v1/acme/vulnerabilities/${first.id}/assignment`, { assignee: 'me' });
    const assigned = await read(cursor);
    assert.deepEqual(idsOf(assigned.items), [first.id]);
    assert.equal(assigned.items[0]?.assignee?.email, 'member@acme.example');

    await letTimePass();
    const moved = [{ ...code[0], line: 40 }, code[1]] as typeof code;
    await importAll(server, 'acme', [reportInput(codeReport(moved))]);
    const line = await read(cursor);
    assert.deepEqual(
      line.items.map((item) => [item.location.path, item.location.line]),
      [['src/a b/ünï#1.ts', 40]],
    );

    await letTimePass();
    await importAll(server, 'acme', [
      reportInput(trivyReport({ packages: packages.slice(0, 3) }), { ref: 'dev' }),
    ]);
    const seen = await read(cursor);
    assert.deepEqual(idsOf(seen.items), [of(nasty[2] ?? '').id]);
    assert.deepEqual(
      seen.items[0]?.references.map(({ ref }) => ref),
      ['main', 'dev'],
    );

    await letTimePass();
    const grype = codeReport([]);
    await importAll(server, 'acme', [reportInput(grype, { ref: 'dev' }), reportInput(codeReport(moved))]);
    assert.deepEqual((await read(cursor)).items, [], 'the same again');
  });

  test('lists the ids that were merged since, and no others', async () => {
    await letTimePass();
    const { items, cursor } = await read();
    const [into, from] = items
      .filter((item) => item.rule === 'sqli')
      .map((item) => parseId('vulnerability', item.id) ?? '')
      .sort();
    assert.ok(into && from);
    await importTx(server.db, tenant.id, async (tx) => {
      await mergeVulnerabilities(tx, {
        merges: [{ from, into }],
        cause: { scanId: null, actorId: null, at: new Date('2020-01-01') },
        reason: 'The same.',
      });
    });
    const since = await read(cursor);
    const [gone, stays] = [formatId('vulnerability', from), formatId('vulnerability', into)];
    assert.deepEqual(since.merged, [{ id: gone, merged_into: stays }]);
    assert.deepEqual(idsOf(since.items), [stays]);
    const all = await read();
    assert.deepEqual([all.merged, idsOf(all.items).includes(gone)], [[], false]);
    await letTimePass();
    assert.deepEqual(await read(since.cursor).then(({ merged, items: none }) => [merged, none]), [[], []]);
  });

  test('misses no row of a transaction that commits late', async () => {
    await letTimePass();
    const { items } = await read();
    const [late = '', early = ''] = idsOf(items);
    let cursor = '';
    const touch = `update vulnerability set updated_at = date_trunc('milliseconds', now()) where tenant_id = $1 and id = $2`;
    await importTx(server.db, tenant.id, async (tx) => {
      await tx.query(touch, [tenant.id, parseId('vulnerability', late)]);
      await importTx(server.db, tenant.id, (inner) =>
        inner.query(touch, [tenant.id, parseId('vulnerability', early)]),
      );
      // The pause is longer than the lag, so that only the running transaction can hold the cursor back.
      await sleep(5_500);
      cursor = (await read()).cursor;
    });
    assert.deepEqual(idsOf((await read(cursor)).items), [late, early].sort());
  });
});

describe('filters and orders of a list', () => {
  const listed = async (query: string, format = 'ndjson') => {
    const answer = await send(server.app, {
      path: `${path}?${query}&format=${format}`,
      authorization: `Bearer ${people.member.key}`,
    });
    assert.equal(answer.status, 200, answer.text);
    return answer.text;
  };

  test('each filter and order exports exactly the rows of the list, in each form', async () => {
    for (const query of [
      'sort=oldest',
      'sort=newest&ref=dev',
      'severity=high&type=dependency',
      'assignee=me&sort=severity',
      'rule=sqli',
      'q=quoted',
      'repo=acme/shop&state=fixed&scope=all',
      'ref=nowhere',
    ]) {
      const rowsOfList = await walk<{ id: string }>(
        client,
        '/api/v1/acme/vulnerabilities',
        Object.fromEntries(new URLSearchParams(query)),
      );
      const expected = rowsOfList.map(({ id }) => id);
      const lines = (await listed(query))
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Json);
      assert.deepEqual(lines.pop(), { complete: true, count: expected.length }, query);
      assert.deepEqual(fieldOf(lines, 'id'), expected, query);
      const [, ...rows] = parseCsv(await listed(query, 'csv'));
      assert.deepEqual(
        rows.map(([id]) => id),
        expected,
        query,
      );
      const { runs } = JSON.parse(await listed(query, 'sarif')) as {
        runs: { results: { partialFingerprints: Record<string, string> }[] }[];
      };
      const results = runs.flatMap((run) => run.results);
      assert.deepEqual(
        results.map((result) => result.partialFingerprints['merlonVulnerability/v1']).sort(),
        expected.toSorted(),
        query,
      );
    }
  });

  test('a row has the fields that it has without filters', async () => {
    const { items } = await read();
    const lines = (await listed('ref=dev')).trimEnd().split('\n').slice(0, -1);
    assert.ok(lines.length > 0);
    for (const line of lines) {
      const item = JSON.parse(line) as ExportItem;
      assert.deepEqual(
        item,
        items.find(({ id }) => id === item.id),
      );
    }
  });

  test('a filter that the list refuses is refused before anything is sent, and so is one beside a cursor', async () => {
    const { cursor } = await read();
    const refusals: [string, number, string?][] = [
      [`since=${cursor}&state=open`, 422, 'since'],
      [`since=${cursor}&sort=newest`, 422, 'since'],
      ['q=ab', 422, 'q'],
      ['introduced_since=never', 422, 'introduced_since'],
      ['repo=acme/nothing', 404],
      ['per_page=5', 422, 'per_page'],
    ];
    for (const [query, status, field] of refusals) {
      const answer = await client.get(`${path}?${query}`);
      assert.equal(answer.status, status, query);
      if (field) assert.deepEqual(Object.keys(answer.body.errors as Json), [field]);
    }
    const { key } = await createTestKey(server, {
      userId: people.viewer.user.id,
      role: 'viewer',
      scopes: ['vulnerabilities:read'],
    });
    const denied = await clientOf(server.app, key).get(`${path}?application=any`);
    assert.equal(denied.status, 403);
  });
});

describe('other forms', () => {
  test('CSV has a header, a row for each vulnerability, and no formula', async () => {
    const answer = await send(server.app, {
      path: `${path}?format=csv`,
      authorization: `Bearer ${people.member.key}`,
    });
    assert.match(answer.headers['content-type'] ?? '', /^text\/csv/);
    assert.match(answer.headers['content-disposition'] ?? '', /filename="vulnerabilities-acme\.csv"/);
    const [header = [], ...rows] = parseCsv(answer.text);
    assert.ok(rows.every((row) => row.length === header.length));
    const { items } = await read();
    assert.deepEqual(rows.map(([id]) => id).sort(), idsOf(items));
    for (const cell of rows.flat()) assert.doesNotMatch(cell, /^[=+\-@\t\r\n]/);
    const titles = rows.map((row) => row[header.indexOf('title')]);
    for (const title of nasty)
      assert.ok(titles.includes(/^[=+\-@]/.test(title) ? `'${title}` : title), title);
  });

  test('NDJSON and CSV say on which kinds of references a vulnerability is', async () => {
    const { people } = await createTestWorkspace(server, 'reached');
    const found = (...names: string[]) =>
      trivyReport({ packages: packages.filter(({ package: name }) => names.includes(name)) });
    await importAll(server, 'reached', [
      reportInput(found('lib0', 'lib2')),
      reportInput(found('lib1', 'lib2'), { ref: 'dev' }),
      reportInput(found('lib0')),
    ]);
    const expected = { lib0: 'tracked', lib1: 'branches', lib2: 'elsewhere' };
    const reached = async (format: string) => {
      const path = `/export/v1/reached/vulnerabilities?format=${format}`;
      return (await send(server.app, { path, authorization: `Bearer ${people.member.key}` })).text;
    };
    const byName = (rows: [string, string][]) =>
      Object.fromEntries(rows.map(([purl, reach]) => [purl.split('/').at(-1), reach]));
    const items = split(await reached('ndjson')).items.map((item): [string, string] => [
      item.package ?? '',
      item.reach,
    ]);
    assert.deepEqual(byName(items), expected);
    const [header = [], ...rows] = parseCsv(await reached('csv'));
    const cells = rows.map((row): [string, string] => [
      row[header.indexOf('package')] ?? '',
      row[header.indexOf('reach')] ?? '',
    ]);
    assert.deepEqual(byName(cells), expected);
  });

  test('NDJSON and CSV say that a reference is inactive', async () => {
    const { people } = await createTestWorkspace(server, 'quiet');
    const admin = clientOf(server.app, people.admin.key);
    const report = trivyReport({ packages: packages.slice(0, 1) });
    await importAll(server, 'quiet', [reportInput(report), reportInput(report, { ref: 'dev' })]);
    const { body } = await admin.get<Page<{ id: string; ref: string }>>(
      '/api/v1/quiet/references?repo=acme/shop',
    );
    const dev = body.items.find(({ ref }) => ref === 'dev');
    succeeded(await admin.patch(`/manage/v1/quiet/references/${dev?.id}`, { deleted: true }));
    const exported = async (format: string) => {
      const path = `/export/v1/quiet/vulnerabilities?format=${format}`;
      return (await send(server.app, { path, authorization: `Bearer ${people.admin.key}` })).text;
    };
    const [item] = split(await exported('ndjson')).items;
    assert.deepEqual(fieldsOf(item?.references ?? [], 'ref', 'status', 'active'), [
      ['main', 'open', true],
      ['dev', 'open', false],
    ]);
    const [header = [], row = []] = parseCsv(await exported('csv'));
    assert.equal(row[header.indexOf('references')], 'main open; dev open (inactive)');
  });

  test('SARIF has a run for each tool, and Merlon reads it back', async () => {
    const { items } = await read();
    const [open] = items.filter((item) => item.title === nasty[1]);
    const decision = { action: 'ignore', reason: 'no', vulnerabilities: [{ id: open?.id }] };
    await client.post('/manage/v1/acme/vulnerabilities/decisions', decision);
    await importAll(server, 'acme', [reportInput(trivyReport({ packages: packages.slice(1) }))]);
    const answer = await send(server.app, {
      path: `${path}?format=sarif`,
      authorization: `Bearer ${people.member.key}`,
    });
    assert.match(answer.headers['content-type'] ?? '', /^application\/sarif\+json/);
    const report = parseReport(Buffer.from(answer.text));
    assert.deepEqual([report.format, report.unreadable, report.read], ['sarif', [], items.length]);
    const findings = report.runs.flatMap((run) => run.findings);
    assert.deepEqual(report.runs.map((run) => run.tool).sort(), ['gitleaks', 'semgrep', 'trivy']);
    // A vulnerability that is fixed on main still exists on dev. Its status in the result is that on main.
    const { runs } = JSON.parse(answer.text) as {
      runs: { tool: { driver: { rules: { id: string }[] } }; results: Json[] }[];
    };
    const fixed = runs.flatMap((run) => run.results).filter((result) => result.baselineState === 'absent');
    assert.equal(findings.length, items.length - fixed.length);
    assert.deepEqual(
      fixed.map((result) => (result.message as Json).text),
      [nasty[0]],
    );
    const suppressed = findings.filter((finding) => finding.suppression !== null);
    assert.deepEqual(
      suppressed.map((finding) => [finding.title, finding.suppression?.reason]),
      [[nasty[1], 'ignored: wont_fix']],
    );
    const secret = findings.find((finding) => finding.type === 'secret');
    assert.deepEqual([secret?.path, secret?.severity], ['kön fig#1/%41.yml', 'high']);
    const texts = runs.flatMap((run) => run.results.map((result) => (result.message as Json).text));
    assert.ok(texts.some((text) => String(text).startsWith('[a link]')));
    for (const text of texts) assert.doesNotMatch(String(text), /\]\(|\{\d+\}/, 'no link and no placeholder');
    for (const run of runs) {
      const rules = run.tool.driver.rules.map((rule) => rule.id);
      assert.deepEqual(new Set(rules), new Set(run.results.map((result) => String(result.ruleId))));
    }
  });

  interface SarifResult {
    level: string;
    properties: Json;
    locations: { physicalLocation: { artifactLocation: { uri: string } } }[];
  }
  async function onlyResult(slug: string, key: string): Promise<SarifResult> {
    const path = `/export/v1/${slug}/vulnerabilities?format=sarif`;
    const { text } = await send(server.app, { path, authorization: `Bearer ${key}` });
    const { runs } = JSON.parse(text) as { runs: { results: SarifResult[] }[] };
    return runs[0]?.results[0] ?? assert.fail(text);
  }

  test('in SARIF a severity that is unknown is a note, because only a result of another kind has no level', async () => {
    const { people } = await createTestWorkspace(server, 'levels');
    const unrated = trivy([{ id: 'CVE-2030-1', name: 'lib', version: '1.0.0', severity: 'UNKNOWN' }]);
    await importAll(server, 'levels', [reportInput(unrated)]);
    const { level, properties } = await onlyResult('levels', people.member.key);
    assert.deepEqual([level, properties.severity], ['note', 'unknown']);
  });

  test('in SARIF a path that begins with two slashes names no host', async () => {
    const { people } = await createTestWorkspace(server, 'hosts');
    await importAll(server, 'hosts', [
      reportInput(trivy([{ id: 'CVE-2030-1', name: 'lib', version: '1.0.0' }])),
    ]);
    for (const [path, uri] of [
      ['//evil.example/a b.ts', 'evil.example/a%20b.ts'],
      ['src//a.ts', 'src/a.ts'],
      ['src/', 'src/'],
      ['/', '.'],
    ]) {
      await server.owner.query(
        `update vulnerability_location set path = $1
          where tenant_id = (select id from tenant where slug = 'hosts')`,
        [path],
      );
      const [location] = (await onlyResult('hosts', people.member.key)).locations;
      assert.equal(location?.physicalLocation.artifactLocation.uri, uri);
    }
  });

  test('an empty workspace is an empty export', async () => {
    const key = `Bearer ${other.people.viewer.key}`;
    const at = (format: string) => ({
      path: `/export/v1/other/vulnerabilities?format=${format}`,
      authorization: key,
    });
    assert.equal(split((await send(server.app, at('ndjson'))).text).items.length, 0);
    assert.equal(parseCsv((await send(server.app, at('csv'))).text).length, 1);
    assert.deepEqual(JSON.parse((await send(server.app, at('sarif'))).text).runs, []);
  });
});

describe('many references', () => {
  const count = 25;
  let tenantId = '' as unknown as typeof tenant.id;
  before(async () => {
    ({
      tenant: { id: tenantId },
    } = await createTestWorkspace(server, 'branches'));
    const many = Array.from({ length: count }, (_, i) => ({
      id: `CVE-2031-${1000 + i}`,
      package: `lib${i}`,
      severity: 'HIGH' as const,
    }));
    await importAll(server, 'branches', [
      reportInput(trivyReport({ packages: many })),
      reportInput(trivyReport({ packages: many }), { ref: 'zzz' }),
    ]);
    // The oldest of 1,200 pull requests is still active, and so is the branch zzz.
    await server.owner.query(
      `insert into reference (tenant_id, id, repository_id, full_ref, type, active)
       select $1, gen_random_uuid(), f.repository_id, 'refs/pull/' || n || '/head', 'pull_request', n = 1
         from reference f cross join generate_series(1, 1200) n where f.tenant_id = $1 and f.is_default`,
      [tenantId],
    );
    await server.owner.query(
      `insert into vulnerability_reference
       select $1, r.vulnerability_id, f.id, r.location_id, r.introduced_at,
              r.first_seen_at - interval '1 day' + split_part(f.full_ref, '/', 3)::int * interval '1 second',
              null, r.packed_state, false, f.full_ref
         from vulnerability_reference r
         join reference d on d.tenant_id = $1 and d.id = r.reference_id and d.is_default
         join reference f on f.tenant_id = $1 and f.full_ref like 'refs/pull/%'
        where r.tenant_id = $1`,
      [tenantId],
    );
  });

  test('an export has the first thousand of them, and never holds more than ten thousand', async () => {
    const started = await startWalk(server.db, tenantId, null);
    const items: ExportItem[] = [];
    for await (const batch of walkItems(started)) {
      const held = batch.reduce((sum, item) => sum + item.references.length, 0);
      assert.ok(held <= 10_000, `${held} references`);
      items.push(...batch);
    }
    assert.deepEqual([items.length, new Set(idsOf(items)).size], [count, count]);
    for (const { references } of items) {
      const refs = fieldOf(references, 'ref');
      assert.deepEqual([refs.length, refs[0], refs[1]], [1_000, 'main', 'zzz']);
      const pulls = references
        .filter(({ type }) => type === 'pull_request')
        .map(({ ref }) => Number(/\d+/.exec(ref)));
      const newest = Array.from({ length: 997 }, (_, i) => 204 + i);
      assert.deepEqual(
        pulls.sort((a, b) => a - b),
        [1, ...newest],
      );
    }
  });

  test('vulnerabilities with a thousand ids are read in turns, also by SARIF', async () => {
    const set = (ids: string[] | null) =>
      server.owner.query('update vulnerability set identifiers = $2 where tenant_id = $1', [tenantId, ids]);
    await set(Array.from({ length: 1_100 }, (_, index) => `GHSA-${1_000 + index}`));
    const started = await startWalk(server.db, tenantId, null);
    const batches: Pick<ExportItem, 'identifiers'>[][] = [];
    for await (const batch of walkItems(started)) batches.push(batch);
    const all = batches.flat() as ExportItem[];
    const withoutReferences = idsOf(all).map((id) => parseId('vulnerability', id) as VulnerabilityId);
    for await (const batch of readItemsWithoutReferences(started, withoutReferences)) batches.push(batch);
    for (const batch of batches) {
      const { references = [] } = (batch[0] ?? {}) as Partial<ExportItem>;
      const held = batch.reduce((sum, item) => sum + item.identifiers.length + references.length, 0);
      assert.ok(held <= 10_000, `${held} ids and references`);
    }
    assert.deepEqual([all.length, batches.flat().length], [count, 2 * count]);
    await set(null);
  });

  test('SARIF reads none of them', async () => {
    const owner = await server.owner.connect();
    try {
      await owner.query('begin');
      await owner.query('lock table vulnerability_reference in access exclusive mode');
      let text = '';
      for await (const part of sarifExport(await startWalk(server.db, tenantId, null))) text += part;
      assert.equal(JSON.parse(text).runs[0].results.length, count);
    } finally {
      await owner.query('rollback');
      owner.release();
    }
  });
});

describe('refusals', () => {
  test('a cursor of another workspace or list, or a made-up one, is refused', async () => {
    const { items, cursor } = await read();
    const foreign = await send(server.app, {
      path: '/export/v1/other/vulnerabilities',
      authorization: `Bearer ${other.people.viewer.key}`,
    });
    const { body } = await client.get<{ next_cursor: string }>('/api/v1/acme/vulnerabilities?per_page=1');
    const wrong = [split(foreign.text).cursor, body.next_cursor, 'nonsense', `${cursor.slice(0, -1)}_`];
    for (const since of [...wrong, String(items[0]?.id)]) {
      const answer = await client.get(`${path}?since=${since}`);
      assert.deepEqual(
        [answer.status, answer.body.code, Object.keys(answer.body.errors as Json)],
        [422, 'VALIDATION_FAILED', ['since']],
        since,
      );
    }
    const format = await client.get(`${path}?format=xlsx`);
    assert.deepEqual([format.status, Object.keys(format.body.errors as Json)], [422, ['format']]);
  });
});

describe('many rows', { skip: onlyInCi }, async () => {
  const rows = 12_000;
  const big = await createTestWorkspace(server, 'big');
  const ids = new Set<string>();
  before(async () => {
    const owner = await server.owner.connect();
    try {
      const userIds = [big.people.admin.user.id];
      await seedWorkspace(owner, {
        tenantId: big.tenant.id,
        userIds,
        vulnerabilities: rows,
        rebuildIndexes: false,
      });
      const { rows: all } = await owner.query('select id from vulnerability where tenant_id = $1', [
        big.tenant.id,
      ]);
      for (const { id } of all) ids.add(formatId('vulnerability', id));
    } finally {
      owner.release();
    }
  });

  test('each row comes once, whatever is written meanwhile, and changed rows come with the next cursor', async () => {
    const started = await startWalk(server.db, big.tenant.id, null);
    const seen: string[] = [];
    const written = new Set<string>();
    for await (const part of ndjson(started, 'x')) {
      const items = part
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as ExportItem)
        .filter((item) => item.id !== undefined);
      seen.push(...items.map((item) => item.id));
      // Some vulnerabilities have been exported already, others have not.
      const { rows: changed } = await server.owner.query<{ id: VulnerabilityId }>(
        `update vulnerability set updated_at = date_trunc('milliseconds', now())
          where tenant_id = $1 and id in (select id from vulnerability where tenant_id = $1 order by md5(id::text || $2) limit 5)
         returning id`,
        [big.tenant.id, newId()],
      );
      for (const { id } of changed) written.add(formatId('vulnerability', id));
    }
    assert.equal(seen.length, rows);
    assert.deepEqual(new Set(seen), ids);
    const since: string[] = [];
    const next = await startWalk(server.db, big.tenant.id, started.next);
    for await (const part of ndjson(next, 'x')) {
      since.push(...[...part.matchAll(/^\{"id":"([^"]+)"/gm)].map((match) => match[1] ?? ''));
    }
    assert.ok([...written].every((id) => since.includes(id)));
    assert.equal(new Set(since).size, since.length);
  });

  test('a list of several pages of keys comes whole and in order, by ranges and by candidates', async () => {
    const key = big.people.viewer.key;
    const bigClient = clientOf(server.app, key);
    for (const query of ['sort=oldest', 'sort=severity', 'state=open&sort=newest', 'exploitable=yes']) {
      const rows = await walk<{ id: string }>(bigClient, '/api/v1/big/vulnerabilities', {
        ...Object.fromEntries(new URLSearchParams(query)),
        per_page: 200,
      });
      const { text } = await send(server.app, {
        path: `/export/v1/big/vulnerabilities?${query}`,
        authorization: `Bearer ${key}`,
      });
      const shown = [...text.matchAll(/^\{"id":"([^"]+)"/gm)].map((match) => match[1]);
      assert.deepEqual(shown, fieldOf(rows, 'id'), query);
    }
  });

  test('SARIF has each result once in one walk, however many tools there are and whatever changes meanwhile', async () => {
    // The report chooses the tools: each of 300 tools is the first tool of some vulnerabilities.
    await server.owner.query(
      `update vulnerability_reporter r set tool = 'made-' || t.n
         from (select vulnerability_id, row_number() over (order by vulnerability_id) as n
                 from vulnerability_reporter where tenant_id = $1 group by vulnerability_id) t
        where r.tenant_id = $1 and r.vulnerability_id = t.vulnerability_id and t.n <= 300`,
      [big.tenant.id],
    );
    const chosen = await server.owner.query<{ tool: string }>(
      'select distinct tool from vulnerability_reporter where tenant_id = $1',
      [big.tenant.id],
    );
    await server.owner.query('delete from vulnerability_reporter where tenant_id = $1 and tool = $2', [
      big.tenant.id,
      'made-7',
    ]);
    let transactions = 0;
    const count = (): void => {
      transactions++;
    };
    const started = await startWalk(server.db, big.tenant.id, null);
    server.db.pool.on('acquire', count);
    let text = '';
    let turned = false;
    for await (const part of sarifExport(started)) {
      text += part;
      if (turned || !part.includes('"results"')) continue;
      turned = true;
      // The tools are renamed in reverse order, so that the last one is now the first.
      await server.owner.query(
        `update vulnerability_reporter set tool = case when tool < 'n' then 'zzz' else 'aaa' end where tenant_id = $1`,
        [big.tenant.id],
      );
    }
    server.db.pool.off('acquire', count);
    const { runs } = JSON.parse(text) as {
      runs: {
        tool: { driver: { name: string } };
        results: { partialFingerprints: Record<string, string> }[];
      }[];
    };
    const shown = runs.flatMap(({ results }) =>
      results.map((result) => result.partialFingerprints['merlonVulnerability/v1'] ?? ''),
    );
    assert.equal(shown.length, rows);
    assert.deepEqual(new Set(shown), ids);
    const names = runs.map((run) => run.tool.driver.name);
    assert.deepEqual(new Set(names).size, names.length, 'a run a tool');
    assert.equal(names.length, chosen.rows.length - 1);
    // At most three pages of ids, and one batch or the rest of one for each tool. The number of pages must not grow
    // with the tools.
    const most = 3 + 1 + rows / 250 + names.length;
    assert.ok(transactions <= most, `${transactions} transactions, at most ${most}`);
  });

  test('rows are read only as fast as the client takes them, and no more after it disconnects', async () => {
    const { key } = await createTestKey(server, { userId: big.people.admin.user.id, role: 'admin' });
    await server.app.listen({ port: 0, host: '127.0.0.1' });
    const address = server.app.server.address() as { port: number };
    let transactions = 0;
    server.db.pool.on('acquire', () => {
      transactions++;
    });
    const socket = connect({ port: address.port, host: '127.0.0.1' });
    socket.on('error', () => {});
    socket.write(
      `GET /export/v1/big/vulnerabilities HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`,
    );
    await once(socket, 'readable');
    // The client stops reading, so the buffers fill and the walk waits.
    const standsStill = async (): Promise<void> => {
      for (let before = -1; before !== transactions; await sleep(500)) before = transactions;
    };
    await standsStill();
    assert.ok(transactions < rows / 250 - 5, `${transactions} transactions for a client that does not read`);
    // The server writes from time to time which keys were used. A transaction of the export would stay open.
    await until(
      async () => {
        const { rows: open } = await server.owner.query(
          `select pid from pg_stat_activity where datname = current_database() and xact_start is not null and usename <> current_user`,
        );
        return open.length === 0;
      },
      'no transaction is open meanwhile',
      5_000,
    );
    const before = transactions;
    socket.destroy();
    await standsStill();
    assert.ok(transactions <= before + 3, `${transactions - before} transactions for a client that is gone`);
  });
});

/** Parses CSV by RFC 4180. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const match of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    row.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}
