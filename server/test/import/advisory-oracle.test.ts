/**
 * Tests the match against the definition of OSV: all available records, and packages with versions around the ends of
 * their ranges. The result of the database is compared with a second implementation of the OSV schema, also for random
 * histories. An import of advisories and of packages takes as many statements for many as for few.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { openPromise } from 'yauzl';
import { countStatements } from '../../../benchmarks/count-statements.ts';
import { importTx } from '../../src/db/database.ts';
import { formatId, type SeriesId } from '../../src/domain/ids.ts';
import { compareVersions } from '../../src/domain/versions.ts';
import { importOsv } from '../../src/ingest/advisories/import-osv.ts';
import { matchWorkspace } from '../../src/ingest/matching/match-workspace.ts';
import { markByMatching } from '../../src/ingest/matching/setting.ts';
import { retireSeries } from '../../src/ingest/series/scan-series.ts';
import { bom } from '../support/boms.ts';
import { createTestDatabase } from '../support/database.ts';
import { byForm, seedOf } from '../support/form.ts';
import { importAll } from '../support/import.ts';
import { assertInvariants } from '../support/invariants.ts';
import { affectedPackage, loadOsv, osvRecord } from '../support/osv.ts';
import { trivy } from '../support/reports.ts';
import { createTestWorkspace, reportInput } from '../support/workspace.ts';

// Awaited before the first test, because a file whose only tests so far are skipped counts as ended.
const database = await createTestDatabase();
const workspace = await createTestWorkspace(database, 'acme');

interface Record {
  id: string;
  withdrawn?: string;
  affected?: {
    package?: { ecosystem: string; name: string };
    ranges?: { type: string; events: { [kind: string]: string }[] }[];
    versions?: string[];
  }[];
}

/** True if a record affects a version, evaluated step by step like the algorithm of the OSV schema. */
function isVulnerable(
  record: Record,
  type: string,
  isPackage: (name: string) => boolean,
  version: string,
): boolean {
  if (record.withdrawn !== undefined) return false;
  const isAtLeast = (at: string) => at === '0' || compareVersions(type, version, at) >= 0;
  for (const { package: named, ranges = [], versions = [] } of record.affected ?? []) {
    if (named === undefined || !isPackage(named.name)) continue;
    const plain = (text: string) => (type === 'golang' ? text.replace(/^v/, '') : text);
    if (versions.map(plain).includes(version)) return true;
    if (ranges.length === 0 && versions.some((listed) => compareVersions(type, plain(listed), version) === 0))
      return true;
    for (const { type: kind, events } of ranges) {
      if (kind === 'GIT') continue;
      let vulnerable = false;
      const sorted = events.toSorted((a, b) => {
        const [left = '', right = ''] = [Object.values(a)[0], Object.values(b)[0]];
        if (left === '0' || right === '0') return Number(left !== '0') - Number(right !== '0');
        // A range of PYSEC-2022-42972 begins where one ends that is written after it.
        const isBegin = (event: object) => Number('introduced' in event);
        return compareVersions(type, left, right) || isBegin(a) - isBegin(b);
      });
      for (const { introduced, fixed, last_affected: last } of sorted) {
        if (introduced !== undefined && isAtLeast(introduced)) vulnerable = true;
        else if (fixed !== undefined && isAtLeast(fixed)) vulnerable = false;
        else if (last !== undefined && compareVersions(type, version, last) > 0) vulnerable = false;
      }
      if (vulnerable) return true;
    }
  }
  return false;
}

const real = fileURLToPath(new URL('../../../../shared/intel/', import.meta.url));
const skip = existsSync(`${real}osv`) ? false : 'no ../shared/intel/osv beside this checkout';
const types = { Go: 'golang', PyPI: 'pypi', 'crates.io': 'cargo' } as const;
type Ecosystem = keyof typeof types;

async function recordsOf(ecosystem: Ecosystem): Promise<Record[]> {
  const zip = await openPromise(`${real}osv/${ecosystem}/all.zip`, { autoClose: false });
  const records: Record[] = [];
  for await (const entry of zip.eachEntry()) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Uint8Array);
    records.push(JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record);
  }
  zip.close();
  return records;
}

/** One spelling for the names of a package, apart from that of the service. */
function spelled(ecosystem: Ecosystem, name: string): string {
  if (ecosystem === 'PyPI') return name.toLowerCase().replace(/[-_.]+/g, '-');
  return ecosystem === 'Go' ? name.toLowerCase() : name;
}

