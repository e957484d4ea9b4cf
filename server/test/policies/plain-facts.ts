/**
 * Computes all facts of every target in plain code from plain rows. It shares no SQL, no table of facts and no column
 * meaning with the service, so that an error there cannot hide itself.
 */
import type pg from 'pg';
import { unpackState } from '../../src/domain/packed-state.ts';
import type { TargetType } from '../../src/domain/policy-enums.ts';

/** Null means unknown. */
export type PlainValue = string | number | boolean | string[] | null;

/** A target on a reference, for which a policy is evaluated. */
export interface PlainRow {
  repositoryId: string;
  targetId: string;
  referenceId: string;
  tracked: boolean;
  isDefault: boolean;
  severity: number | null;
  facts: ReadonlyMap<string, PlainValue>;
}

/** The values by rising rank. */
export const severityOrder = ['unknown', 'info', 'low', 'medium', 'high', 'critical'];

type Row = Record<string, unknown>;
export type Tables = Record<(typeof tableNames)[number], Row[]> & { kev: Row[]; epss: Row[]; ssvc: Row[] };

const tableNames = [
  'repository',
  'reference',
  'application',
  'application_repository',
  'vulnerability',
  'vulnerability_reference',
  'vulnerability_reporter',
  'vulnerability_location',
  'scan_series',
  'manifest',
  'manifest_package',
  'package',
  'package_version',
  'analysis',
  'asset',
  'provider_setting',
] as const;

export async function readTables(owner: pg.Pool, tenantId: string): Promise<Tables> {
  const tables: Record<string, Row[]> = {};
  for (const name of tableNames) {
    const { rows } = await owner.query<Row>(`select * from ${name} where tenant_id = $1`, [tenantId]);
    tables[name] = rows;
  }
  for (const name of ['kev', 'epss', 'ssvc'])
    tables[name] = (await owner.query<Row>(`select * from ${name}`)).rows;
  return tables as Tables;
}

const text = (value: unknown): string => String(value);
const textOrNull = (value: unknown): string | null => (value === null ? null : String(value));
const dayMs = 24 * 3600 * 1000;

function daysBetween(from: unknown, now: Date): number {
  return Math.floor((now.getTime() - (from as Date).getTime()) / dayMs);
}

/** The one row with this id; throws if there is none. */
function rowOf(rows: Row[], id: unknown): Row {
  const found = rows.find((row) => row.id === id);
  if (!found) throw new Error(`no row ${String(id)}`);
  return found;
}

/** Every row of this target type that a condition is tested on. */
export function plainRows(target: TargetType, tables: Tables, now: Date): PlainRow[] {
  switch (target) {
    case 'vulnerability':
      return tables.vulnerability_reference.flatMap((place) => vulnerabilityRow(place, tables, now));
    case 'package':
    case 'package_version':
    case 'manifest':
      return inventoryRows(target, tables);
    case 'asset':
      return assetRows(tables);
    case 'analysis':
      return analysisRows(tables, now);
    case 'provider':
      return tables.provider_setting.map((setting) => {
        const repository = rowOf(tables.repository, setting.repository_id);
        return repositoryRow(repository, setting.id, tables, [
          ['provider', text(repository.source)],
          ['setting', text(setting.name)],
          ['value', text(setting.value)],
          ['manual_override', setting.manual_override === true],
        ]);
      });
    case 'repository':
      return tables.repository.map((row) => repositoryRow(row, row.id, tables, []));
  }
}

type Facts = [string, PlainValue][];

function repositoryFacts(repository: Row, tables: Tables): Facts {
  const applications = tables.application_repository
    .filter((row) => row.repository_id === repository.id)
    .map((row) => text(rowOf(tables.application, row.application_id).name));
  return [
    ['repository.full_name', text(repository.full_name)],
    ['repository.is_private', repository.is_private === true],
    ['repository.is_archived', repository.is_archived === true],
    ['repository.is_enabled', repository.is_enabled === true],
    ['exposed', repository.is_exposed === true],
    ['repository.source', text(repository.source)],
    ['application', applications],
  ];
}

