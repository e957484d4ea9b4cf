/**
 * Filters that start from an index of their own: ids, assignee, team, exploitable, EPSS score, package, rule, due date,
 * commit, terms. The rows that they find are the candidates of a list, which are counted and sorted.
 */
import type { Parameters } from '../db/database.ts';
import { withoutIndex } from '../db/planner-hints.ts';
import type { DueRange } from '../domain/due.ts';
import { unresolvedOfVulnerabilities } from '../domain/violation-state.ts';
import { sqlWithCve } from './cves.ts';
import { sqlIsLikely, sqlLikely } from './epss-band-store.ts';
import type { ListFilter } from './filters.ts';
import type { PackageFilter } from './package-filter.ts';
import { type CountedScope, sourceOf } from './scope.ts';
import { advisoryOf, prefixEnd } from './search-terms.ts';

/** The filters whose index has packed states, time and id of its rows. */
type PageIndex = 'assignee' | 'team' | 'exploitable' | 'epss' | 'package' | 'due';

export interface Candidates {
  /** The named queries that the rows of the list (l) depend on. */
  queries: string[];
  from: string;
  /** True if l has all columns of a vulnerability, and not only those of a list. */
  isWhole: boolean;
  where: string[];
  /**
   * The index alone counts the rows. That of words has neither their ids nor their times, the others have all that a
   * page is found by; null if the table is read too.
   */
  countedIn: 'words' | PageIndex | null;
  /** Columns of l with the vulnerability's id and its packed state in the scope. */
  id: string;
  state: string;
}

/**
 * Selects the rows of the scope whose vulnerability matches all these filters. They are conditions on the
 * vulnerability's own row, so only an index that contains these columns is read.
 */
export function candidates(
  scope: CountedScope,
  filter: ListFilter,
  tenant: string,
  parameters: Parameters,
): Candidates {
  const source = sourceOf(scope, parameters);
  const { id, state } = source;
  const own: string[] = [];
  const queries: string[] = [];
  const terms = conditionsOf(filter.terms, tenant, parameters);
  own.push(...terms.conditions);
  if (terms.keys !== null) {
    queries.push(`worded as materialized (select array(${terms.keys}) as keys)`);
    own.push('l.search_key = any((select keys from worded)::bigint[])');
  }
  if (filter.ids !== null) own.push(`l.id = any(${parameters.add(filter.ids)}::uuid[])`);
  if (filter.assigneeId !== null) own.push(`l.assignee_id = ${parameters.add(filter.assigneeId)}`);
  if (filter.teamIds !== null) own.push(`l.team_id = any(${parameters.add(filter.teamIds)}::uuid[])`);
  if (filter.exploitable) own.push('l.exploitable_at is not null');
  if (filter.sha !== null) own.push(`l.id in (${seenAt(filter.sha, tenant, parameters)})`);
  if (filter.package !== null) own.push(...ofPackage(filter.package, parameters));
  if (filter.rule !== null) {
    const rule = parameters.add(filter.rule);
    own.push(`l.rule_key = hashtextextended(${rule}, 0) and l.rule = ${rule}`);
  }
  if (filter.epss?.band != null) own.push(`l.epss_band >= ${parameters.add(filter.epss.band)}`);
  else if (filter.epss !== null) {
    queries.push(sqlLikely(parameters.add(filter.epss.min)));
    own.push(sqlIsLikely('l', tenant));
  }
  // Violations alone list what is due, unless there is another filter. Then they only give the ids.
  const due = filter.due && dueIn(filter.due, scope, tenant, parameters);
  const listsByDue = due !== null && own.length === 0;
  if (due !== null && !listsByDue) own.push(`l.id = any(array(select d.id from (${due}) d))`);
  const isOne = own.length === (listsByDue ? 0 : 1) && filter.introducedSince === null;
  if (filter.introducedSince !== null) {
    own.push(`l.introduced_at >= ${parameters.add(filter.introducedSince.toISOString())}::timestamptz`);
  }
  const table = listsByDue ? `(${due})` : 'vulnerability';
  const ofTenant = [`l.tenant_id = ${tenant}`, ...own];
  // In an index with both packed states, PostgreSQL 18 would skip from one state to the next for a plain condition,
  // which takes longer than to read all of its entries.
  const onDefault = withoutIndex('l.default_branch_state is not null');
  const within = scope.kind === 'default-branches' ? [onDefault] : source.where === '' ? [] : [source.where];
  if (source.table === 'vulnerability') {
    const isCounted = isOne && ['tenant', 'default-branches'].includes(scope.kind);
    const countedIn = !isCounted ? null : terms.keys !== null ? 'words' : pageIndexOf(filter);
    return {
      queries,
      from: `${table} l`,
      isWhole: !listsByDue,
      where: [...ofTenant, ...within],
      countedIn,
      id,
      state,
    };
  }
  return {
    queries: [
      ...queries,
      `candidate as materialized (select l.id from ${table} l where ${ofTenant.join(' and ')})`,
    ],
    from: `candidate c join ${source.table} l on l.tenant_id = ${tenant} and l.${id} = c.id`,
    isWhole: false,
    where: within,
    countedIn: null,
    id,
    state,
  };
}