const versionPattern = /^[0-9][0-9A-Za-z.+-]*$/;

/** The versions at which something may change, with one before and one after. */
function versionsAround(records: Record[], ecosystem: Ecosystem): Map<string, string[]> {
  const versions = new Map<string, Set<string>>();
  for (const { affected = [] } of records) {
    for (const { package: named, ranges = [], versions: listed = [] } of affected) {
      if (named?.ecosystem !== ecosystem) continue;
      const name = spelled(ecosystem, named.name);
      const set = versions.get(name) ?? new Set<string>(['0.0.1', '999.0.0']);
      versions.set(name, set);
      for (const { type, events } of ranges) {
        if (type !== 'GIT') for (const event of events) for (const at of Object.values(event)) set.add(at);
      }
      for (const each of listed.slice(0, 2)) set.add(each);
    }
  }
  return new Map(
    [...versions].map(([name, set]) => [
      name,
      [...set]
        .map((version) => version.replace(/^v/, ''))
        .filter((version) => version !== '0' && versionPattern.test(version)),
    ]),
  );
}

for (const ecosystem of Object.keys(types) as Ecosystem[]) {
  test(`the match finds the versions that the records of ${ecosystem} affect by the definition of OSV`, {
    skip,
  }, async () => {
    const database = await createTestDatabase();
    const { tenant } = await createTestWorkspace(database, 'acme');
    const type = types[ecosystem];
    const records = await recordsOf(ecosystem);
    const versions = versionsAround(records, ecosystem);
    // An upload with every version of every package takes minutes; a tenth of the packages has all kinds of ranges.
    const every = byForm({ short: 10, ci: 10, full: 1 });
    const chosen = [...versions].filter((_, i) => i % every === 0);
    const packages = chosen.flatMap(([name, list]) =>
      list.map((version) => ({ purl: `pkg:${type}/${name}@${encodeURIComponent(version)}` })),
    );
    const report = {
      ...bom([]),
      components: packages.map(({ purl }) => ({ type: 'library', name: purl, purl })),
    };
    const [scan] = await importAll(database, 'acme', [reportInput(report)]);
    assert.equal(scan?.error, null);
    const now = new Date();
    const imported = await importOsv(
      database.db,
      { paths: [`${real}osv/${ecosystem}/all.zip`], force: false },
      now,
    );
    assert.equal(imported.added, records.length);
    assert.deepEqual(imported.unreadable.count, 0);
    await matchWorkspace(database.db, tenant.id, () => now);
    const { rows } = await database.owner.query<{
      purl: string;
      version: string;
      advisory: string;
      fix: string | null;
    }>(
      `select p.purl, v.version, a.advisory_id as advisory, a.fix_version as fix from package_advisory a
         join package_version v on v.id = a.compared_id join package p on p.id = v.package_id`,
    );
    const found = new Set(rows.map((row) => `${row.purl} ${row.version} ${row.advisory}`));
    const byName = new Map<string, Record[]>();
    for (const record of records) {
      const names = new Set(
        (record.affected ?? []).map(({ package: named }) => spelled(ecosystem, named?.name ?? '')),
      );
      for (const name of names) byName.set(name, [...(byName.get(name) ?? []), record]);
    }
    const expected = new Set<string>();
    for (const [name, list] of chosen) {
      for (const version of list) {
        for (const record of byName.get(name) ?? []) {
          const isPackage = (other: string) => spelled(ecosystem, other) === name;
          if (isVulnerable(record, type, isPackage, version))
            expected.add(`pkg:${type}/${name} ${version} ${record.id}`);
        }
      }
    }
    assert.ok(expected.size > 300, `only ${expected.size} matches were expected`);
    assert.deepEqual([...expected].filter((match) => !found.has(match)).slice(0, 10), [], 'missing');
    assert.deepEqual([...found].filter((match) => !expected.has(match)).slice(0, 10), [], 'too much');
    let fixes = 0;
    const proposed = new Set<string>();
    for (const { purl, version, fix } of rows) {
      if (fix === null) continue;
      fixes++;
      const name = purl.slice(`pkg:${type}/`.length);
      assert.ok(compareVersions(type, fix, version) > 0, `${purl}: ${fix} is newer than ${version}`);
      proposed.add(`${name} ${fix}`);
    }
    for (const each of proposed) {
      const [name = '', fix = ''] = each.split(' ');
      for (const record of byName.get(name) ?? []) {
        const isPackage = (other: string) => spelled(ecosystem, other) === name;
        assert.ok(!isVulnerable(record, type, isPackage, fix), `${each}: ${record.id}`);
      }
    }
    assert.ok(fixes > 100, `only ${fixes} fixes`);
    // The same archive again changes nothing.
    const again = await importOsv(
      database.db,
      { paths: [`${real}osv/${ecosystem}/all.zip`], force: false },
      now,
    );
    assert.deepEqual(
      [again.added, again.updated, again.unchanged, again.packagesToMatch],
      [0, 0, records.length, 0],
    );
    await assertInvariants(database.owner);
  });
}

