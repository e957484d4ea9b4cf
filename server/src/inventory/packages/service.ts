/** Reads the filters of the list of packages, and finds a package by its id. */
import type { Tx } from '../../db/database.ts';
import { orNotFound, resourceNotFound } from '../../domain/errors.ts';
import { getId, type PackageId, type PackageVersionId, parseId } from '../../domain/ids.ts';
import { listParameter } from '../../http/input.ts';
import { declareFilters, type QueryOf, textFilter } from '../../http/page.ts';
import { oneOf } from '../../http/schema.ts';
import { barePurl } from '../../parsers/reading/purl.ts';
import { getRepository } from '../repositories/service.ts';
import { isVersionOf, listAdvisories, listVersions } from './detail-store.ts';
import { findLicense } from './license-store.ts';
import { findPackage, listPackages, type PackageRow } from './list-store.ts';
import { searchedTerm } from './package-terms.ts';
import { maxShownAdvisories, maxVersions, packageDetail } from './schema.ts';

const filters = {
  q: { schema: textFilter(500, 'Beginning of the name or of a part of it, or a package URL.') },
  ecosystem: {
    schema: listParameter('Types of package URLs, such as npm, maven and deb.', { maxItems: 20 }),
  },
  license: { schema: textFilter(500, 'Name of a license, as in the list of licenses.') },
  vulnerable: {
    schema: oneOf(
      ['yes', 'no'],
      'Only packages with open vulnerabilities (in the repository, with `repo`), or only those without.',
    ),
  },
  repo: { schema: textFilter(255, 'Only packages that this repository uses: id or full name.') },
};
export const packageFilters = declareFilters(filters);
export type PackageQuery = QueryOf<typeof filters>;

/** Throws 404 for an unknown repository. A license or package URL that no package has gives an empty list. */
export async function findPackages(
  tx: Tx,
  { q, ecosystem, license, vulnerable, repo }: PackageQuery,
  afterId: PackageId | null,
  limit: number,
): Promise<PackageRow[]> {
  const [repository, known] = await Promise.all([
    repo === undefined ? null : getRepository(tx, repo),
    license === undefined ? null : findLicense(tx, license),
  ]);
  const isPurl = q !== undefined && /^pkg:/i.test(q);
  const purl = isPurl ? barePurl(`pkg:${q.slice(4)}`)?.purl : null;
  if (known === undefined || purl === undefined) return [];
  const filter = {
    term: q === undefined || isPurl ? null : searchedTerm(q),
    purl,
    ecosystems: ecosystem === undefined ? null : [...new Set(ecosystem)],
    license: known,
    vulnerable: vulnerable === undefined ? null : vulnerable === 'yes',
    repositoryId: repository?.id ?? null,
  };
  return listPackages(tx, filter, afterId, limit);
}

/** Throws 404, also for a package that no active reference has any more. */
export async function getPackage(tx: Tx, text: string): Promise<PackageRow> {
  return orNotFound(await findPackage(tx, getId('package', text)));
}

/** Throws 404 for a version of another package. */
export async function getVersionId(tx: Tx, packageId: PackageId, text: string): Promise<PackageVersionId> {
  const id = parseId('packageVersion', text);
  if (id === undefined || !(await isVersionOf(tx, packageId, id))) throw resourceNotFound();
  return id;
}

export async function getPackageDetail(tx: Tx, text: string) {
  const row = await getPackage(tx, text);
  const [versions, advisories] = await Promise.all([
    listVersions(tx, row.id, maxVersions),
    listAdvisories(tx, row.id, maxShownAdvisories),
  ]);
  return packageDetail(row, versions, advisories);
}
