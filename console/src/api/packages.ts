/** Packages: the list of packages in use, their usages, and their licenses. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type Answer, api, type Query } from './client.ts';

export type Package = Answer<'listPackages'>['items'][number];
export type PackageDetail = Answer<'getPackage'>;
export type PackageUsage = Answer<'listPackageUsages'>['items'][number];
export type License = Answer<'listLicenses'>['items'][number];

export function packagesQuery(slug: string, filters: Query<'listPackages'>) {
  return queryOptions({
    queryKey: ['packages', slug, filters],
    queryFn: ({ signal }) => api.listPackages({ path: { tenant_slug: slug }, query: filters, signal }),
    placeholderData: keepPreviousData,
  });
}

export function packageQuery(slug: string, id: string) {
  return queryOptions({
    queryKey: ['package', slug, id],
    queryFn: ({ signal }) => api.getPackage({ path: { tenant_slug: slug, package: id }, signal }),
  });
}

/** The usages of a package. `version` is the id of one version. */
export function packageUsagesQuery(slug: string, id: string, filters: Query<'listPackageUsages'>) {
  return queryOptions({
    queryKey: ['package-usages', slug, id, filters],
    queryFn: ({ signal }) =>
      api.listPackageUsages({ path: { tenant_slug: slug, package: id }, query: filters, signal }),
    placeholderData: keepPreviousData,
  });
}

export function licensesQuery(slug: string, filters: Query<'listLicenses'>) {
  return queryOptions({
    queryKey: ['licenses', slug, filters],
    queryFn: ({ signal }) => api.listLicenses({ path: { tenant_slug: slug }, query: filters, signal }),
    placeholderData: keepPreviousData,
  });
}

export function ecosystemsQuery(slug: string) {
  return queryOptions({
    queryKey: ['ecosystems', slug],
    queryFn: ({ signal }) => api.listEcosystems({ path: { tenant_slug: slug }, signal }),
  });
}
