/**
 * A workspace for conditions: reports of every kind through the real import, and then, behind the service's back, what
 * no few reports bring together: unknown facts, texts with every character that some language of patterns means,
 * decisions, ages at their limits. Of what it holds nothing is true but its rows.
 */
import type pg from 'pg';
import { importTx } from '../../src/db/database.ts';
import { applyInventory } from '../../src/features/inventory/apply.ts';
import { parseInventory } from '../../src/features/inventory/document.ts';
import { repositorySources } from '../../src/features/repositories/types.ts';
import {
  packBucket,
  severities,
  sources,
  statuses,
  types,
} from '../../src/features/vulnerabilities/bucket.ts';
import { newId } from '../../src/ids.ts';
import { createRandomWorkspace, type Random, randomOf } from '../api/random-workspace.ts';
import { importAll } from '../support/import.ts';
import { trivyImage } from '../support/scanner-reports.ts';
import type { TestServer } from '../support/server.ts';
import { trivyReport } from '../support/tool-reports.ts';
import { reportInput, type TestWorkspace } from '../support/workspace.ts';

/** Values that a glob, LIKE, an array's literal or a lower case may stumble over. */
export const oddTexts = [
  '%',
  '_',
  '\\',
  '*',
  '?',
  '',
  'a_b',
  'aXb',
  'A_B',
  '100%',
  '100 percent',
  'src/*.ts',
  'src/a/b.ts',
  'c:\\dir\\f.ts',
  "it's",
  '"quoted", {braced}',
  'NULL',
  'ÜBER/ärger.ts',
  'über/ÄRGER.ts',
  '😀 smile',
  'line\nbreak',
  ' spaced ',
  'production',
  'Production',
  'x'.repeat(255),
];

// Beside those of the random workspace; some never have a report.
const odd = [
  'acme/Empty_100%',
  'Umbrella/Über_Team/x',
  'umbrella/quiet',
  'acme/a_b',
  'acme/aXb',
  "o'neil/*?",
];

const inventory = `
organizations: [{full_path: acme}, {full_path: Umbrella, parent: acme}]
repositories:
${[...odd, 'acme/shop', 'acme/api']
  .map((name, i) => `  - {full_name: "${name}", source: ${repositorySources[i % repositorySources.length]}}`)
  .join('\n')}
applications:
  - {name: Shop, repositories: [acme/shop, acme/api, acme/a_b]}
  - {name: "ÜBER 100%_*", repositories: [acme/shop, Umbrella/Über_Team/x]}
  - {name: nobody's, repositories: []}
`;

const packages: [purl: string, version: string | null, licenses: string[]][] = [
  ['pkg:npm/%40babel/core', '7.0.0', ['MIT']],
  ['pkg:npm/left-pad', '1.0.0', ['WTFPL', 'MIT']],
  ['pkg:npm/left-pad', '1.1.0', []],
  ['pkg:pypi/django', '5.0', ['BSD-3-Clause']],
  ['pkg:maven/org.acme/shop-core', '2.0-SNAPSHOT', ['AGPL-3.0-only']],
  ['pkg:deb/debian/libstdc%2B%2B6', '12.2.0-14', ['GPL-3.0-only']],
  ['pkg:golang/github.com/acme/kit', 'v1.2.3', ['Apache-2.0']],
  ['pkg:cargo/serde', '1.0.1', ['MIT OR Apache-2.0']],
  ['pkg:generic/openssl', null, []],
  ['pkg:gem/rails', '7.1.0', ['MIT']],
];