function pageIndexOf(filter: ListFilter): PageIndex | null {
  if (filter.assigneeId !== null) return 'assignee';
  if (filter.teamIds !== null) return 'team';
  if (filter.exploitable) return 'exploitable';
  if (filter.epss?.band != null) return 'epss';
  if (filter.due !== null) return 'due';
  return filter.package === null ? null : 'package';
}

/** SQL of the numbers of the candidates that meet these conditions too, by packed state (packed_state, n). */
export function countCandidates({ from, where, state }: Candidates, conditions: string[] = []): string {
  return `select l.${state} as packed_state, count(*)::int as n from ${from}
     where ${[...where, ...conditions].join(' and ')} group by l.${state}`;
}

function ofPackage({ names, purl, endings }: PackageFilter, parameters: Parameters): string[] {
  return [
    `l.package_name = any(${parameters.add(names)}::text[])`,
    ...(purl === null ? [] : [`l.package = ${parameters.add(purl)}`]),
    ...(endings.length === 0
      ? []
      : [
          `exists (select 1 from unnest(${parameters.add(endings)}::text[]) e (ending)
                    where right(l.package, length(e.ending)) = e.ending)`,
        ]),
  ];
}

// Selects the vulnerabilities whose first unresolved violation is due in the range, with the columns of a list.
function dueIn({ from, to }: DueRange, scope: CountedScope, tenant: string, parameters: Parameters): string {
  const start = parameters.add(from?.toISOString() ?? '-infinity');
  const end = parameters.add(to?.toISOString() ?? 'infinity');
  // The index of the violations of a repository begins with their state.
  const inRepository = ['repository', 'repositories'].includes(scope.kind)
    ? `and p.packed_state in (${unresolvedOfVulnerabilities.join(', ')})`
    : '';
  return `select p.tenant_id, p.repository_id, p.target_id as id, p.vulnerability_state as packed_state, p.default_branch_state,
            p.introduced_at
       from policy_violation p
      where p.tenant_id = ${tenant} and p.vulnerability_state is not null ${inRepository}
        and p.due_at >= ${start}::timestamptz and p.due_at < ${end}::timestamptz`;
}

/**
 * Returns conditions on a vulnerability `l` for the search terms: each is in the title or the package's name, or is the
 * id of the advisory under any of its names.
 */
export function bearing(terms: string[], tenant: string, parameters: Parameters): string[] {
  const { conditions, keys } = conditionsOf(terms, tenant, parameters);
  return keys === null ? conditions : [...conditions, `l.search_key in (${keys})`];
}

/** `keys`: SQL of a query for the search keys that have all the words; null if all terms are ids of advisories. */
function conditionsOf(
  terms: string[],
  tenant: string,
  parameters: Parameters,
): { conditions: string[]; keys: string | null } {
  const conditions: string[] = [];
  const titled: string[] = [];
  for (const term of terms) {
    const own = parameters.add(term);
    const keysOf = (condition: string): string =>
      `select search_key from search_text where tenant_id = ${tenant}
          and text_key = any(array(select text_key from search_term where tenant_id = ${tenant} and ${condition}))`;
    const advisory = advisoryOf(term);
    if (advisory === null)
      titled.push(keysOf(`term >= ${own} and term < ${parameters.add(prefixEnd(term))}`));
    else {
      const name = parameters.add(advisory);
      const of = `select id from vulnerability where tenant_id = ${tenant} and`;
      conditions.push(`l.id in (${of} search_key in (${keysOf(`term = ${own}`)}) union all ${sqlWithCve(`select ${name}::text`)}
        union all ${of} advisory in (select advisory from advisory_alias
          where tenant_id = ${tenant} and alias = ${name} and state = 'joins'))`);
    }
  }
  return { conditions, keys: titled.length === 0 ? null : titled.join(' intersect ') };
}

// Selects the vulnerabilities that completed scans of the commit saw. Open and ended observations have an index each;
// one condition for both would search the whole table.
function seenAt(sha: string, tenant: string, parameters: Parameters): string {
  const from = parameters.add(sha);
  const to = parameters.add(`${sha}g`);
  const observations = ['g.until_seq is null', 'g.until_seq > t.seq'].map(
    (until) => `select g.vulnerability_id from scan s
       join series_scan t on t.tenant_id = ${tenant} and t.scan_id = s.id
       join location_observation g on g.tenant_id = ${tenant} and g.series_id = t.series_id and g.detached = t.detached
        and g.since_seq <= t.seq and ${until}
      where s.tenant_id = ${tenant} and s.status = 'completed' and s.sha >= ${from} and s.sha < ${to}`,
  );
  return observations.join(' union all ');
}
