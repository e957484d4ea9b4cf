/** Tests of the coverage of series after reports of several tools: types of problems, and container images. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tenantTx } from '../../src/db/database.ts';
import { nilId, type RepositoryId } from '../../src/domain/ids.ts';
import { types } from '../../src/domain/packed-state.ts';
import { ensureAnalyses } from '../../src/policies/analyses.ts';
import { createTestDatabase } from '../support/database.ts';
import { fieldsOf } from '../support/fields.ts';
import { importAll } from '../support/import.ts';
import { sarif, trivy } from '../support/reports.ts';
import { createTestWorkspace, reportInput } from '../support/workspace.ts';

const database = await createTestDatabase();
const { tenant } = await createTestWorkspace(database, 'acme');
await createTestWorkspace(database, 'other');

const day = (n: number): Date => new Date(Date.UTC(2026, 0, n));
const lodash = { id: 'CVE-2020-8203', name: 'lodash', version: '4.17.15' };

/** A Trivy report of an image with a package of its system, or with its other findings. */
function image(
  name: string,
  results: object[] = [{ Class: 'os-pkgs', Target: `${name} (debian 12)` }],
): object {
  return { SchemaVersion: 2, ArtifactName: name, ArtifactType: 'container_image', Results: results };
}

function grypeSarif(name: string | null): object {
  const [run] = sarif(
    name === null ? [] : [{ rule: 'CVE-2020-8203-lodash', path: 'image/app/package.json', line: 1 }],
    { tool: 'Grype' },
  ).runs;
  const logicalLocations = [{ fullyQualifiedName: `${name}@:/app/package.json` }];
  const results = run?.results.map((result) => ({
    ...result,
    locations: result.locations.map((location) => ({ ...location, logicalLocations })),
  }));
  return { version: '2.1.0', runs: [{ ...run, results }] };
}

/** Returns each series of the repository as `tool[/category]: types | image:tag`. */
async function seriesOf(repository: string, slug = 'acme'): Promise<string[]> {
  const { rows } = await database.owner.query(
    `select s.tool, s.category, s.analysis_types::text[], a.name, s.asset_tag, s.asset_id
       from scan_series s join repository r on r.id = s.repository_id join tenant t on t.id = s.tenant_id
       left join asset a on a.tenant_id = s.tenant_id and a.id = s.asset_id
      where r.full_name = $1 and t.slug = $2 order by 1, 2`,
    [repository, slug],
  );
  return rows.map(({ tool, category, analysis_types: looked, name, asset_tag: tag, asset_id: id }) => {
    assert.deepEqual(
      looked,
      types.filter((type) => looked.includes(type)),
      'in order',
    );
    assert.equal(name === null, id === null);
    return `${category === '' ? tool : `${tool}/${category}`}: ${looked.join()} | ${name}:${tag}`;
  });
}

async function send(
  repository: string,
  ...reports: [unknown, Parameters<typeof reportInput>[1]?][]
): Promise<void> {
  const scans = await importAll(
    database,
    'acme',
    reports.map(([report, more], i) => reportInput(report, { repository, scannedAt: day(i + 1), ...more })),
  );
  for (const scan of scans) assert.equal(scan.error, null);
}

test('each tool gives its analysis types, with or without findings', async () => {
  const repository = 'acme/tools';
  await send(
    repository,
    [sarif([])],
    [sarif([], { tool: 'Gitleaks' })],
    [{ SchemaVersion: 2, ArtifactName: '.', ArtifactType: 'filesystem' }],
    [{ check_type: 'terraform', results: { failed_checks: [] }, summary: { passed: 1, resource_count: 1 } }],
    [{ bomFormat: 'CycloneDX', specVersion: '1.5', components: [{ type: 'library', purl: 'pkg:npm/x@1' }] }],
    [{ version: '1.0.0', results: [], errors: [], paths: {} }, { category: 'own' }],
  );
  assert.deepEqual(await seriesOf(repository), [
    'checkov: iac | null:null',
    'cyclonedx:  | null:null',
    'gitleaks: secret | null:null',
    'semgrep: sast | null:null',
    'semgrep/own: sast | null:null',
    'trivy: dependency | null:null',
  ]);
});