function referenceFacts(reference: Row): Facts {
  return [
    ['reference_ref', text(reference.full_ref).replace(/^refs\/(?:heads|tags)\//, '')],
    ['reference_type', text(reference.type)],
    ['is_default_branch', reference.is_default === true],
    ['environment_key', textOrNull(reference.environment_key)],
  ];
}

function onReference(reference: Row, targetId: unknown, tables: Tables, facts: Facts): PlainRow {
  const repository = rowOf(tables.repository, reference.repository_id);
  return {
    repositoryId: text(repository.id),
    targetId: text(targetId),
    referenceId: text(reference.id),
    tracked: reference.tracked === true,
    isDefault: reference.is_default === true,
    severity: null,
    facts: new Map([...facts, ...referenceFacts(reference), ...repositoryFacts(repository, tables)]),
  };
}

function repositoryRow(repository: Row, targetId: unknown, tables: Tables, facts: Facts): PlainRow {
  return {
    repositoryId: text(repository.id),
    targetId: text(targetId),
    referenceId: text(repository.default_reference_id ?? repository.id),
    tracked: true,
    isDefault: true,
    severity: null,
    facts: new Map([...facts, ...repositoryFacts(repository, tables)]),
  };
}

function vulnerabilityRow(place: Row, tables: Tables, now: Date): PlainRow[] {
  const traits = unpackState(Number(place.packed_state));
  const reference = rowOf(tables.reference, place.reference_id);
  if (place.live !== true || traits.status !== 'open' || reference.active !== true) return [];
  const row = rowOf(tables.vulnerability, place.vulnerability_id);
  const paths = tables.vulnerability_location
    .filter(
      (each) =>
        each.vulnerability_id === row.id &&
        each.reference_id === reference.id &&
        each.fixed_at === null &&
        each.suppressed === false,
    )
    .map((each) => text(each.path));
  const names = [...((row.identifiers as string[] | null) ?? []), textOrNull(row.advisory)].filter(
    (name) => name !== null,
  );
  const scores = tables.epss
    .filter((each) => names.includes(text(each.cve)))
    .map((each) => Number(each.score));
  const dueDates = tables.kev
    .filter((each) => names.includes(text(each.cve)) && each.due_on !== null)
    .map((each) => dayOf(each.due_on as Date))
    .sort();
  const assessments = tables.ssvc.filter((each) => names.includes(text(each.cve)));
  const impacts = assessments.map((each) => text(each.technical_impact));
  const reporters = tables.vulnerability_reporter.filter(
    (each) =>
      each.vulnerability_id === row.id &&
      each.live === true &&
      rowOf(tables.reference, rowOf(tables.scan_series, each.series_id).reference_id).active === true,
  );
  const isVerified = reporters.some((each) => each.verified === true);
  const purl = textOrNull(row.package);
  // Returns one for each location: a condition holds if it holds for one of them.
  return [...new Set(paths.length > 0 ? paths : [null])].map((path) => ({
    ...onReference(reference, row.id, tables, factsAt(path)),
    severity: severityOrder.indexOf(traits.severity),
  }));

  function factsAt(path: string | null): Facts {
    return [
      ['severity', traits.severity],
      ['type', traits.type],
      ['source', traits.source],
      ['confirmed', traits.confirmed || (traits.status === 'rejected' && isVerified)],
      ['triaged', traits.triaged],
      ['exploitable', row.exploitable_at !== null],
      ['cvss_score', row.cvss_score === null ? null : Number(row.cvss_score)],
      ['epss_score', scores.length === 0 ? null : Math.max(...scores)],
      ['in_kev', tables.kev.some((each) => names.includes(text(each.cve)))],
      ['kev_due_date', dueDates[0] ?? null],
      ['automatable', assessments.some((each) => each.automatable === true)],
      ['technical_impact', impacts.includes('total') ? 'total' : (impacts[0] ?? null)],
      ['fix_available', row.fix_version !== null],
      ['age_days', daysBetween(row.introduced_at, now)],
      ['rule_id', text(row.rule ?? row.advisory)],
      ['cwe', textOrNull(row.cwes)?.split(' ') ?? []],
      ['advisory_id', names],
      ['path', path],
      ['package.purl', purl],
      ['package.name', purl === null ? null : decodedName(purl)],
      ['package.type', purl === null ? null : (/^pkg:([^/]*)/.exec(purl)?.[1] ?? null)],
      ['reported_by', reporters.map((each) => text(each.tool))],
    ];
  }
}

/** The driver gives a date as midnight of the local time. */
function dayOf(date: Date): string {
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function decodedName(purl: string): string {
  const last = purl.split('/').at(-1) ?? '';
  // A value that no text can hold is kept as it is written.
  return last.split('%00').map(decodeURIComponent).join('%00');
}

const languages: Record<string, string> = {
  npm: 'javascript',
  bower: 'javascript',
  pypi: 'python',
  conda: 'python',
  maven: 'java',
  gem: 'ruby',
  golang: 'go',
  cargo: 'rust',
  nuget: 'dotnet',
  composer: 'php',
  pub: 'dart',
  hex: 'elixir',
  swift: 'swift',
  cocoapods: 'swift',
  hackage: 'haskell',
  cran: 'r',
  conan: 'cpp',
};

function inventoryRows(target: 'package' | 'package_version' | 'manifest', tables: Tables): PlainRow[] {
  const rows = new Map<string, PlainRow>();
  for (const listed of tables.manifest_package) {
    const reference = rowOf(tables.reference, listed.reference_id);
    if (reference.active !== true) continue;
    const version = rowOf(tables.package_version, listed.package_version_id);
    const named = rowOf(tables.package, version.package_id);
    const manifest = rowOf(tables.manifest, listed.manifest_id);
    const packageFacts: Facts = [
      ['purl', text(named.purl)],
      ['name', text(named.name)],
      ['namespace', textOrNull(named.namespace)],
      ['package_type', text(named.package_type)],
      ['language', languages[text(named.package_type)] ?? null],
    ];
    const versionFacts: Facts = [
      ['version', text(version.version)],
      ['license', licensesOf(version, reference, tables)],
    ];
    const manifestFacts: Facts = [
      ['path', text(manifest.path)],
      ['manifest_type', text(manifest.kind ?? manifest.type)],
    ];
    const [id, facts]: [unknown, Facts] =
      target === 'package'
        ? [named.id, packageFacts]
        : target === 'package_version'
          ? [version.id, [...packageFacts, ...versionFacts]]
          : [manifest.id, manifestFacts];
    rows.set(`${id} ${reference.id}`, onReference(reference, id, tables, facts));
  }
  return [...rows.values()];
}

function licensesOf(version: Row, reference: Row, tables: Tables): string[] {
  const usages = tables.manifest_package.filter(
    (each) => each.package_version_id === version.id && each.reference_id === reference.id,
  );
  const named = usages.flatMap(
    (each) => (each.licenses ?? version.first_licenses ?? version.licenses) as string[],
  );
  return named.length > 0 ? [...new Set(named)] : (version.licenses as string[]);
}

function assetRows(tables: Tables): PlainRow[] {
  return tables.reference
    .filter((reference) => reference.active === true)
    .flatMap((reference) => {
      const seriesList = tables.scan_series.filter(
        (each) => each.reference_id === reference.id && each.retired_at === null && each.asset_id !== null,
      );
      return [...Map.groupBy(seriesList, (each) => each.asset_id)].map(([id, seen]) =>
        onReference(reference, id, tables, [
          ['name', text(rowOf(tables.asset, id).name)],
          ['asset_type', 'container_image'],
          ['tag', seen.flatMap((each) => textOrNull(each.asset_tag) ?? [])],
        ]),
      );
    });
}

function analysisRows(tables: Tables, now: Date): PlainRow[] {
  return tables.analysis.flatMap((analysis) => {
    const repository = rowOf(tables.repository, analysis.repository_id);
    if (repository.is_enabled !== true || repository.is_archived === true) return [];
    const times = tables.scan_series
      .filter(
        (each) =>
          each.reference_id === repository.default_reference_id &&
          each.retired_at === null &&
          each.succeeded_at !== null &&
          text(each.analysis_types).slice(1, -1).split(',').includes(text(analysis.type)),
      )
      .map((each) => (each.succeeded_at as Date).getTime());
    const last = times.length === 0 ? null : new Date(Math.max(...times));
    const stale = last !== null && now.getTime() - last.getTime() >= 30 * dayMs;
    return repositoryRow(repository, analysis.id, tables, [
      ['analysis_type', text(analysis.type)],
      ['days_since_last_scan', daysBetween(last ?? repository.created_at, now)],
      ['vulnerable_reason', last === null ? 'never_scanned' : stale ? 'stale' : 'current'],
    ]);
  });
}