test('single records of several ecosystems are read', { skip }, async () => {
  const database = await createTestDatabase();
  const imported = await importOsv(
    database.db,
    { paths: [`${real}advisories/osv`], force: false },
    new Date(),
  );
  assert.deepEqual([imported.added, imported.unreadable.count], [4, 0]);
  const { rows } = await database.owner.query<{ purl: string }>(
    'select distinct purl from osv_package order by purl',
  );
  const json = JSON.parse(readFileSync(`${real}advisories/osv/RUSTSEC-2021-0079.json`, 'utf8')) as Record;
  const crate = json.affected?.[0]?.package?.name;
  assert.ok(rows.some(({ purl }) => purl === `pkg:cargo/${crate}`));
});

const image = fileURLToPath(
  new URL(
    '../../../../shared/samples/cyclonedx-json/cyclonedx-1.5-trivy-0.48.1-with-vulns.json',
    import.meta.url,
  ),
);

interface Component {
  'bom-ref': string;
  purl?: string;
  properties?: { name: string; value: string }[];
}

test('records of Ubuntu about the sources of a real image are reporters of what Trivy found in its packages', {
  skip: !existsSync(image) && 'the samples are not at hand',
}, async () => {
  const server = await createTestDatabase();
  const { tenant } = await createTestWorkspace(server, 'acme');
  const report = JSON.parse(readFileSync(image, 'utf8')) as {
    components: Component[];
    vulnerabilities: { id: string; affects: { ref: string }[] }[];
  };
  const [scan] = await importAll(server, 'acme', [reportInput(report)]);
  assert.equal(scan?.error, null);
  const sourceOf = ({ properties = [] }: Component) =>
    properties.find(({ name }) => name === 'aquasecurity:trivy:SrcName')?.value ?? '';
  const nameOf = ({ purl = '' }: Component) => purl.replace(/@.*$/, '').toLowerCase();
  const expected = new Set<string>();
  const records = report.vulnerabilities.map(({ id, affects }) => {
    const sources = new Set(
      report.components.filter((row) => affects.some(({ ref }) => ref === row['bom-ref'])).map(sourceOf),
    );
    for (const row of report.components) if (sources.has(sourceOf(row))) expected.add(`${id} ${nameOf(row)}`);
    const affected = ['Ubuntu:20.04:LTS', 'Ubuntu:22.04:LTS', 'Ubuntu:Pro:22.04:LTS'].flatMap((ecosystem) =>
      [...sources].map((source) => affectedPackage(ecosystem, source)),
    );
    return osvRecord(`UBUNTU-${id}`, { upstream: [id], affected });
  });
  await loadOsv(server, tenant.id, records);
  const { rows } = await server.owner.query<{ name: string; tools: string }>(
    `select v.advisory || ' ' || lower(v.package) as name, string_agg(distinct r.tool, '+' order by r.tool) as tools
       from vulnerability v join vulnerability_reporter r on r.vulnerability_id = v.id and r.live
      where v.package like 'pkg:deb/ubuntu/%' group by v.id, v.advisory, v.package`,
  );
  const reported = report.vulnerabilities.flatMap(({ id, affects }) =>
    affects.map(({ ref }) => `${id} ${ref.replace(/@.*$/, '').toLowerCase()}`),
  );
  assert.ok(reported.length > 10, `only ${reported.length} findings of Trivy`);
  assert.deepEqual(
    rows.map(({ name }) => name).sort(),
    [...expected].sort(),
    'the packages of the affected sources, each once',
  );
  for (const { name, tools } of rows) {
    assert.equal(tools, reported.includes(name) ? 'merlon-osv+trivy' : 'merlon-osv', name);
  }
  await assertInvariants(server.owner);
});

