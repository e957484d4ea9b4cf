/**
 * Rows with unusual values, written directly to the database, because ordinary reports do not combine them: unknown
 * facts, texts with every character that a pattern language treats specially, decisions, ages at their limits. Only
 * these rows are valid afterwards; counters are not.
 */
import type pg from 'pg';
import { packState, severities, sources, statuses, types } from '../../src/domain/packed-state.ts';
import type { Random } from '../support/random.ts';

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

/** Writes other values into a share of the rows of every table. */
export async function scatterRows(
  owner: pg.Pool,
  tenantId: string,
  random: Random,
  now: Date,
): Promise<void> {
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
  const packedState = (): string =>
    String(
      packState({
        severity: pick(severities),
        type: pick(types),
        status: random(10) < 8 ? 'open' : pick(statuses),
        reach: 'tracked',
        source: pick(sources),
        confirmed: random(2) === 0,
        triaged: random(2) === 0,
        assigned: random(2) === 0,
        fixKnown: random(2) === 0,
      }),
    );
  const ids = ['CVE-2021-44228', 'cve-2021-44228', 'GHSA-aaaa-bbbb-cccc', 'ÄB-1', 'CVE-2031-1', ...oddTexts];
  await scatter('vulnerability_reference', 'packed_state', 90, packedState, 'smallint');
  await scatter('vulnerability_reference', 'live', 10, () => 'false', 'boolean');
  await scatter('vulnerability', 'rule', 40, text);
  await scatter('vulnerability', 'advisory', 30, () => pick([null, ...ids]));
  await owner.query(
    `update vulnerability set rule = '' where tenant_id = $1 and rule is null and advisory is null`,
    [tenantId],
  );
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
  await scatter(
    'vulnerability',
    'identifiers',
    60,
    () => pick([null, texts(ids), texts(ids), texts(ids)]),
    'text[]',
  );
  await scatter(
    'vulnerability',
    'cwes',
    80,
    () => ['CWE-79', 'cwe-79', 'CWE-22', 'CWE_Ü%'].filter(() => random(4) < 2).join(' ') || null,
  );
  await scatter('vulnerability_location', 'path', 60, text);
  await scatter('vulnerability_reporter', 'live', 30, () => 'false', 'boolean');
  await scatter('vulnerability_reporter', 'tool', 40, () => pick(['grype', 'Grype', 'my_tool%', 'zap']));
  await scatter('reference', 'environment_key', 60, () =>
    pick([null, ...oddTexts.map((key) => key.toLowerCase())]),
  );
  await scatter('reference', 'active', 10, () => 'false', 'boolean');
  await scatter('reference', 'tracked', 50, bool, 'boolean');
  await scatter('repository', 'is_private', 60, bool, 'boolean');
  await scatter('repository', 'is_archived', 15, () => 'true', 'boolean');
  await scatter('repository', 'is_enabled', 15, () => 'false', 'boolean');
  await scatter('repository', 'created_at', 100, moment, 'timestamptz');
  await scatter('package', 'namespace', 40, () => pick([null, ...oddTexts]));
  await scatter('package', 'name', 30, text);
  // The other rows keep their language.
  await owner.query(
    `update package set package_type = 'NPM' where tenant_id = $1 and purl = 'pkg:npm/left-pad'`,
    [tenantId],
  );
  let version = 0;
  await scatter('package_version', 'version', 30, () => oddTexts[version++ % oddTexts.length] ?? '');
  const licenses = () => texts(['MIT', 'mit', 'AGPL-3.0-only', ...oddTexts]);
  await scatter('package_version', 'licenses', 60, licenses, 'text[]');
  await scatter('package_version', 'first_licenses', 40, licenses, 'text[]');
  await scatter('manifest_package', 'licenses', 40, licenses, 'text[]');
  await scatter('manifest', 'path', 80, text);
  await scatter('manifest', 'type', 60, text);
  await scatter('scan_series', 'analysis_types', 60, () => texts(types), 'vulnerability_type[]');
  await scatter('scan_series', 'succeeded_at', 80, moment, 'timestamptz');
  await scatter('scan_series', 'retired_at', 10, moment, 'timestamptz');
  await scanAtLimits(owner, tenantId, now);
  const { rows: assets } = await owner.query<{ id: string }>(
    'select id from asset where tenant_id = $1 order by name',
    [tenantId],
  );
  await scatter('scan_series', 'asset_id', 70, () => pick([null, ...assets.map(({ id }) => id)]), 'uuid');
  await scatter('scan_series', 'asset_tag', 70, () => pick([null, 'latest', 'Latest', '1.2', ...oddTexts]));
  await remove(owner, tenantId, random, 'vulnerability_location', 5);
}

// Default branches whose last scans for everything were thirty days ago, to the millisecond, and a little before and
// after.
async function scanAtLimits(owner: pg.Pool, tenantId: string, now: Date): Promise<void> {
  const { rows } = await owner.query<{ id: string }>(
    `select default_reference_id as id from repository where tenant_id = $1 and default_reference_id is not null
        and is_enabled and not is_archived order by full_name limit 6`,
    [tenantId],
  );
  for (const [i, { id }] of rows.entries()) {
    await owner.query(
      `update scan_series set succeeded_at = $3, retired_at = null, analysis_types = '{other,dependency,sast,secret,iac,container}'
        where tenant_id = $1 and reference_id = $2`,
      [tenantId, id, new Date(now.getTime() - 30 * 24 * 3600 * 1000 + ((i % 3) - 1))],
    );
  }
}

interface Scatter {
  owner: pg.Pool;
  tenantId: string;
  random: Random;
  table: string;
  column: string;
  /** The share of the rows. */
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
  // The values have their type before they meet the rows, because Citus casts no text to a time in an update.
  const isList = as.endsWith('[]');
  const type = isList ? 'jsonb' : as;
  const set = isList
    ? `array(select e::${as.slice(0, -2)} from jsonb_array_elements_text(s.value) e)`
    : 's.value';
  await owner.query(
    `update ${table} t set ${column} = ${set} from unnest($1::tid[], $2::${type}[]) as s (place, value)
      where t.tenant_id = $3 and t.ctid = s.place`,
    [chosen, chosen.map(value), tenantId],
  );
}

async function remove(owner: pg.Pool, tenantId: string, random: Random, table: string, percent: number) {
  const places = await placesOf(owner, tenantId, table);
  await owner.query(`delete from ${table} where tenant_id = $2 and ctid = any($1::tid[])`, [
    places.filter(() => random(100) < percent),
    tenantId,
  ]);
}

async function placesOf(owner: pg.Pool, tenantId: string, table: string): Promise<string[]> {
  const { rows } = await owner.query<{ place: string }>(
    `select ctid::text as place from ${table} where tenant_id = $1 order by ctid`,
    [tenantId],
  );
  return rows.map((row) => row.place);
}
