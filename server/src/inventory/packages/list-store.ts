/** SQL of the list of packages. Each filter that finds few packages has an index that the list reads first. */
import { Parameters, type Tx } from '../../db/database.ts';
import { rowByKey, rowsByKey, separate } from '../../db/planner-hints.ts';
import type { PackageId, RepositoryId } from '../../domain/ids.ts';
import type { Severity } from '../../domain/packed-state.ts';
import { termEnd } from './package-terms.ts';
import { isUsed, openBySeverity, openOf, usagesOf } from './usage-sql.ts';

export interface PackageListFilter {
  /** The term of a search. */
  term: string | null;
  /** The package URL, without version. */
  purl: string | null;
  ecosystems: string[] | null;
  license: { id: string; name: string } | null;
  vulnerable: boolean | null;
  repositoryId: RepositoryId | null;
}

export interface PackageRow {
  id: PackageId;
  purl: string;
  package_type: string;
  namespace: string | null;
  name: string;
  versions: number;
  repositories: number;
  open: Partial<Record<Severity, number>>;
  licenses: string[];
}

/** Maximum number of licenses of a package in the answer. Only reports that write prose have more. */
const maxLicenses = 20;

/** SQL of the columns of a package `g`, which is in the FROM clause. */
const columns = `g.id, g.purl, g.package_type, g.namespace, g.name, u.versions, u.repositories,
  ${openBySeverity('g.package_key')} as open,
  array(select distinct l.name from unnest(u.version_ids) i (id)
          cross join lateral ${rowByKey('package_version w', 'i.id')}
          cross join unnest(w.licenses) l (name) order by l.name limit ${maxLicenses}) as licenses`;

const counted = `cross join lateral (
    select count(distinct v.id)::int as versions, count(distinct m.repository_id)::int as repositories,
           array_agg(distinct v.id) as version_ids
      from ${usagesOf('g.id')}) u`;

export async function findPackage(tx: Tx, id: PackageId): Promise<PackageRow | undefined> {
  const [row] = await tx.query<PackageRow>(
    `select ${columns} from ${rowByKey('package g', '$2::uuid')} ${counted} where u.versions > 0`,
    [tx.tenantId, id],
  );
  return row;
}

/** Packages in use after `afterId`, by name; those of a search by the term that they have. */
export async function listPackages(
  tx: Tx,
  filter: PackageListFilter,
  afterId: PackageId | null,
  limit: number,
): Promise<PackageRow[]> {
  const { values, add } = new Parameters(tx.tenantId);
  const keys = keysOf(filter, afterId, limit, add);
  return tx.query<PackageRow>(
    `${keys} select ${columns} from page p cross join lateral ${rowByKey('package g', 'p.id')} ${counted}
      order by p.sort_key, p.id`,
    values,
  );
}

type Add = (value: unknown) => string;