test('a scanner of several kinds keeps an analysis type without findings', async () => {
  const repository = 'acme/kinds';
  const secret = { Target: 'deploy.sh', Class: 'secret', Secrets: [{ RuleID: 'key', Match: 'key=****' }] };
  const packages = trivy([lodash]);
  await send(
    repository,
    [{ ...packages, Results: [...packages.Results, secret] }],
    // The secret is fixed, and the report no longer mentions secrets.
    [packages],
  );
  assert.deepEqual(await seriesOf(repository), ['trivy: dependency,secret | null:null']);
});

test('an image is known by its name; its tag is the newest', async () => {
  const repository = 'acme/image';
  await send(
    repository,
    [image('registry.example/acme/shop:1.0')],
    [image('registry.example/acme/shop:1.1@sha256:00')],
    [image('/tmp/base.tar', [{ Class: 'lang-pkgs', Target: 'Java' }])],
    [grypeSarif('registry.example/acme/shop:0.9')],
  );
  assert.deepEqual(await seriesOf(repository), [
    'grype: dependency,container | registry.example/acme/shop:0.9',
    'trivy/acme/shop: container | registry.example/acme/shop:1.1',
    'trivy/base.tar: dependency,container | base.tar:null',
  ]);
  // Without findings, Grype's SARIF does not name the image.
  await send(repository, [grypeSarif(null), { scannedAt: day(9) }]);
  assert.match((await seriesOf(repository))[0] ?? '', /registry\.example\/acme\/shop:0\.9$/);
  // The category of the sender stands before that of the image.
  const category = 'by-hand';
  await send(repository, [image('acme/shop:2'), { category }], [trivy([lodash]), { category }]);
  assert.deepEqual(
    (await seriesOf(repository)).filter((series) => series.includes(category)),
    ['trivy/by-hand: dependency | null:null', 'trivy/by-hand/acme/shop: container | acme/shop:2'],
  );
  const { rows } = await database.owner.query(
    `select name, type, count(*)::int as n from asset where tenant_id = $1 group by 1, 2 order by 1`,
    [tenant.id],
  );
  assert.deepEqual(rows, [
    { name: 'acme/shop', type: 'container_image', n: 1 },
    { name: 'base.tar', type: 'container_image', n: 1 },
    { name: 'registry.example/acme/shop', type: 'container_image', n: 1 },
  ]);
});

test('images without a name share a series, and their scans ask for a name or a category', async () => {
  const repository = 'acme/nameless';
  const nameless = image(`sha256:${'0a'.repeat(32)}`);
  const scans = await importAll(database, 'acme', [
    reportInput(nameless, { repository, scannedAt: day(1) }),
    reportInput(image(`sha256:${'0b'.repeat(32)}`), { repository, scannedAt: day(2) }),
    reportInput(nameless, { repository, scannedAt: day(3), category: 'base' }),
  ]);
  assert.deepEqual(
    scans.map(
      ({ warnings }) => warnings.filter((warning) => /name but its digest.*--category/.test(warning)).length,
    ),
    [1, 1, 0],
  );
  assert.deepEqual(
    (await seriesOf(repository)).map((series) => series.split(':', 1)[0]),
    ['trivy/base/sha256', 'trivy/sha256'],
  );
});

test('unnamed images share a series apart from the source, and their scans ask for a category', async () => {
  const repository = 'acme/unnamed';
  const osvScanner = (more: object): object => ({ results: [], experimental_config: {}, ...more });
  const unnamed = osvScanner({ image_metadata: { os: 'Debian GNU/Linux 12', layer_metadata: [] } });
  const scans = await importAll(database, 'acme', [
    reportInput(osvScanner({}), { repository, scannedAt: day(1) }),
    reportInput(unnamed, { repository, scannedAt: day(2) }),
    reportInput(unnamed, { repository, scannedAt: day(3), category: 'shed' }),
    reportInput(osvScanner({}), { repository, scannedAt: day(4), category: 'sha256' }),
  ]);
  assert.deepEqual(
    scans.map(
      ({ warnings }) =>
        warnings.filter((warning) => /does not name its image.*--category/.test(warning)).length,
    ),
    [0, 1, 0, 0],
  );
  assert.deepEqual(
    (await seriesOf(repository)).map((series) => series.split(':', 1)[0]),
    ['osv-scanner', 'osv-scanner/sha256', 'osv-scanner/shed/sha256'],
  );
});