const statements = countStatements();

test('an import of advisories and a match take as many statements for many packages as for few', async () => {
  const counts: number[][] = [];
  for (const size of [20, 400]) {
    const names = Array.from({ length: size }, (_, i) => `lib-${size}-${i}`);
    const report = bom(names.map((name) => ({ purl: `pkg:npm/${name}@1.0.0` })));
    const repository = `acme/size-${size}`;
    const taken: number[] = [];
    const counted = async (work: () => Promise<unknown>) => {
      const before = statements();
      await work();
      taken.push(statements() - before);
    };
    const upload = () => importAll(database, 'acme', [reportInput(report, { repository })]);
    const records = (fixed: string, modified: string) =>
      names.map((name, i) =>
        osvRecord(`GHSA-${size}-${i}`, { package: name, ranges: [['0', fixed]], modified }),
      );
    await upload();
    await counted(() => loadOsv(database, workspace.tenant.id, records('1.1.0', '2026-01-01T00:00:00Z')));
    await counted(() => loadOsv(database, workspace.tenant.id, records('1.2.0', '2026-01-02T00:00:00Z')));
    await counted(upload);
    counts.push(taken);
  }
  const [few = [], many = []] = counts;
  // Packages are matched in batches of 200. The clock writes progress of an import.
  for (const [i, count] of many.entries()) {
    assert.ok(count <= (few[i] ?? 0) + 30, `${few[i]} for few, ${count} for many`);
  }
});

// The last two are an installed package and its source, in two releases of a distribution.
const names = ['left', 'right', 'debian-12', 'debian-13'] as const;
const version = fc.constantFrom('1.0.0', '1.1.0', '2.0.0');
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('sbom' as const),
      packages: fc.array(fc.record({ name: fc.constantFrom(...names), version }), {
        minLength: 1,
        maxLength: 4,
      }),
      ref: fc.constantFrom('main', 'main', 'feature'),
      category: fc.constantFrom('one', 'two'),
      partial: fc.boolean(),
      dryRun: fc.nat(5).map((n) => n === 0),
      late: fc.nat(5).map((n) => n === 0),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('advisory' as const),
      number: fc.nat(3),
      name: fc.constantFrom(...names),
      fixed: fc.constantFrom('1.1.0', '1.2.0', '2.1.0'),
      withdrawn: fc.boolean(),
      cve: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('trivy' as const),
      rows: fc.array(fc.record({ number: fc.nat(3), name: fc.constantFrom(...names), version }), {
        maxLength: 3,
      }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('retire' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('setting' as const), on: fc.boolean() }) },
);

const isRelease = (name: string) => name.startsWith('debian-');

let histories = 0;
const runs = Number(process.env.TEST_HISTORIES ?? byForm({ short: 5, ci: 25, full: 300 }));
const seed = seedOf(20_260_101);

