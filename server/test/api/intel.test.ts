/**
 * Tests of the feeds, from a file to the API: a file is imported completely or not at all, vulnerabilities are joined
 * at once, and changes of KEV are reconciled.
 */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { reEvaluateIntel } from '../../src/actions/intel/re-evaluate.ts';
import { type IntelImport, importIntel } from '../../src/actions/intel/service.ts';
import { importTx } from '../../src/db/database.ts';
import { clientOf, type Json, type Schemas, succeeded } from '../support/client.ts';
import { evaluateChanges } from '../support/epss.ts';
import { onlyInCi } from '../support/form.ts';
import { importAll } from '../support/import.ts';
import { assertInvariants } from '../support/invariants.ts';
import { createDirectory } from '../support/process.ts';
import { grype } from '../support/scanner-reports.ts';
import { createTestServer } from '../support/server.ts';
import { trivyReport } from '../support/tool-reports.ts';
import { createTestWorkspace, reportInput } from '../support/workspace.ts';

const directory = createDirectory();
const real = fileURLToPath(new URL('../../../../shared/intel/', import.meta.url));
const skip = existsSync(real) ? false : 'no ../shared/intel beside this checkout';

type Detail = Schemas['VulnerabilityDetail'];

let files = 0;

function dayIn(days: number): string {
  return new Date(Date.now() + days * 24 * 3600 * 1000).toISOString().slice(0, 10);
}

function write(name: string, content: string | Uint8Array): string {
  const path = join(directory, `${files++}-${name}`);
  writeFileSync(path, content);
  return path;
}

function kevFile(cves: string[], day: string): string {
  const vulnerabilities = cves.map((cveID) => ({
    cveID,
    vendorProject: 'Acme',
    product: 'Shop',
    vulnerabilityName: 'Injection',
    dateAdded: day,
    dueDate: day,
    knownRansomwareCampaignUse: 'Known',
  }));
  const content = {
    catalogVersion: day,
    dateReleased: `${day}T12:00:00Z`,
    count: cves.length,
    vulnerabilities,
  };
  return write(`kev-${day}.json`, JSON.stringify(content));
}

function epssFile(rows: string[], day: string): string {
  const text = `#model_version:v1,score_date:${day}T00:00:00+0000\ncve,epss,percentile\n${rows.join('\n')}\n`;
  return write(`epss-${day}.csv.gz`, gzipSync(text));
}

/** A workspace with one vulnerability for each CVE, in a database of its own. */
async function createIntelWorkspace(cves: string[]) {
  const server = await createTestServer();
  const { tenant, people } = await createTestWorkspace(server, 'acme');
  const client = clientOf(server.app, people.viewer.key);
  const packages = cves.map((id, i) => ({ id, package: `lib${i}`, severity: 'HIGH' as const, title: id }));
  const report = reportInput(trivyReport({ packages }));
  await importAll(server, 'acme', [report]);
  const { body } = await client.get<{ items: { id: string; title: string }[] }>(
    '/api/v1/acme/vulnerabilities',
  );
  const ids = new Map(body.items.map((item) => [item.title, item.id]));

  async function load(
    files: { kev?: string; epss?: string },
    force = false,
  ): Promise<IntelImport & { settled: number }> {
    const { kev = null, epss = null } = files;
    const imported = await importIntel(server.db, { kev, epss, force }, new Date());
    let settled = 0;
    for (let n = -1; n !== 0; ) {
      const done = await reEvaluateIntel(server.db, tenant.id, new Date());
      settled += done.vulnerabilities;
      n = done.changes;
    }
    return { ...imported, settled };
  }

  async function detail(cve: string): Promise<Detail> {
    return succeeded(await client.get<Detail>(`/api/v1/acme/vulnerabilities/${ids.get(cve)}`));
  }

  const feeds = async (): Promise<{ kev: Json | null; epss: Json | null }> =>
    (await client.get<{ kev: Json | null; epss: Json | null }>('/api/v1/acme/intel')).body;
  return { server, tenant, client, ids, load, detail, feeds };
}

