/**
 * Test that PostgreSQL analyses each table that grows with the findings of reports after a hundredth of its rows has
 * changed, and vacuums it after a fiftieth. With older statistics, each batch of an import into a new workspace would
 * read the whole workspace.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bom } from '../support/boms.ts';
import { importAll } from '../support/import.ts';
import { applyAndEvaluate, factIs, policiesOf, policyOf } from '../support/policies.ts';
import { numberedPackages, sarif, trivy } from '../support/reports.ts';
import { createTestServer } from '../support/server.ts';
import { createTestWorkspace, reportInput } from '../support/workspace.ts';

const findings = 200;
const server = await createTestServer();
const { tenant } = await createTestWorkspace(server, 'acme');

test('a table that grows with the findings is analysed after a hundredth of its rows has changed, and vacuumed after a fiftieth', async () => {
  await applyAndEvaluate(server, tenant.id, policiesOf(policyOf('high', factIs('severity', 'high'))));
  const packages = numberedPackages(0, findings);
  const code = packages.map(({ name }) => ({
    rule: `rule-${name}`,
    path: `src/${name}.ts`,
    line: 1,
    code: `run(${name})`,
  }));
  await importAll(server, 'acme', [
    reportInput(trivy(packages)),
    reportInput(sarif(code)),
    reportInput(bom(packages.map(({ name, version }) => ({ purl: `pkg:npm/${name}@${version}` })))),
  ]);
  const { rows } = await server.owner.query<{ table: string; options: string[] | null; n: number }>(
    `select c.relname as "table", c.reloptions as options,
            (xpath('//n/text()', query_to_xml(format('select count(*) as n from %I', c.relname), true, true, '')))[1]::text::int as n
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`,
  );
  const grown = rows.filter(({ n }) => n >= findings);
  assert.ok(grown.length > 10, grown.map(({ table }) => table).join());
  const expected = [
    'autovacuum_analyze_scale_factor=0.01',
    'autovacuum_analyze_threshold=1000',
    'autovacuum_vacuum_scale_factor=0.02',
  ];
  assert.deepEqual(
    grown.filter(({ options }) => String(options) !== String(expected)).map(({ table }) => table),
    [],
  );
});
