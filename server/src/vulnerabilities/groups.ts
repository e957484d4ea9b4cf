/**
 * Groups of the list: by package with the upgrade that fixes most, by rule, or by repository, the worst first. Groups
 * of open vulnerabilities are stored (`open-groups.ts`). One statement counts any others in the filtered rows, so its
 * cost grows with the number of these rows. A second statement reads the upgrades of the groups that are shown.
 */
import { type Static, Type } from 'typebox';
import { type Database, listSearchTx, Parameters, type Tx } from '../db/database.ts';
import { withoutIndex } from '../db/planner-hints.ts';
import { type Grouping, groupings } from '../domain/open-groups.ts';
import { packageName } from '../domain/package-name.ts';
import { severities, sqlSeverityRank, unpackState } from '../domain/packed-state.ts';
import { highestOfGroup, purlTypeOf, sqlComparedVersions } from '../domain/versions.ts';
import { BySeverity } from '../http/by-severity.ts';
import type { Principal } from '../http/principal.ts';
import { namedObject } from '../http/schema.ts';
import { type Candidates, candidates } from './candidates.ts';
import { allows, type FilterQuery, hasCandidates, type ListFilter, resolveFilter } from './filters.ts';
import { boundedSearch } from './list.ts';
import { type CountedGroup, heldScope, listOpenGroups } from './open-groups.ts';
import { countPackedStates } from './packed-state-counts.ts';
import { type CountedScope, sourceOf, withClause } from './scope.ts';

/** An answer has at most this many groups. */
export const maxGroups = 200;

const Group = namedObject('VulnerabilityGroup', {
  key: Type.String({
    description: 'Value of the filter `package`, `rule` or `repo` that lists the group.',
  }),
  name: Type.String(),
  total: Type.Integer(),
  by_severity: BySeverity,
  repositories: Type.Integer({ description: 'Number of repositories with it.' }),
  upgrade: Type.Union([Type.Object({ version: Type.String(), clears: Type.Integer() }), Type.Null()], {
    description:
      'For a package: the version that has every known fix, and how many vulnerabilities it fixes.',
  }),
});

export const Groups = namedObject('VulnerabilityGroups', {
  by: Type.String({ description: groupings.join(', ') }),
  total: Type.Integer({ description: 'Number of all groups; `items` has the most severe of them.' }),
  items: Type.Array(Group),
});

