/** Inserts packages into a seeded workspace: the packages of its vulnerabilities, and many without vulnerabilities. */
import type pg from 'pg';

export interface SeededPackages {
  packages: number;
  versions: number;
  usages: number;
}

/** Inserts the packages, unless the workspace has packages already, and returns the counts. */
export async function seedPackages(
  client: pg.Client,
  tenantId: string,
  wanted: { libraries: number; usages: number },
): Promise<SeededPackages> {
  const count = async (table: string): Promise<number> => {
    const { rows } = await client.query(`select count(*)::int as n from ${table} where tenant_id = $1`, [
      tenantId,
    ]);
    return rows[0]?.n;
  };
  if ((await count('package')) === 0) {
    for (const statement of statementsOf(wanted)) await client.query(statement, [tenantId]);
  }
  return {
    packages: await count('package'),
    versions: await count('package_version'),
    usages: await count('manifest_package'),
  };
}

// Half of the packages have the license MIT, the others one of a hundred. The first packages are in most repositories,
// the last in one.
const statementsOf = ({ libraries, usages }: { libraries: number; usages: number }): string[] => [
  `with named as (
     select purl from (select distinct package as purl from vulnerability where tenant_id = $1 and package is not null) v
     union
     select 'pkg:' || (array['npm', 'npm', 'npm', 'maven', 'pypi', 'golang', 'deb'])[1 + n % 7] || '/'
            || (array['lib', 'core', 'util', 'api', 'http'])[1 + n % 5] || '-' || md5(n::text) from generate_series(1, ${libraries}) n)
   insert into package (tenant_id, id, purl, package_type, namespace, name)
   select $1, gen_random_uuid(), purl, split_part(substr(purl, 5), '/', 1), null, split_part(purl, '/', -1) from named`,
  `insert into package_term (tenant_id, term, package_id)
   select distinct $1::bigint, lower(t.term), g.id from package g
     cross join lateral (select g.name as term union select regexp_replace(g.name, '^[^-]*-', '')) t
    where g.tenant_id = $1 and t.term <> ''`,
  `insert into package_version (tenant_id, id, package_id, version, purl, licenses)
   select $1, gen_random_uuid(), g.id, '1.' || n || '.0', g.purl || '@1.' || n || '.0',
          array[case when hashtext(g.purl) % 2 = 0 then 'MIT' else 'License-' || abs(hashtext(g.purl) % 100) end]
     from package g cross join generate_series(0, 1) n where g.tenant_id = $1`,
  `insert into license (tenant_id, id, name)
   select $1, gen_random_uuid(), name
     from (select distinct unnest(licenses) as name from package_version where tenant_id = $1) l`,
  `insert into package_license (tenant_id, license_id, package_name, package_id)
   select distinct $1::bigint, c.id, g.package_name, g.id
     from package_version v join package g on g.tenant_id = $1 and g.id = v.package_id
     join license c on c.tenant_id = $1 and c.name = v.licenses[1] collate "C" where v.tenant_id = $1`,
  `insert into manifest (tenant_id, id, repository_id, path, path_key, type)
   select $1, gen_random_uuid(), id, 'sbom.json', gen_random_uuid(), 'sbom' from repository where tenant_id = $1`,
  `with numbered as (
     select v.id, row_number() over (order by hashtext(g.purl), v.version) as n
       from package_version v join package g on g.tenant_id = $1 and g.id = v.package_id where v.tenant_id = $1),
   total as (select count(*) as versions from numbered),
   target as (
     select r.id, m.id as manifest_id, r.default_reference_id as reference_id, row_number() over (order by r.id) as n,
            count(*) over () as repositories
       from repository r join manifest m on m.tenant_id = $1 and m.repository_id = r.id where r.tenant_id = $1),
   -- Each version is used once. The other usages fall off steeply with the number of the version.
   chosen as (
     select 1 + (u - 1) % t.versions as version, u as seed from total t, generate_series(1, t.versions) u
     union all
     select 1 + floor(t.versions * power((u * 0.6180339887 % 1)::float8, 4))::bigint, u * 7 + 3
       from total t, generate_series(1, greatest(0, ${usages} - t.versions) * 5 / 4) u)
   insert into manifest_package (tenant_id, reference_id, series_id, manifest_id, package_version_id, repository_id,
          direct, since_scan_id)
   select $1, p.reference_id, '00000000-0000-0000-0000-000000000001', p.manifest_id, v.id, p.id, c.seed % 5 = 0,
          '00000000-0000-0000-0000-000000000001'
     from chosen c join numbered v on v.n = c.version
     join target p on p.n = 1 + abs(hashint8(c.seed)) % p.repositories
    where p.reference_id is not null
   on conflict do nothing`,
];
