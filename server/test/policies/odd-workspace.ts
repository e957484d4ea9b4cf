/**
 * A workspace for conditions: reports of every kind through the real import, and then rows that ordinary reports do not
 * combine, written directly to the database.
 */

import type pg from 'pg';
import { applyInventory } from '../../src/actions/inventory-file/apply.ts';
import { importTx } from '../../src/db/database.ts';
import { newId } from '../../src/domain/ids.ts';
import { types } from '../../src/domain/packed-state.ts';
import { repositorySources } from '../../src/domain/repository-enums.ts';
import { parseInventory } from '../../src/inventory/file/document.ts';
import { createRandomWorkspace } from '../api/random-workspace.ts';
import { importAll } from '../support/import.ts';
import { type Random, randomOf } from '../support/random.ts';
import { trivyImage } from '../support/scanner-reports.ts';
import type { TestServer } from '../support/server.ts';
import { trivyReport } from '../support/tool-reports.ts';
import { reportInput, type TestWorkspace } from '../support/workspace.ts';
import { scatterRows } from './odd-rows.ts';

// Repositories in addition to those of the random workspace. Some never have a report.
const odd = [
  'acme/Empty_100%',
  'Umbrella/Über_Team/x',
  'umbrella/quiet',
  'acme/a_b',
  'acme/aXb',
  "o'neil/*?",
];

const inventory = `
organizations: [{full_path: acme}, {full_path: Umbrella, parent: acme}]
repositories:
${[...odd, 'acme/shop', 'acme/api']
  .map((name, i) => `  - {full_name: "${name}", source: ${repositorySources[i % repositorySources.length]}}`)
  .join('\n')}
applications:
  - {name: Shop, repositories: [acme/shop, acme/api, acme/a_b]}
  - {name: "ÜBER 100%_*", repositories: [acme/shop, Umbrella/Über_Team/x]}
  - {name: nobody's, repositories: []}
`;

const packages: [purl: string, version: string | null, licenses: string[]][] = [
  ['pkg:npm/%40babel/core', '7.0.0', ['MIT']],
  ['pkg:npm/left-pad', '1.0.0', ['WTFPL', 'MIT']],
  ['pkg:npm/left-pad', '1.1.0', []],
  ['pkg:pypi/django', '5.0', ['BSD-3-Clause']],
  ['pkg:maven/org.acme/shop-core', '2.0-SNAPSHOT', ['AGPL-3.0-only']],
  ['pkg:deb/debian/libstdc%2B%2B6', '12.2.0-14', ['GPL-3.0-only']],
  ['pkg:golang/github.com/acme/kit', 'v1.2.3', ['Apache-2.0']],
  ['pkg:cargo/serde', '1.0.1', ['MIT OR Apache-2.0']],
  ['pkg:generic/openssl', null, []],
  ['pkg:gem/rails', '7.1.0', ['MIT']],
  ['pkg:nuget/Acme.Core', '3.1.0', []],
  ['pkg:composer/acme/kit', '2.0', []],
  ['pkg:pub/http', '1.0.0', []],
  ['pkg:hex/phoenix', '1.7.0', []],
  ['pkg:swift/github.com/acme/kit', '1.0', []],
  ['pkg:cocoapods/Alamofire', '5.0', []],
  ['pkg:hackage/aeson', '2.2', []],
  ['pkg:cran/ggplot2', '3.5', []],
  ['pkg:conan/zlib', '1.3', []],
];