function sbom(content: typeof packages): object {
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    components: content.map(([purl, version, licenses]) => ({
      type: 'library',
      name: decodeURIComponent(purl.replace(/^.*\//, '')),
      ...(version === null ? {} : { version }),
      purl: version === null ? purl : `${purl}@${encodeURIComponent(version)}`,
      licenses: licenses.map((id) => (id.includes(' ') ? { expression: id } : { license: { id } })),
    })),
  };
}

/** `now` is the moment that ages at their limits are about. */
export async function createOddWorkspace(
  server: TestServer,
  slug: string,
  seed: number,
  now: Date,
): Promise<TestWorkspace> {
  const random = randomOf(seed);
  const workspace = await createRandomWorkspace(server, slug, seed);
  const { tenant } = workspace;
  await importTx(server.db, tenant.id, (tx) => applyInventory(tx, tenant.id, parseInventory(inventory)));
  const some = (): typeof packages => packages.filter(() => random(10) < 7);
  const image = (name: string, count: number): object =>
    trivyImage(
      name,
      Array.from({ length: count }, (_, i) => ({ id: `CVE-2031-${i}`, package: `lib${i}`, version: '1' })),
    );
  const advisories = ['GHSA-aaaa-bbbb-cccc', 'CVE-2021-44228'].map((id) => ({
    id,
    package: '@babel/core',
    severity: 'HIGH' as const,
    fixed: '8.0.0',
  }));
  await importAll(server, slug, [
    reportInput(sbom(packages), { environment: 'production' }),
    reportInput(sbom(some()), { ref: 'feature/a', environment: 'staging_eu' }),
    reportInput(sbom(some()), { ref: 'refs/pull/7/head' }),
    reportInput(sbom(some()), { repository: 'acme/api', ref: 'refs/tags/v1' }),
    ...odd
      .slice(1)
      .flatMap((repository) => [
        reportInput(sbom(some()), { repository }),
        reportInput(sbom(some()), { repository, ref: 'fix/100%_Ü' }),
        reportInput(trivyReport({ packages: advisories }), { repository, ref: 'feature/a' }),
      ]),
    reportInput(image('registry.acme.test/shop/web:1.2', 3)),
    reportInput(image('registry.acme.test/shop/api:latest', 2), { repository: 'acme/api', ref: 'feature/a' }),
  ]);
  await addRows(server.owner, tenant.id, random);
  await scatterAll(server.owner, tenant.id, random, now);
  return workspace;
}

// What the import or an inventory makes by itself is left as it is.
async function addRows(owner: pg.Pool, tenantId: string, random: Random): Promise<void> {
  const { rows } = await owner.query<{ id: string }>('select id from repository where tenant_id = $1', [
    tenantId,
  ]);
  for (const { id } of rows) {
    for (const type of types.keys()) {
      await owner.query(
        `insert into analysis (tenant_id, id, repository_id, type) values ($1, $2, $3, $4) on conflict do nothing`,
        [tenantId, newId(), id, type],
      );
    }
    for (const [i, name] of ['branch_protection', 'required_reviews', 'Über_%'].entries()) {
      await owner.query(
        `insert into provider_setting (tenant_id, id, repository_id, name, value, manual_override, changed_at)
         values ($1, $2, $3, $4, $5, $6, now()) on conflict do nothing`,
        [
          tenantId,
          newId(),
          id,
          name,
          ['true', 'false', '2', 'enabled', 'a_b%'][random(5)],
          (i + random(2)) % 2 === 0,
        ],
      );
    }
  }
  for (const name of ['docker.io/library/node', 'ghcr.io/Acme/web_1', 'localhost:5000/ü%']) {
    await owner.query(
      'insert into asset (tenant_id, id, name, type) values ($1, $2, $3, 0) on conflict do nothing',
      [tenantId, newId(), name],
    );
  }
  const { rows: names } = await owner.query<{ name: string }>(
    `select distinct unnest(identifiers || array['CVE-2021-44228', 'CVE-2031-1']) as name from vulnerability_detail
      where tenant_id = $1 order by 1`,
    [tenantId],
  );
  for (const { name } of names) {
    if (random(2) === 0) {
      const score = [0, 0.00043, 0.1, 0.5, 0.97, 1][random(6)];
      await owner.query('insert into epss (cve, score, percentile) values ($1, $2, 0.5)', [name, score]);
    }
    if (random(3) === 0) {
      await owner.query(
        `insert into kev (cve, added_on, vendor, product, name) values ($1, '2024-01-01', 'a', 'b', 'c')`,
        [name],
      );
    }
  }
}

async function scatterAll(owner: pg.Pool, tenantId: string, random: Random, now: Date): Promise<void> {
  const pick = <T>(values: readonly T[]): T => values[random(values.length)] as T;
  const text = (): string => pick(oddTexts);
  const texts = (from: readonly string[]): string =>
    JSON.stringify(from.filter(() => random(from.length) < 2));
  const day = 24 * 3600 * 1000;
  const moment = (): string => {
    const days = pick([0, 1, 6, 7, 29, 30, 31, 90, 365, -1]);
    return new Date(now.getTime() - days * day + pick([0, 1, -1, day / 3])).toISOString();
  };
  const bool = (): string => String(random(2) === 0);
  const scatter = (table: string, column: string, percent: number, value: () => string | null, as?: string) =>
    scatterColumn({ owner, tenantId, random, table, column, percent, value, as });
  const bucket = (): string =>
    String(
      packBucket({
        severity: pick(severities),
        type: pick(types),
        status: random(10) < 8 ? 'open' : pick(statuses),
        source: pick(sources),
        confirmed: random(2) === 0,
        triaged: random(2) === 0,
        assigned: random(2) === 0,
      }),
    );
  const ids = ['CVE-2021-44228', 'cve-2021-44228', 'GHSA-aaaa-bbbb-cccc', 'ÄB-1', 'CVE-2031-1', ...oddTexts];
  await scatter('vulnerability_reference', 'bucket', 90, bucket, 'smallint');
  await scatter('vulnerability_reference', 'live', 10, () => 'false', 'boolean');
  await scatter('vulnerability', 'rule', 40, text);
  await scatter('vulnerability', 'advisory', 30, () => pick([null, ...ids]));
  await scatter('vulnerability', 'fix_version', 40, () => pick([null, '1.2.3']));
  await scatter(
    'vulnerability',
    'cvss_score',
    70,
    () => pick([null, '0', '0.1', '7.5', '9.8', '10']),
    'real',
  );
  await scatter('vulnerability', 'introduced_at', 80, moment, 'timestamptz');
  await scatter('vulnerability', 'exploitable_at', 40, () => pick([null, now.toISOString()]), 'timestamptz');
  await scatter('vulnerability', 'package', 40, () =>
    pick([
      null,
      'pkg:npm/%40babel/core',
      'pkg:deb/debian/libstdc%2B%2B6',
      'pkg:generic/100%25_%C3%BCber',
      'pkg:generic/a%00b',
      'pkg:golang/github.com/acme/kit',
    ]),
  );
  await scatter('vulnerability_detail', 'identifiers', 60, () => texts(ids), 'text[]');
  await scatter(
    'vulnerability_detail',
    'cwes',
    80,
    () => texts(['CWE-79', 'cwe-79', 'CWE-22', 'CWE_Ü%', '']),
    'text[]',
  );
  await scatter('vulnerability_location', 'path', 60, text);
  await scatter('vulnerability_reporter', 'live', 30, () => 'false', 'boolean');
  await scatter('vulnerability_reporter', 'tool', 40, () => pick(['grype', 'Grype', 'my_tool%', 'zap']));
  await scatter('reference', 'environment_key', 60, () => pick([null, ...oddTexts]));
  await scatter('reference', 'active', 10, () => 'false', 'boolean');
  await scatter('reference', 'tracked', 50, bool, 'boolean');
  await scatter('repository', 'is_private', 60, bool, 'boolean');
  await scatter('repository', 'is_archived', 15, () => 'true', 'boolean');
  await scatter('repository', 'is_enabled', 15, () => 'false', 'boolean');
  await scatter('repository', 'created_at', 100, moment, 'timestamptz');
  await scatter('package', 'namespace', 40, () => pick([null, ...oddTexts]));
  await scatter('package', 'name', 30, text);
  await scatter('package', 'package_type', 30, () => pick(['npm', 'NPM', 'hex', 'swift', 'composer', '%']));
  let version = 0;
  await scatter('package_version', 'version', 30, () => oddTexts[version++ % oddTexts.length] ?? '');
  await scatter(
    'package_version',
    'licenses',
    60,
    () => texts(['MIT', 'mit', 'AGPL-3.0-only', ...oddTexts]),
    'text[]',
  );
  await scatter('manifest', 'path', 80, text);
  await scatter('manifest', 'type', 60, text);
  await scatter('stream', 'analysis_types', 60, () => texts([...types.keys()].map(String)), 'smallint[]');
  await scatter('stream', 'last_scanned_at', 80, moment, 'timestamptz');
  await scatter('stream', 'retired_at', 10, moment, 'timestamptz');
  const { rows: assets } = await owner.query<{ id: string }>(
    'select id from asset where tenant_id = $1 order by name',
    [tenantId],
  );
  await scatter('stream', 'asset_id', 70, () => pick([null, ...assets.map(({ id }) => id)]), 'uuid');
  await scatter('stream', 'asset_tag', 70, () => pick([null, 'latest', 'Latest', '1.2', ...oddTexts]));
  await remove(owner, tenantId, random, 'vulnerability_detail', 5);
  await remove(owner, tenantId, random, 'vulnerability_location', 5);
}

interface Scatter {
  owner: pg.Pool;
  tenantId: string;
  random: Random;
  table: string;
  column: string;
  /** Of the rows. */
  percent: number;
  /** As text; of a list as JSON. */
  value(): string | null;
  as?: string | undefined;
}

async function scatterColumn({
  owner,
  tenantId,
  random,
  table,
  column,
  percent,
  value,
  as = 'text',
}: Scatter) {
  const places = await placesOf(owner, tenantId, table);
  const chosen = places.filter(() => random(100) < percent);
  const element = as.endsWith('[]') ? as.slice(0, -2) : null;
  const cast =
    element === null
      ? `s.value::${as}`
      : `array(select e::${element} from jsonb_array_elements_text(s.value::jsonb) e)`;
  await owner.query(
    `update ${table} t set ${column} = ${cast} from unnest($1::text[], $2::text[]) as s (place, value)
      where t.ctid = s.place::tid`,
    [chosen, chosen.map(value)],
  );
}

async function remove(owner: pg.Pool, tenantId: string, random: Random, table: string, percent: number) {
  const places = await placesOf(owner, tenantId, table);
  await owner.query(`delete from ${table} where ctid = any($1::tid[])`, [
    places.filter(() => random(100) < percent),
  ]);
}

async function placesOf(owner: pg.Pool, tenantId: string, table: string): Promise<string[]> {
  const { rows } = await owner.query<{ place: string }>(
    `select ctid::text as place from ${table} where tenant_id = $1 order by ctid`,
    [tenantId],
  );
  return rows.map((row) => row.place);
}

// In an order that keys between them allow.
const copied = [
  'organization',
  'repository',
  'application',
  'application_repository',
  'reference',
  'stream',
  'vulnerability',
  'vulnerability_reference',
  'vulnerability_detail',
  'vulnerability_reporter',
  'vulnerability_location',
  'manifest',
  'package',
  'package_version',
  'manifest_package',
  'asset',
  'analysis',
  'provider_setting',
];

/** The same ids in another workspace, where everything about them is otherwise: a join that forgets the tenant shows. */
export async function createTwin(owner: pg.Pool, tenantId: string, twinId: string): Promise<void> {
  for (const table of copied) {
    const { rows } = await owner.query<{ name: string }>(
      `select column_name as name from information_schema.columns
        where table_name = $1 and table_schema = 'public' and column_name <> 'tenant_id'`,
      [table],
    );
    const columns = rows.map((row) => row.name).join(', ');
    await owner.query(
      `insert into ${table} (tenant_id, ${columns}) select $2, ${columns} from ${table} where tenant_id = $1`,
      [tenantId, twinId],
    );
  }
  for (const statement of [
    `repository set is_private = not is_private, is_archived = not is_archived, is_enabled = not is_enabled,
       source = 5 - source, name_key = name_key || '-twin', created_at = created_at - interval '100 days'`,
    `application set name_key = name_key || '-twin'`,
    `reference set environment_key = 'twin', active = true, tracked = not tracked`,
    `stream set analysis_types = '{0,1,2,3,4,5,6,7,8}', last_scanned_at = now(), retired_at = null, asset_tag = 'twin'`,
    `vulnerability set rule = 'twin', package = 'pkg:npm/twin', advisory = 'TWIN-1', introduced_at = '2020-01-01'`,
    'vulnerability_reference set live = true, bucket = 2047',
    `vulnerability_detail set cwes = '{CWE-TWIN}', identifiers = '{TWIN-2}'`,
    `vulnerability_reporter set tool = 'twin', live = true`,
    `vulnerability_location set path = 'twin'`,
    `manifest set path = 'twin', type = 'twin'`,
    `package set name = 'twin', namespace = 'twin', package_type = 'hex'`,
    `package_version set version = version || '-twin', licenses = '{twin}'`,
    `asset set name = name || '-twin'`,
    `provider_setting set value = 'twin', manual_override = not manual_override`,
  ]) {
    const [table, set] = statement.split(/ set (.*)/s);
    await owner.query(`update ${table} set ${set} where tenant_id = $1`, [twinId]);
  }
}
