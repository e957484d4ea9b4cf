/** `/packages`: the list, one package, and its usages; with the licenses and ecosystems that filter the list. */
import { Type } from 'typebox';
import { listReadTx, listSearchTx } from '../../db/database.ts';
import { tenantIdOf } from '../../http/access.ts';
import { declareFilters, idIn, openPage, pageParameters } from '../../http/page.ts';
import { list, page, paramsWith } from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { listUsages } from './detail-store.ts';
import { listEcosystems, listLicenses } from './license-store.ts';
import {
  Ecosystem,
  License,
  PackageDetail,
  PackageItem,
  PackageUsage,
  packageItem,
  packageUsage,
} from './schema.ts';
import { findPackages, getPackage, getPackageDetail, getVersionId, packageFilters } from './service.ts';

// The answers count vulnerabilities too.
const access = { scopes: ['repositories:read', 'vulnerabilities:read'] } as const;
const accessToNames = { scopes: ['repositories:read'] } as const;
const tags = ['Packages'];

// A report may name any type of package URL. Nobody chooses from more than these.
const maxEcosystems = 100;

const usageFilters = declareFilters({
  version: { schema: Type.String({ maxLength: 255, description: 'Id of a version, pkgv_….' }) },
});

const packageParams = paramsWith({ package: 'Id of the package, pkg_….' });

export function packageRoutes(app: Server): void {
  const { db, cursors } = app.deps;

  app.get('/api/v1/:tenant_slug/packages', {
    config: { access },
    schema: {
      operationId: 'listPackages',
      tags,
      summary: 'List the packages in use, with their licenses and open vulnerabilities',
      querystring: Type.Object({ ...packageFilters.parameters, ...pageParameters }),
      response: { 200: page(PackageItem) },
    },
    handler: async (request) => {
      const tenantId = tenantIdOf(request);
      const { query } = request;
      const list = openPage(cursors, [tenantId, 'listPackages'], query);
      const read = query.q === undefined ? listReadTx : listSearchTx;
      const rows = await read(db, tenantId, (tx) => findPackages(tx, query, list.afterId, list.take));
      return list.answer(rows, packageItem, (last) => [last.id]);
    },
  });

  app.get('/api/v1/:tenant_slug/packages/:package', {
    config: { access },
    schema: {
      operationId: 'getPackage',
      tags,
      summary: 'Show a package with its versions and advisories',
      params: packageParams,
      response: { 200: PackageDetail },
    },
    handler: async (request) =>
      listReadTx(db, tenantIdOf(request), (tx) => getPackageDetail(tx, request.params.package)),
  });

  app.get('/api/v1/:tenant_slug/packages/:package/usages', {
    config: { access },
    schema: {
      operationId: 'listPackageUsages',
      tags,
      summary: 'List the repositories and references that use a package',
      params: packageParams,
      querystring: Type.Object({ ...usageFilters.parameters, ...pageParameters }),
      response: { 200: page(PackageUsage) },
    },
    handler: async (request) => {
      const tenantId = tenantIdOf(request);
      const { version } = request.query;
      const list = openPage(cursors, [tenantId, 'listPackageUsages', request.params.package], request.query);
      const [versionAfter, referenceId, manifestId] = list.after ?? [];
      const after = list.after && {
        versionId: idIn(versionAfter),
        referenceId: idIn(referenceId),
        manifestId: idIn(manifestId),
      };
      const rows = await listReadTx(db, tenantId, async (tx) => {
        const { id } = await getPackage(tx, request.params.package);
        const versionId = version === undefined ? null : await getVersionId(tx, id, version);
        return listUsages(tx, { packageId: id, versionId }, after, list.take);
      });
      return list.answer(rows, packageUsage, (last) => [
        last.version_id,
        last.reference_id,
        last.manifest_id,
      ]);
    },
  });

  app.get('/api/v1/:tenant_slug/licenses', {
    config: { access: accessToNames },
    schema: {
      operationId: 'listLicenses',
      tags,
      summary: 'List the licenses of packages in use',
      querystring: Type.Object(pageParameters),
      response: { 200: page(License) },
    },
    handler: async (request) => {
      const tenantId = tenantIdOf(request);
      const list = openPage(cursors, [tenantId, 'listLicenses'], request.query);
      const rows = await listSearchTx(db, tenantId, (tx) => listLicenses(tx, list.afterId, list.take));
      return list.answer(
        rows,
        ({ name, packages }) => ({ name, packages }),
        (last) => [last.id],
      );
    },
  });

  app.get('/api/v1/:tenant_slug/ecosystems', {
    config: { access: accessToNames },
    schema: {
      operationId: 'listEcosystems',
      tags,
      summary: 'List the types of package URLs that reports have named',
      response: { 200: list(Ecosystem) },
    },
    handler: async (request) => {
      const types = await listReadTx(db, tenantIdOf(request), (tx) => listEcosystems(tx, maxEcosystems));
      return { items: types.map((ecosystem) => ({ ecosystem })) };
    },
  });
}
