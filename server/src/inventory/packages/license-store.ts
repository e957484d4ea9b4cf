/** SQL of licenses and ecosystems, by which the list of packages is filtered. */
import type { Tx } from '../../db/database.ts';
import { separate } from '../../db/planner-hints.ts';
import { isUsed } from './usage-sql.ts';

export interface LicenseRow {
  id: string;
  name: string;
  packages: number;
}

/** The licenses of packages in use after `afterId`, by name, with the number of packages. */
export async function listLicenses(tx: Tx, afterId: string | null, limit: number): Promise<LicenseRow[]> {
  return tx.query<LicenseRow>(
    `select c.id, c.name, n.packages
       from ${separate(`select id, name from license
         where tenant_id = $1 and name > coalesce((select name from license where tenant_id = $1 and id = $2), '')
         order by name`)} c
       cross join lateral (select count(*)::int as packages from package_license p
              where p.tenant_id = $1 and p.license_id = c.id
                and ${isUsed('p.package_id', { where: 'c.name = any(v.licenses)' })}) n
      where n.packages > 0
      order by c.name limit $3`,
    [tx.tenantId, afterId, limit],
  );
}

export async function findLicense(tx: Tx, name: string): Promise<{ id: string; name: string } | undefined> {
  const [row] = await tx.query<{ id: string; name: string }>(
    'select id, name from license where tenant_id = $1 and name = $2',
    [tx.tenantId, name],
  );
  return row;
}

/** The types of the package URLs in the workspace, each by one look-up in the index. */
export async function listEcosystems(tx: Tx, limit: number): Promise<string[]> {
  const next = (condition: string): string =>
    `select p.package_type from package p where p.tenant_id = $1 and ${condition} order by p.package_type limit 1`;
  const rows = await tx.query<{ package_type: string }>(
    `with recursive found as ((${next('true')}) union all
       select (${next('p.package_type > k.package_type')}) from found k where k.package_type is not null)
     select package_type from found where package_type is not null limit $2`,
    [tx.tenantId, limit],
  );
  return rows.map((row) => row.package_type);
}