/** Returns the groups of the list with these filters. Throws as the list does. */
export async function readGroups(
  db: Database,
  principal: Principal,
  by: Grouping,
  limit: number,
  query: FilterQuery,
): Promise<Static<typeof Groups>> {
  // Like searches, groups keep a processor of the database busy, so only a few run at once.
  return listSearchTx(db, principal.tenant.id, async (tx) => {
    const filter = await resolveFilter(tx, principal, query);
    const { scope } = filter;
    if (scope === null) return { by, total: 0, items: [] };
    return boundedSearch(tx, filter, async () => {
      const isAllowed = (packedState: number): boolean => allows(filter, unpackState(packedState));
      const held = heldScope(scope, filter, query);
      const [counts, worst] = await Promise.all([
        countPackedStates(tx, scope, filter),
        held && listOpenGroups(tx, held, by, limit),
      ]);
      const rows = rowsOf(tx, scope, filter, counts.map((count) => count.packed_state).filter(isAllowed));
      const groups = worst ?? (await countGroups(tx, rows, by, limit));
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

function itemOf(by: Grouping, { total, counts }: CountedGroup, detail: GroupDetail | undefined) {
  const { name = '', repositories = 1, versions = [], fixed = 0 } = detail ?? {};
  const version = by === 'package' ? highestOfGroup(purlTypeOf(name), versions) : null;
  return {
    key: name,
    name: by === 'package' ? packageName(name) : name,
    total,
    by_severity: Object.fromEntries(
      severities.map((severity, rank) => [severity, counts.at(-1 - rank) ?? 0] as const).reverse(),
    ),
    repositories,
    upgrade: version === null ? null : { version, clears: fixed },
  };
}

interface GroupDetail {
  key: string;
  name: string;
  repositories: number;
  /** The versions that fix a vulnerability of the group. */
  versions: string[];
  /** The number of vulnerabilities that have such a version. */
  fixed: number;
}

/** The column of a vulnerability v that groups it. Each has an index of its own. */
const keys: Record<Grouping, string> = {
  package: 'package_key',
  rule: 'rule_key',
  repository: 'repository_id',
};

const perSeverity = severities
  .map((_, rank) => `coalesce(sum(n) filter (where ${sqlSeverityRank('packed_state')} = ${rank}), 0)::int`)
  .reverse()
  .join(', ');

async function countGroups(tx: Tx, rows: RowsOf, by: Grouping, limit: number): Promise<CountedGroup[]> {
  const { parameters, queries, from, where, state } = rows();
  const column = keys[by];
  return tx.query<CountedGroup>(
    `${withClause(queries)} select c.key::text as key, sum(c.n)::int as total, count(*) over ()::int as groups,
            array[${perSeverity}] as counts
       from (select v.${column} as key, l.${state} as packed_state, count(*) as n
               from ${from} where ${[...where, `v.${column} is not null`].join(' and ')} group by 1, 2) c
      group by c.key order by counts desc, c.key limit ${parameters.add(limit)}`,
    parameters.values,
  );
}

async function describeGroups(
  tx: Tx,
  rows: RowsOf,
  by: Grouping,
  groups: string[],
): Promise<Map<string, GroupDetail>> {
  if (by === 'repository') return nameRepositories(tx, groups);
  const { parameters, tenant, queries, from, where } = rows();
  const column = keys[by];
  // The index of rules has no versions, because a rule has none.
  const fixes =
    by === 'package'
      ? `${sqlComparedVersions('v.fix_version')} as versions, count(v.fix_version)::int as fixed`
      : `'{}'::text[] as versions, 0 as fixed`;
  const found = await tx.query<GroupDetail>(
    `${withClause(queries)} select g.key::text as key, g.repositories, g.versions, g.fixed,
            (select n.${by} from vulnerability n where n.tenant_id = ${tenant} and n.${column} = g.key limit 1) as name
       from (select v.${column} as key, count(distinct v.repository_id)::int as repositories,
                    ${fixes}
               from ${from} where ${[...where, `v.${column} = any(${parameters.add(groups)}::bigint[])`].join(' and ')}
              group by 1) g`,
    parameters.values,
  );
  return new Map(found.map((row) => [row.key, row]));
}

const columns = ['package_key', 'rule_key', 'repository_id', 'fix_version'];

async function nameRepositories(tx: Tx, ids: string[]): Promise<Map<string, GroupDetail>> {
  const found = await tx.query<{ key: string; name: string }>(
    'select id as key, full_name as name from repository where tenant_id = $1 and id = any($2::uuid[])',
    [tx.tenantId, ids],
  );
  return new Map(found.map((row) => [row.key, { ...row, repositories: 1, versions: [], fixed: 0 }]));
}

/** The rows of the list l with their vulnerabilities v, as parts of a statement with parameters of its own. */
type RowsOf = () => {
  parameters: Parameters;
  tenant: string;
  queries: string[];
  from: string;
  where: string[];
  state: string;
};

function rowsOf(tx: Tx, scope: CountedScope, filter: ListFilter, packedStates: number[]): RowsOf {
  return () => {
    const parameters = new Parameters();
    const tenant = parameters.add(tx.tenantId);
    const { queries, from, isWhole, where, id, state } = hasCandidates(filter)
      ? candidates(scope, filter, tenant, parameters)
      : allRows(scope, filter, tenant, parameters);
    const isAllowed = `l.${state} = any(${parameters.add(packedStates)}::smallint[])`;
    // The whole workspace is read in the index of the keys. There PostgreSQL 18 would search the states for each key
    // anew, which takes four times as long as to test the entries.
    const readsByKey = !hasCandidates(filter) && ['tenant', 'default-branches'].includes(scope.kind);
    return {
      parameters,
      tenant,
      queries,
      from: isWhole
        ? `${from} cross join lateral (select ${columns.map((column) => `l.${column}`).join(', ')}) v`
        : `${from} join vulnerability v on v.tenant_id = ${tenant} and v.id = l.${id}`,
      where: [...where, readsByKey ? withoutIndex(isAllowed) : isAllowed],
      state,
    };
  };
}

function allRows(
  scope: CountedScope,
  filter: ListFilter,
  tenant: string,
  parameters: Parameters,
): Pick<Candidates, 'queries' | 'from' | 'isWhole' | 'where' | 'id' | 'state'> {
  const { table, id, state, where } = sourceOf(scope, parameters);
  const { introducedSince: since } = filter;
  return {
    queries: [],
    from: `${table} l`,
    isWhole: table === 'vulnerability',
    where: [
      `l.tenant_id = ${tenant}`,
      ...(where === '' ? [] : [where]),
      ...(since === null ? [] : [`l.introduced_at >= ${parameters.add(since.toISOString())}::timestamptz`]),
    ],
    id,
    state,
  };
}
