/**
 * Groups of the list: by package with the upgrade that clears most, by rule, or by repository, the worst first. One
 * statement counts the groups of the filtered rows, so its cost grows with what the filters find; a second one looks at
 * the upgrades of the groups that are shown.
 */
import { type Static, Type } from 'typebox';
import { type Database, searchTx, type Tx, tenantReadTx } from '../db/database.ts';
import { packageName } from '../domain/package-name.ts';
import { severities, sqlSeverityRank, unpackState } from '../domain/packed-state.ts';
import { highestVersion, purlTypeOf } from '../domain/versions.ts';
import { BySeverity } from '../http/by-severity.ts';
import type { Principal } from '../http/principal.ts';
import { namedObject } from '../http/schema.ts';
import { type Candidates, candidates, hasCandidates } from './candidates.ts';
import { allows, type FilterQuery, type ListFilter, resolveFilter } from './filters.ts';
import { Parameters, sourceOf } from './list-source.ts';
import { countPackedStates } from './read.ts';
import type { Scope } from './scope.ts';
import { boundedSearch } from './service.ts';

export const groupings = ['package', 'rule', 'repository'] as const;
export type Grouping = (typeof groupings)[number];

/** An answer has at most this many groups. */
export const maxGroups = 200;

const Group = namedObject('VulnerabilityGroup', {
  key: Type.String({
    description: 'The value of the filter (`package`, `rule` or `repo`) that lists the group.',
  }),
  name: Type.String(),
  total: Type.Integer(),
  by_severity: BySeverity,
  repositories: Type.Integer({ description: 'In so many repositories.' }),
  upgrade: Type.Union([Type.Object({ version: Type.String(), clears: Type.Integer() }), Type.Null()], {
    description: 'Of a package: the version that has every known fix, and how many of the group have one.',
  }),
});

export const Groups = namedObject('VulnerabilityGroups', {
  by: Type.String({ description: groupings.join(', ') }),
  total: Type.Integer({ description: 'Of groups; `items` are the worst of them.' }),
  items: Type.Array(Group),
});

/** Returns the groups of what the list would show. Throws as the list does. */
export async function readGroups(
  db: Database,
  principal: Principal,
  by: Grouping,
  limit: number,
  query: FilterQuery,
): Promise<Static<typeof Groups>> {
  const read = query.q === undefined ? tenantReadTx : searchTx;
  return read(db, principal.tenant.id, async (tx) => {
    const filter = await resolveFilter(tx, principal, query);
    const { scope } = filter;
    if (scope === null) return { by, total: 0, items: [] };
    return boundedSearch(tx, filter, async () => {
      const isAllowed = (packedState: number): boolean => allows(filter, unpackState(packedState));
      const counts = await countPackedStates(tx, scope, filter, isAllowed);
      const rows = rowsOf(tx, scope, filter, counts.map((count) => count.packed_state).filter(isAllowed));
      const groups = await countGroups(tx, rows, by, limit);
      const details = await describeGroups(
        tx,
        rows,
        by,
        groups.map(({ key }) => key),
      );
      return {
        by,
        total: groups[0]?.groups ?? 0,
        items: groups.map((group) => itemOf(by, group, details.get(group.key))),
      };
    });
  });
}

function itemOf(by: Grouping, { key, name, total, counts }: CountedGroup, detail: GroupDetail | undefined) {
  const { repositories = 1, versions = [], fixed = 0 } = detail ?? {};
  const version = by === 'package' ? highestVersion(purlTypeOf(key), versions) : null;
  return {
    // A repository is named in addresses by its name.
    key: by === 'repository' ? name : key,
    name: by === 'package' ? packageName(key) : name,
    total,
    by_severity: Object.fromEntries(
      severities.map((severity, rank) => [severity, counts.at(-1 - rank) ?? 0] as const).reverse(),
    ),
    repositories,
    upgrade: version === null ? null : { version, clears: fixed },
  };
}

interface CountedGroup {
  key: string;
  name: string;
  total: number;
  /** By severity, the highest first. */
  counts: number[];
  groups: number;
}

interface GroupDetail {
  repositories: number;
  /** The versions that fix one of the group. */
  versions: string[];
  /** So many have such a version. */
  fixed: number;
}