function sbom(content: typeof packages): object {
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    components: content.map(([purl, version, licenses]) => ({
      type: 'library',
      name: decodeURIComponent(purl.replace(/^.*\//, '')),
      ...(version === null ? {} : { version }),
      purl: version === null ? purl : `${purl}@${encodeURIComponent(version)}`,
      licenses: licenses.map((id) => (id.includes(' ') ? { expression: id } : { license: { id } })),
    })),
  };
}

/** `now` is the moment for ages at their limits. */
export async function createOddWorkspace(
  server: TestServer,
  slug: string,
  seed: number,
  now: Date,
): Promise<TestWorkspace> {
  const random = randomOf(seed);
  const workspace = await createRandomWorkspace(server, slug, seed);
  const { tenant } = workspace;
  await importTx(server.db, tenant.id, (tx) => applyInventory(tx, parseInventory(inventory)));
  const some = (): typeof packages => packages.filter(() => random(10) < 7);
  const image = (name: string, count: number): object =>
    trivyImage(
      name,
      Array.from({ length: count }, (_, i) => ({ id: `CVE-2031-${i}`, package: `lib${i}`, version: '1' })),
    );
  const advisories = ['GHSA-aaaa-bbbb-cccc', 'CVE-2021-44228'].map((id) => ({
    id,
    package: '@babel/core',
    severity: 'HIGH' as const,
    fixed: '8.0.0',
  }));
  await importAll(server, slug, [
    reportInput(sbom(packages), { environment: 'production' }),
    reportInput(sbom(some()), { ref: 'feature/a', environment: 'staging_eu' }),
    reportInput(sbom(some()), { ref: 'refs/pull/7/head' }),
    reportInput(sbom(some()), { repository: 'acme/api', ref: 'refs/tags/v1' }),
    ...odd
      .slice(1)
      .flatMap((repository) => [
        reportInput(sbom(some()), { repository }),
        reportInput(sbom(some()), { repository, ref: 'fix/100%_Ü' }),
        reportInput(sbom(some()), { repository, ref: 'refs/tags/v1_%' }),
        reportInput(trivyReport({ packages: advisories }), { repository, ref: 'refs/tags/v1_%' }),
        reportInput(trivyReport({ packages: advisories }), { repository, ref: 'feature/a' }),
      ]),
    reportInput(image('registry.acme.test/shop/web:1.2', 3)),
    reportInput(image('registry.acme.test/shop/api:latest', 2), { repository: 'acme/api', ref: 'feature/a' }),
  ]);
  await addRows(server.owner, tenant.id, random);
  await scatterRows(server.owner, tenant.id, random, now);
  return workspace;
}

// Rows that the import or an inventory adds by itself stay unchanged.
async function addRows(owner: pg.Pool, tenantId: string, random: Random): Promise<void> {
  const { rows } = await owner.query<{ id: string }>('select id from repository where tenant_id = $1', [
    tenantId,
  ]);
  for (const { id } of rows) {
    for (const type of types) {
      await owner.query(
        `insert into analysis (tenant_id, id, repository_id, type) values ($1, $2, $3, $4) on conflict do nothing`,
        [tenantId, newId(), id, type],
      );
    }
    for (const [i, name] of ['branch_protection', 'required_reviews', 'Über_%'].entries()) {
      await owner.query(
        `insert into provider_setting (tenant_id, id, repository_id, name, value, manual_override, changed_at)
         values ($1, $2, $3, $4, $5, $6, now()) on conflict do nothing`,
        [
          tenantId,
          newId(),
          id,
          name,
          ['true', 'false', '2', 'enabled', 'a_b%'][random(5)],
          (i + random(2)) % 2 === 0,
        ],
      );
    }
  }
  for (const name of ['docker.io/library/node', 'ghcr.io/Acme/web_1', 'localhost:5000/ü%']) {
    await owner.query(
      `insert into asset (tenant_id, id, name, type) values ($1, $2, $3, 'container_image') on conflict do nothing`,
      [tenantId, newId(), name],
    );
  }
  await owner.query('update repository set is_exposed = ascii(right(name, 1)) % 2 = 0 where tenant_id = $1', [
    tenantId,
  ]);
  const { rows: names } = await owner.query<{ name: string }>(
    `select distinct name from vulnerability,
            unnest(array_append(identifiers, advisory) || array['CVE-2021-44228', 'CVE-2031-1']) name
      where tenant_id = $1 and name is not null order by 1`,
    [tenantId],
  );
  for (const { name } of names) {
    if (random(2) === 0) {
      const score = [0, 0.00043, 0.1, 0.5, 0.97, 1][random(6)];
      await owner.query('insert into epss (cve, score, percentile) values ($1, $2, 0.5)', [name, score]);
    }
    if (random(3) === 0) {
      const due = [null, '2024-01-31', '2024-02-01'][random(3)];
      await owner.query(
        `insert into kev (cve, added_on, due_on, vendor, product, name) values ($1, '2024-01-01', $2, 'a', 'b', 'c')`,
        [name, due],
      );
    }
    if (random(2) === 0) {
      await owner.query(
        `insert into ssvc (cve, exploitation, automatable, technical_impact, assessed_at) values ($1, 'poc', $2, $3, now())`,
        [name, random(2) === 0, random(2) === 0 ? 'total' : 'partial'],
      );
    }
  }
}