describe('releases as they were published', { skip }, () => {
  test('a new catalogue adds and removes CVEs, and the same file again changes nothing', async () => {
    const [leaves, enters, other] = ['CVE-2025-4664', 'CVE-2007-0671', 'CVE-2030-1000'] as const;
    const workspace = await createIntelWorkspace([leaves, enters, other]);
    const { server, load, detail, feeds } = workspace;
    const of = (name: string) => join(real, name);
    assert.deepEqual(await feeds(), { kev: null, epss: null, osv: null, ssvc: null });
    const before = await load({ kev: of('known_exploited_vulnerabilities-2025-05-22.json') });
    assert.equal(before.kev?.added.length, 1352);
    assert.equal((await detail(leaves)).location.is_exploitable, true);
    const { exploitable_at, location, kev } = await detail(enters);
    assert.deepEqual([exploitable_at, location.is_exploitable, kev], [null, false, null]);

    const after = await load({ kev: of('known_exploited_vulnerabilities-2025-08-25.json') });
    assert.deepEqual(
      [after.kev?.added.length, after.kev?.removed, after.kev?.updated.length, after.settled],
      [53, [leaves], 9, 2],
    );
    const entered = await detail(enters);
    assert.notEqual(entered.exploitable_at, null);
    assert.equal(entered.location.is_exploitable, true);
    assert.deepEqual(entered.kev, { added_on: '2025-08-12', due_on: '2025-09-02', ransomware: false });
    const left = await detail(leaves);
    assert.deepEqual([left.exploitable_at, left.location.is_exploitable, left.kev], [null, false, null]);

    const again = await load({ kev: of('known_exploited_vulnerabilities-2025-08-25.json') });
    assert.deepEqual([again.kev, again.settled], [null, 0]);
    const forced = await load({ kev: of('known_exploited_vulnerabilities-2025-08-25.json') }, true);
    assert.deepEqual(forced.kev, { added: [], removed: [], updated: [] });
    await assert.rejects(load({ kev: of('known_exploited_vulnerabilities-2025-05-22.json') }), {
      name: 'DomainError',
      data: { isConflict: true },
      message: /is before that of the loaded one/,
    });
    await assert.rejects(
      load({ kev: of('known_exploited_vulnerabilities-2025-08-25.csv') }),
      /it is the CSV/,
    );
    await assert.rejects(load({ kev: of('epss_scores-2025-08-30.csv.gz') }), /not JSON/);
    const shown = (await feeds()).kev;
    assert.deepEqual(
      [shown?.version, shown?.published_at, shown?.entries],
      ['2025.08.25', '2025-08-25T17:04:19Z', 1404],
    );
    await assertInvariants(server.owner);
  });

  test('a day of scores replaces the day before, in seconds', { skip: onlyInCi }, async (t) => {
    const { server, load, detail, feeds } = await createIntelWorkspace(['CVE-1999-0001']);
    for (const [day, rows, score] of [
      ['2025-08-30', 291_657, { score: 0.0142, percentile: 0.79799 }],
      ['2026-08-15', 360_142, { score: 0.03351, percentile: 0.8765 }],
    ] as const) {
      const started = Date.now();
      const { epss } = await load({ epss: join(real, `epss_scores-${day}.csv.gz`) });
      t.diagnostic(`${rows} scores in ${Date.now() - started} ms`);
      assert.deepEqual(epss, { rows });
      assert.deepEqual((await detail('CVE-1999-0001')).epss, score);
    }
    assert.equal((await load({ epss: join(real, 'epss_scores-2026-08-15.csv.gz') })).epss, null);
    const { rows } = await server.owner.query('select count(*)::int as n from epss');
    assert.equal(rows[0]?.n, 360_142);
    const { version, published_at } = (await feeds()).epss ?? {};
    assert.deepEqual([version, published_at], ['v2026.06.15', '2026-08-15T12:00:00Z']);
  });
});

