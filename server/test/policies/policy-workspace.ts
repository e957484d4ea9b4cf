/**
 * A workspace with policies: applied like by the operator, evaluated like by the worker; with CI's requests to the
 * gate.
 */
import assert from 'node:assert/strict';
import { clientOf, queryOf, type Schemas, succeeded } from '../support/client.ts';
import { importAll } from '../support/import.ts';
import { applyAndEvaluate, policiesOf, policyOf, type Violation } from '../support/policies.ts';
import { type PackageResult, trivy } from '../support/reports.ts';
import { createTestServer } from '../support/server.ts';
import { createTestWorkspace, reportInput } from '../support/workspace.ts';

export type GateAnswer = Schemas['Gate'];

export const vulnerable = (name: string, severity = 'CRITICAL', fixed = '2.0.0'): PackageResult => ({
  id: `CVE-2031-${1000 + (name.charCodeAt(0) % 64) * 64 + name.length}`,
  name,
  version: '1.0.0',
  severity,
  fixed,
});

/** Citus has no trigger on a table of workspaces, so that tests with `refuseEvaluations` are skipped there. */
export const onCitus = process.env.TEST_CITUS_NODES !== undefined;

/** Blocks critical vulnerabilities, and warns about high ones. */
export const blockCritical = policiesOf(
  policyOf('critical', "{fact: severity, operator: '==', value: critical}"),
  policyOf('high', "{fact: severity, operator: '==', value: high}", { mode: 'warn' }),
);

export async function createPolicyWorkspace(settings: Record<string, string> = {}) {
  const server = await createTestServer(settings);
  const workspace = await createTestWorkspace(server, 'acme');
  const { tenant, people } = workspace;
  const client = clientOf(server.app, people.admin.key);

  const apply = (yaml: string): Promise<void> => applyAndEvaluate(server, tenant.id, yaml);

  /** Imports a report of packages. Returns the verdict that is stored with its scan. */
  async function scan(
    packages: PackageResult[],
    parameters: Parameters<typeof reportInput>[1] = {},
  ): Promise<'pass' | 'warn' | 'block' | null> {
    const [row] = await importAll(server, 'acme', [reportInput(trivy(packages), parameters)]);
    assert.equal(row?.status, 'completed', JSON.stringify(row?.error));
    return row.verdict;
  }

  async function gate(query: Record<string, string | undefined>): Promise<GateAnswer> {
    return succeeded(
      await client.get<GateAnswer>(`/api/v1/acme/gate${queryOf({ repo: 'acme/shop', ...query })}`),
    );
  }

  async function violations(query: Record<string, string | undefined> = {}): Promise<Violation[]> {
    const answer = await client.get<{ items: Violation[] }>(
      `/api/v1/acme/policy-violations${queryOf({ repo: 'acme/shop', per_page: '200', ...query })}`,
    );
    assert.equal(answer.status, 200, answer.text);
    return answer.body.items;
  }

  /**
   * Lets the evaluation of repositories fail whose row of `repository_evaluation` meets the condition, until the
   * returned function is called.
   */
  async function refuseEvaluations(condition = 'true'): Promise<() => Promise<void>> {
    await server.owner.query(`
      create or replace function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
      create or replace trigger refuse before update on repository_evaluation for each row
        when (${condition}) execute function refuse()`);
    return async () => {
      await server.owner.query('drop trigger refuse on repository_evaluation; drop function refuse()');
    };
  }

  return { server, tenant, people, client, workspace, apply, scan, gate, violations, refuseEvaluations };
}