test('a partial, late or unfinished report and a dry run change nothing', async () => {
  const repository = 'acme/alone';
  const secrets = image('acme/shed:2', [
    { Class: 'secret', Target: '/key', Secrets: [{ RuleID: 'key', Match: 'key=****' }] },
  ]);
  const unfinished = grypeSarif('acme/shed:2') as { runs: object[] };
  await send(
    repository,
    [image('acme/shed:1'), { scannedAt: day(5) }],
    [grypeSarif('acme/shed:1'), { scannedAt: day(5) }],
  );
  const before = await seriesOf(repository);
  assert.deepEqual(before, [
    'grype: dependency,container | acme/shed:1',
    'trivy/acme/shed: container | acme/shed:1',
  ]);
  await send(
    repository,
    [secrets, { scannedAt: day(6), partial: true }],
    [secrets, { scannedAt: day(4) }],
    [secrets, { scannedAt: day(6), dryRun: true }],
    [
      {
        ...unfinished,
        runs: unfinished.runs.map((run) => ({ ...run, invocations: [{ executionSuccessful: false }] })),
      },
      { scannedAt: day(6) },
    ],
  );
  assert.deepEqual(await seriesOf(repository), before);
  await send(repository, [secrets, { scannedAt: day(7) }]);
  assert.deepEqual(await seriesOf(repository), [
    'grype: dependency,container | acme/shed:1',
    'trivy/acme/shed: secret,container | acme/shed:2',
  ]);
});

test('the same image occurs in several repositories and workspaces', async () => {
  const input = (repository: string) =>
    reportInput(image('shared/base:1'), { repository, scannedAt: day(1) });
  await Promise.all([
    importAll(database, 'acme', [input('acme/a'), input('acme/b'), input('acme/c')]),
    importAll(database, 'other', [input('acme/a')]),
  ]);
  for (const [repository, slug] of [['acme/a'], ['acme/b'], ['acme/c'], ['acme/a', 'other']] as const) {
    assert.deepEqual(
      await seriesOf(repository, slug),
      ['trivy/shared/base: container | shared/base:1'],
      slug,
    );
  }
  const { rows } = await database.owner.query(`select tenant_id from asset where name = 'shared/base'`);
  assert.equal(new Set(rows.map((row) => row.tenant_id)).size, 2);
  assert.equal(rows.length, 2);
});

test('a repository has one analysis for each type', async () => {
  const repositories = await database.owner.query<{ id: RepositoryId }>(
    'select id from repository where tenant_id = $1 order by full_name limit 2',
    [tenant.id],
  );
  const [first = nilId, second = nilId] = repositories.rows.map(({ id }) => id);
  const list = async () => {
    const { rows } = await database.owner.query<{ id: string; repository_id: string; type: string }>(
      'select id, repository_id, type from analysis where tenant_id = $1 order by repository_id, type',
      [tenant.id],
    );
    return rows;
  };
  const ensure = (...ids: RepositoryId[]) =>
    tenantTx(database.db, tenant.id, (tx) => ensureAnalyses(tx, ids));
  await ensure(first);
  const before = await list();
  assert.deepEqual(
    fieldsOf(before, 'repository_id', 'type'),
    ['container', 'dast', 'dependency', 'iac', 'license', 'sast', 'secret'].map((type) => [first, type]),
  );
  await ensure();
  await Promise.all([ensure(second, first, first), ensure(first, second)]);
  const after = await list();
  assert.equal(after.length, 14);
  const kept = after.filter(({ repository_id: id }) => id === first);
  assert.deepEqual(kept, before, 'those that were there stay');
});