test('each CVE of an advisory about several counts: for search, for the score, and as known to be exploited', async () => {
  const { server, tenant, client, load, ids } = await createIntelWorkspace(['CVE-2030-1000']);
  const advisory = { id: 'ELSA-2030-7', aliases: ['CVE-2030-2000', 'CVE-2030-3000'] };
  await importAll(server, 'acme', [
    reportInput(grype([{ ...advisory, package: 'openssl', version: '1.0.0' }])),
  ]);
  const found = async (query: string): Promise<string[]> => {
    const body = succeeded(
      await client.get<{ items: { id: string }[] }>(`/api/v1/acme/vulnerabilities?${query}`),
    );
    return body.items.map((item) => item.id);
  };
  const [several] = await found('q=ELSA-2030-7');
  assert.ok(several);
  for (const cve of advisory.aliases) assert.deepEqual(await found(`q=${cve}`), [several], cve);
  const epss = epssFile(['CVE-2030-1000,0.5,0.9', 'CVE-2030-3000,0.2,0.8'], '2026-02-01');
  await importIntel(server.db, { kev: null, epss, force: false }, new Date());
  const both = [several, ids.get('CVE-2030-1000')].sort();
  assert.deepEqual((await found('epss_min=0.2')).sort(), both, 'before the bands are written');
  await evaluateChanges(server, tenant.id);
  assert.deepEqual((await found('epss_min=0.2')).sort(), both);
  assert.deepEqual(await found('epss_min=0.3'), [ids.get('CVE-2030-1000')]);
  assert.deepEqual(await found('epss_min=0.21'), [ids.get('CVE-2030-1000')]);
  assert.deepEqual(await found('epss_min=0.51'), []);
  const { settled } = await load({ kev: kevFile(['CVE-2030-2000'], '2026-02-01') });
  assert.equal(settled, 1);
  assert.deepEqual(await found('exploitable=yes'), [several]);
  const elsewhere = { repository: 'acme/later' };
  await importAll(server, 'acme', [
    reportInput(grype([{ ...advisory, package: 'openssl', version: '1.0.0' }]), elsewhere),
  ]);
  assert.equal((await found('exploitable=yes')).length, 2, 'a new one is exploitable at once');
  assert.equal((await found('epss_min=0.2')).length, 3, 'a new one has its band at once');
  const inCode = {
    'template-id': 'open-door',
    info: { name: 'Open door', severity: 'high', classification: { 'cve-id': advisory.aliases } },
    type: 'http',
    host: 'https://shop.example',
    'matched-at': 'https://shop.example/door',
  };
  await importAll(server, 'acme', [reportInput(inCode, { repository: 'acme/site' })]);
  assert.equal((await found('exploitable=yes')).length, 3, 'one in code as well');
  assert.equal((await found('epss_min=0.2')).length, 4, 'one in code as well');
  await assertInvariants(server.owner);
});