/** The column of a vulnerability v, the rows that it groups, and how to find the rows of some keys by an index. */
const keys: Record<Grouping, { column: string; where: string; among: (values: string) => string }> = {
  package: {
    column: 'package',
    where: 'v.package is not null',
    among: (values) => `v.package = any(${values}) and v.package_name in (
      select left(split_part(k, '/', -1), 255) from unnest(${values}) k)`,
  },
  // Without packages: their rule is the advisory.
  rule: {
    column: 'rule',
    where: "v.package is null and v.rule <> ''",
    among: (values) =>
      `v.rule = any(${values}) and left(v.rule, 255) in (select left(k, 255) from unnest(${values}) k)`,
  },
  repository: {
    column: 'repository_id',
    where: 'true',
    among: (values) => `v.repository_id = any(${values}::uuid[])`,
  },
};

const perSeverity = severities
  .map((_, rank) => `coalesce(sum(n) filter (where ${sqlSeverityRank('packed_state')} = ${rank}), 0)::int`)
  .reverse()
  .join(', ');

async function countGroups(tx: Tx, rows: RowsOf, by: Grouping, limit: number): Promise<CountedGroup[]> {
  const { parameters, tenant, head, from, where } = rows();
  return tx.query<CountedGroup>(
    `${head} select s.key, coalesce(r.full_name, s.key) as name, s.total, s.counts, s.groups
       from (select key::text as key, sum(n)::int as total, count(*) over ()::int as groups,
                    array[${perSeverity}] as counts
               from (select v.${keys[by].column} as key, l.packed_state, count(*) as n
                       from ${from} where ${[...where, keys[by].where].join(' and ')} group by 1, 2) c
              group by c.key order by counts desc, 1 limit ${parameters.add(limit)}) s
       left join repository r on ${by === 'repository' ? `r.tenant_id = ${tenant} and r.id = s.key::uuid` : 'false'}
      order by s.counts desc, s.key`,
    parameters.values,
  );
}

async function describeGroups(
  tx: Tx,
  rows: RowsOf,
  by: Grouping,
  groups: string[],
): Promise<Map<string, GroupDetail>> {
  const { parameters, head, from, where } = rows();
  const { column, among } = keys[by];
  const found = await tx.query<GroupDetail & { key: string }>(
    `${head} select v.${column}::text as key, count(distinct v.repository_id)::int as repositories,
            coalesce(array_agg(distinct v.fix_version) filter (where v.fix_version is not null), '{}') as versions,
            count(v.fix_version)::int as fixed
       from ${from} where ${[...where, among(`${parameters.add(groups)}::text[]`)].join(' and ')} group by v.${column}`,
    parameters.values,
  );
  return new Map(found.map((row) => [row.key, row]));
}

/** The rows of the list l with their vulnerabilities v, as parts of a statement with parameters of its own. */
type RowsOf = () => { parameters: Parameters; tenant: string; head: string; from: string; where: string[] };

function rowsOf(tx: Tx, scope: Scope, filter: ListFilter, packedStates: number[]): RowsOf {
  return () => {
    const parameters = new Parameters();
    const tenant = parameters.add(tx.tenantId);
    const { head, from, where, id } = hasCandidates(filter)
      ? candidates(scope, filter, tenant, parameters)
      : allRows(scope, filter, tenant, parameters);
    return {
      parameters,
      tenant,
      head,
      from: `${from} join vulnerability v on v.tenant_id = ${tenant} and v.id = l.${id}`,
      where: [...where, `l.packed_state = any(${parameters.add(packedStates)}::smallint[])`],
    };
  };
}

function allRows(scope: Scope, filter: ListFilter, tenant: string, parameters: Parameters): Candidates {
  const { table, id, where } = sourceOf(scope, parameters);
  const { introducedSince: since } = filter;
  return {
    head: '',
    from: `${table} l`,
    where: [
      `l.tenant_id = ${tenant}`,
      ...(where === '' ? [] : [where]),
      ...(since === null ? [] : [`l.introduced_at >= ${parameters.add(since.toISOString())}::timestamptz`]),
    ],
    id,
  };
}