/** SQL of the WITH clause: the table `page` has the ids and sort keys of the page. */
function keysOf(filter: PackageListFilter, afterId: PackageId | null, limit: number, add: Add): string {
  const { term, purl, ecosystems, license, vulnerable, repositoryId } = filter;
  const after = afterId === null ? null : `${add(afterId)}::uuid`;
  const rows = add(limit);
  const repository = repositoryId === null ? null : `${add(repositoryId)}::uuid`;
  const conditions = conditionsOf(filter, repository, add);
  const named = (of = 'g.package_name, g.id'): string =>
    after === null
      ? 'true'
      : `(${of}) > ((select package_name from package where tenant_id = $1 and id = ${after}), ${after})`;
  const page = (from: string, where: string, [key, id] = ['g.package_name', 'g.id']): string =>
    `page as materialized (select ${id} as id, ${key} as sort_key from ${from}
      where ${where} and ${conditions} order by ${key}, ${id} limit ${rows})`;

  if (purl !== null)
    return `with ${page('package g', `g.tenant_id = $1 and g.purl = ${add(purl)} and ${named()}`)}`;
  if (term !== null) return `with ${page(...termSource(term, after, add), ['t.term', 't.package_id'])}`;
  if (repository !== null) {
    return `with mine as materialized (select distinct v.package_id
        from (select id from reference where tenant_id = $1 and repository_id = ${repository} and active) f
        cross join lateral ${rowsByKey('manifest_package m', 'f.id', { column: 'reference_id', next: 'series_id' })}
        cross join lateral ${rowByKey('package_version v', 'm.package_version_id')}),
      ${page(`mine cross join lateral ${rowByKey('package g', 'mine.package_id')}`, named())}`;
  }
  if (vulnerable === true)
    return `with recursive ${vulnerableNames(after)}, ${vulnerablePage(conditions, named(), rows)}`;
  if (license !== null) {
    return `with ${page(
      `package_license c cross join lateral ${rowByKey('package g', 'c.package_id')}`,
      `c.tenant_id = $1 and c.license_id = ${add(license.id)} and ${named('c.package_name, c.package_id')}`,
      ['c.package_name', 'c.package_id'],
    )}`;
  }
  if (ecosystems !== null) {
    // One range of the index for each ecosystem.
    const range = `select * from package g where g.tenant_id = $1 and g.package_type = e.type and ${named()}
      and ${conditions} order by g.package_name, g.id limit ${rows}`;
    return `with page as materialized (select g.id, g.package_name as sort_key
      from unnest(${add(ecosystems)}::text[]) e (type) cross join lateral (${range}) g
      order by g.package_name, g.id limit ${rows})`;
  }
  return `with ${page('package g', `g.tenant_id = $1 and ${named()}`)}`;
}

function conditionsOf(
  { ecosystems, license, vulnerable }: PackageListFilter,
  repository: string | null,
  add: Add,
): string {
  const usage = [
    ...(license === null ? [] : [`${add(license.name)} = any(v.licenses)`]),
    ...(repository === null ? [] : [`m.repository_id = ${repository}`]),
  ];
  const open = openOf('g.package_key', repository === null ? undefined : `l.repository_id = ${repository}`);
  return [
    ...(ecosystems === null ? [] : [`g.package_type = any(${add(ecosystems)}::text[])`]),
    ...(vulnerable === null ? [] : [`${vulnerable ? '' : 'not '}exists (select 1 from ${open})`]),
    isUsed('g.id', usage.length === 0 ? {} : { where: usage.join(' and ') }),
  ].join(' and ');
}

/** A package counts by the first of its terms that begin with the search, so that an exact name comes first. */
function termSource(term: string, after: string | null, add: Add): [from: string, where: string] {
  const begin = add(term);
  const isFound = `e.tenant_id = $1 and e.term >= ${begin}`;
  const earlier = separate(
    `select 1 from package_term e where ${isFound} and e.package_id = t.package_id and e.term < t.term`,
  );
  const position = `(select min(e.term) from package_term e where ${isFound} and e.package_id = ${after})`;
  return [
    `package_term t cross join lateral ${rowByKey('package g', 't.package_id')}`,
    `t.tenant_id = $1 and t.term >= ${begin} and t.term < ${add(termEnd(term))}
      and ${after === null ? 'true' : `(t.term, t.package_id) > (${position}, ${after})`} and not exists ${earlier}`,
  ];
}

/** SQL of the table `named`: the package names of vulnerabilities, each by one look-up in the index, in order. */
function vulnerableNames(after: string | null): string {
  const next = (condition: string): string =>
    `select l.package_name from vulnerability l
      where l.tenant_id = $1 and l.package_name is not null and ${condition} order by l.package_name limit 1`;
  const first =
    after === null
      ? 'true'
      : `l.package_name >= (select package_name from package where tenant_id = $1 and id = ${after})`;
  return `named as ((${next(first)}) union all
    select (${next('l.package_name > n.package_name')}) from named n where n.package_name is not null)`;
}

/**
 * SQL of `page` from `named`. It has no order of its own, because a sort would read all names: the rows come in the
 * order in which the recursion finds the names.
 */
function vulnerablePage(conditions: string, after: string, rows: string): string {
  const packages = rowsByKey('package g', 'n.package_name', {
    column: 'package_name',
    next: 'id',
    where: after,
  });
  return `page as materialized (select g.id, g.package_name as sort_key from named n cross join lateral ${packages}
    where ${conditions} limit ${rows})`;
}