describe('files', () => {
  test('if one of two files is invalid, both are refused, with the reason', async () => {
    const cves = Array.from({ length: 40 }, (_, i) => `CVE-2030-${1000 + i}`);
    const { server, load } = await createIntelWorkspace(['CVE-2030-1000']);
    const rows = cves.map((cve) => `${cve},0.1,0.2`);
    await load({ kev: kevFile(cves, '2026-02-01'), epss: epssFile(rows, '2026-02-01') });
    const state = async (): Promise<unknown> =>
      (
        await server.owner.query(
          `select (select json_agg(k order by cve) from kev k) as kev, (select json_agg(e order by cve) from epss e) as epss,
                  (select json_agg(f order by name) from intel_feed f) as feeds`,
        )
      ).rows;
    const before = await state();
    const kev = kevFile(cves.slice(1), '2026-02-02');
    const cut = gzipSync(
      `#model_version:v1,score_date:2026-02-02T00:00:00Z\ncve,epss,percentile\n${rows[0]}\n`,
    );
    const cases: [{ kev?: string; epss?: string }, RegExp][] = [
      [
        { kev, epss: epssFile([...rows, 'CVE-2030-9999,2,0'], '2026-02-02') },
        /\.gz\. Line 43 is wrong\. The score 2 is/,
      ],
      [
        { kev, epss: epssFile([...rows, `${rows[0]}`], '2026-02-02') },
        /Line 43 is wrong\. The id CVE-2030-1000 is in the file twice/,
      ],
      [{ kev, epss: epssFile(rows.slice(0, 39), '2026-02-02') }, /39 entries, and the loaded one has 40/],
      [{ kev, epss: epssFile([], '2026-02-02') }, /It has no entries/],
      [{ kev, epss: epssFile(rows.slice(1), '2026-01-31') }, /is before that of the loaded one/],
      [{ kev, epss: write('cut.csv.gz', cut.subarray(0, cut.length - 12)) }, /cut off or damaged/],
      [{ kev, epss: join(directory, 'none') }, /^There is no file or folder .*none\.$/],
      [{ kev, epss: directory }, / It is not a file\.$/],
      [{ kev: directory }, / It is not a file\.$/],
      [{ kev: join(kev, 'inside') }, /inside cannot be read: ENOTDIR\./],
      [{ kev: join(directory, 'x'.repeat(300)) }, /x cannot be read: ENAMETOOLONG\./],
      [{ kev: kevFile(cves, dayIn(2)) }, /later than tomorrow\. Use --force/],
      [{ kev, epss: epssFile(rows, dayIn(2)) }, /later than tomorrow\. Use --force/],
      [{ kev: kevFile(cves.slice(0, 35), '2026-02-02') }, /35 entries, and the loaded one has 40/],
      [{ kev: kevFile([], '2026-02-02') }, /no entries/],
      [{ kev: kevFile(cves.slice(1), '2026-01-31') }, /is before that of the loaded one/],
    ];
    for (const [files, message] of cases) {
      await assert.rejects(load(files), { name: 'DomainError', message }, JSON.stringify(files));
      assert.deepEqual(await state(), before, JSON.stringify(files));
    }
    const forced = {
      kev: kevFile(cves.slice(0, 3), '2026-01-30'),
      epss: epssFile(rows.slice(0, 3), '2026-01-30'),
    };
    const { epss, kev: difference } = await load(forced, true);
    assert.deepEqual([epss?.rows, difference?.removed.length], [3, 37]);
    const tiny = await load({ epss: epssFile(['CVE-2030-1000,1e-300,0.2'], '2026-02-01') }, true);
    assert.deepEqual(tiny.epss, { rows: 1 });
    await load({ kev: kevFile(cves, dayIn(1)) });
    const ahead = await load({ kev: kevFile(cves.slice(1), dayIn(2)) }, true);
    assert.deepEqual(ahead.kev?.removed, cves.slice(0, 1));
  });

  test('an unreadable file is refused', {
    skip: process.getuid?.() === 0 ? 'root reads everything' : false,
  }, async () => {
    const { load } = await createIntelWorkspace(['CVE-2030-1000']);
    const path = kevFile(['CVE-2030-1000'], '2026-02-01');
    chmodSync(path, 0);
    for (const given of [{ kev: path }, { epss: path }]) {
      await assert.rejects(load(given), { name: 'DomainError', message: /cannot be read: EACCES\./ });
    }
  });

  test('a change waits for every workspace, and for imports that may have read the catalogue before', async () => {
    const { server, tenant, load, detail } = await createIntelWorkspace(['CVE-2030-1000']);
    const other = await createTestWorkspace(server, 'other');
    const waiting = async (): Promise<number> =>
      (await server.owner.query<{ n: number }>('select count(*)::int as n from intel_change')).rows[0]?.n ??
      -1;
    await importTx(server.db, other.tenant.id, async (tx) => {
      await tx.query('select 1');
      await load({ kev: kevFile(['CVE-2030-1000', 'CVE-2030-2000'], '2026-02-01') });
      assert.equal((await detail('CVE-2030-1000')).location.is_exploitable, true, 'settled at once');
      assert.equal(await waiting(), 4, 'of both workspaces, and kept while a transaction runs');
      assert.equal((await reEvaluateIntel(server.db, tenant.id, new Date())).changes, 0, 'once for now');
    });
    for (const { id } of [tenant, other.tenant]) await evaluateChanges(server, id);
    assert.equal(await waiting(), 0);
    await assertInvariants(server.owner);
  });

  test('a change waits for imports that ran when it was committed, however long before its row was written', async () => {
    const { server, tenant } = await createIntelWorkspace(['CVE-2030-1000']);
    const epss = epssFile(['CVE-2030-1000,0.5,0.9'], '2026-02-01');
    await importTx(server.db, tenant.id, async (tx) => {
      await tx.query('select 1');
      await importIntel(server.db, { kev: null, epss, force: false }, new Date());
      await server.owner.query(`update intel_change set created_at = created_at - interval '1 minute'`);
      const reEvaluate = () => reEvaluateIntel(server.db, tenant.id, new Date());
      assert.deepEqual(await reEvaluate(), { changes: 1, vulnerabilities: 1 });
      assert.deepEqual(await reEvaluate(), { changes: 0, vulnerabilities: 0 }, 'once for now');
      const { rowCount } = await server.owner.query('select from intel_change');
      assert.equal(rowCount, 1, 'kept while a transaction runs');
    });
    await evaluateChanges(server, tenant.id);
    await assertInvariants(server.owner);
  });
});
