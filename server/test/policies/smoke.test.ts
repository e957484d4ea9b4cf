import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importTx } from '../../src/db/database.ts';
import { applyPolicies } from '../../src/features/policies/apply.ts';
import { parsePolicies } from '../../src/features/policies/document.ts';
import { evaluatePolicies } from '../../src/features/violations/evaluate-policies.ts';
import { importAll } from '../support/import.ts';
import { trivy } from '../support/reports.ts';
import { createTestServer } from '../support/server.ts';
import { createTestWorkspace, reportInput } from '../support/workspace.ts';

const server = await createTestServer();
const { tenant } = await createTestWorkspace(server, 'acme');

test('smoke', async () => {
  const policies = parsePolicies(`
policies:
  - key: crit
    target_type: vulnerability
    enforcement_mode: block
    condition:
      all:
        - {fact: severity, operator: '==', value: critical}
        - {fact: age_days, operator: '>=', value: 0}
        - {fact: cwe, operator: not_in, value: [CWE-1]}
        - {fact: epss_score, operator: '!=', value: 0.5}
        - {fact: in_kev, operator: '==', value: false}
        - {fact: path, operator: matches, value: 'pack*.json'}
        - {fact: reported_by, operator: contains, value: trivy}
  - key: pkgs
    target_type: package
    enforcement_mode: warn
    condition: {all: [{fact: name, operator: matches, value: 'lod*'}]}
`);
  const boss = await server.queue.open();
  await importTx(server.db, tenant.id, (tx) =>
    applyPolicies(tx, boss, tenant.id, policies, { actorId: null }),
  );
  const [scan] = await importAll(server, 'acme', [
    reportInput(
      trivy([
        { id: 'CVE-2024-1', name: 'lodash', version: '1.0.0', severity: 'CRITICAL', fixed: '1.0.1' },
        { id: 'CVE-2024-2', name: 'lodash', version: '1.0.0', severity: 'HIGH' },
      ]),
    ),
  ]);
  assert.equal(scan?.verdict, 2);
  const { rows } = await server.owner.query('select * from policy_violation');
  console.log(rows);
  console.log((await server.owner.query('select * from violation_reference')).rows);
  console.log(await evaluatePolicies(server.db, tenant.id));
  const [scan2] = await importAll(server, 'acme', [
    reportInput(trivy([{ id: 'CVE-2024-2', name: 'lodash', version: '1.0.0', severity: 'HIGH' }])),
  ]);
  assert.equal(scan2?.verdict, 0);
});