test(`any history of packages and advisories keeps the invariants, and the affected packages are matched (seed ${seed})`, async () => {
  const { db, owner } = database;
  const tenantId = workspace.tenant.id;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 9 }), async (steps) => {
      const history = histories++;
      const repository = `acme/history-${history}`;
      const scoped = (name: string) => `${name}-${history}`;
      let clock = Date.now() - 30 * 24 * 3_600_000;
      let isOn = true;
      let modified = Date.parse('2026-01-01T00:00:00Z');
      await setMatching(true);
      for (const one of steps) {
        clock += 3_600_000;
        const at = new Date(clock);
        if (one.kind === 'sbom') {
          const report = bom(
            one.packages.map(({ name, version: v }) => ({
              purl: isRelease(name)
                ? `pkg:deb/debian/lib-${history}@${v}?distro=${name}&upstream=source-${history}`
                : `pkg:npm/${scoped(name)}@${v}`,
            })),
          );
          const { ref, category, partial, dryRun, late } = one;
          const scannedAt = late ? new Date(clock - 48 * 3_600_000) : at;
          await take(report, { repository, ref, category, partial, dryRun, scannedAt });
        } else if (one.kind === 'trivy') {
          const rows = one.rows
            .filter(({ name }) => !isRelease(name))
            .map(({ number, name, version: v }) => ({
              id: cve(number),
              name: scoped(name),
              version: v,
              severity: 'HIGH',
            }));
          await take(trivy(rows), { repository, scannedAt: at });
        } else if (one.kind === 'advisory') {
          modified += 60_000;
          const [, release] = one.name.split('debian-');
          const record = osvRecord(`GHSA-${history}-${one.number}`, {
            ...(release === undefined
              ? { package: scoped(one.name) }
              : { ecosystem: `Debian:${release}`, package: `source-${history}` }),
            ranges: [['0', one.fixed]],
            aliases: one.cve ? [cve(one.number)] : [],
            modified: new Date(modified).toISOString(),
            ...(one.withdrawn ? { withdrawn: new Date(modified).toISOString() } : {}),
          });
          await loadOsv(database, tenantId, [record], { now: at });
        } else if (one.kind === 'retire') {
          const { rows } = await owner.query<{ id: SeriesId }>(
            `select s.id from scan_series s join repository r on r.id = s.repository_id
              where r.full_name = $1 and s.tool <> 'merlon-osv' order by s.id`,
            [repository],
          );
          const chosen = rows[one.which % Math.max(1, rows.length)]?.id;
          if (chosen === undefined) continue;
          await importTx(db, tenantId, (tx) =>
            retireSeries(tx, formatId('series', chosen), { actorId: null }),
          );
        } else {
          isOn = one.on;
          await setMatching(isOn);
        }
        await matchWorkspace(db, tenantId, () => at);
        await assertInvariants(owner);
        await assertMatched(repository, isOn);
      }

      function cve(number: number): string {
        return `CVE-2031-${10_000 + history * 4 + number}`;
      }
    }),
    { numRuns: runs, seed, endOnFailure: true },
  );

  async function setMatching(on: boolean): Promise<void> {
    const setting = on ? 'on' : 'off';
    await owner.query(
      `update tenant set settings = settings || jsonb_build_object('advisory_matching', $1::text)`,
      [setting],
    );
    await importTx(db, tenantId, (tx) => markByMatching(tx, setting, new Date()));
  }

  async function take(report: unknown, overrides: Parameters<typeof reportInput>[1]): Promise<void> {
    const [scan] = await importAll(database, 'acme', [reportInput(report, overrides)]);
    assert.equal(scan?.error, null, JSON.stringify(scan?.error));
  }

  /** The match sees on each reference exactly the packages that the loaded records affect. */
  async function assertMatched(repository: string, isOn: boolean): Promise<void> {
    const { rows: seen } = await owner.query<{ row: string }>(
      `select distinct f.full_ref || ' ' || v.package || ' ' || l.path as row
         from location_observation o
         join scan_series s on s.id = o.series_id and s.tool = 'merlon-osv'
         join reference f on f.id = s.reference_id
         join repository r on r.id = s.repository_id and r.full_name = $1
         join vulnerability v on v.id = o.vulnerability_id
         join vulnerability_location l on l.id = o.location_id
        where o.until_seq is null`,
      [repository],
    );
    const { rows: packages } = await owner.query<{
      ref: string;
      path: string;
      purl: string;
      listed: string;
      version: string;
    }>(
      `select f.full_ref as ref, m.path, p.purl, v.version, coalesce(d.purl, p.purl) as listed
         from manifest_package u
         left join distribution_package d
           on d.package_version_id = u.package_version_id and d.id = u.distribution_package_id
         join reference f on f.id = u.reference_id
         join repository r on r.id = u.repository_id and r.full_name = $1
         join manifest m on m.id = u.manifest_id
         join package_version v on v.id = u.package_version_id join package p on p.id = v.package_id`,
      [repository],
    );
    const { rows: loaded } = await owner.query<{ purl: string; affected: { ranges: [string, string][][] } }>(
      'select purl, affected from osv_package',
    );
    const affected = packages.filter(({ listed, version: installed }) =>
      loaded.some(
        (record) =>
          record.purl === listed &&
          record.affected.ranges.every((events) => {
            const fixed = events.find(([kind]) => kind === 'fixed')?.[1] ?? '';
            return compareVersions('npm', installed, fixed) < 0;
          }),
      ),
    );
    const expected = new Set(isOn ? affected.map(({ ref, path, purl }) => `${ref} ${purl} ${path}`) : []);
    assert.deepEqual(seen.map(({ row }) => row).sort(), [...expected].sort());
  }
});
