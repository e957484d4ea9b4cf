/**
 * A workspace with policies: applied like by the operator, evaluated like by the worker; with CI's requests to the
 * gate.
 */
import assert from 'node:assert/strict';
import { clientOf, queryOf } from '../support/client.ts';
import { importAll } from '../support/import.ts';
import { wantPolicies } from '../support/policies.ts';
import { type PackageResult, trivy } from '../support/reports.ts';
import { createTestServer } from '../support/server.ts';
import { createTestWorkspace, reportInput } from '../support/workspace.ts';

export interface GateAnswer {
  verdict: 'pass' | 'warn' | 'block' | null;
  superseded: boolean;
  reference: { ref: string } | null;
  page: string | null;
  status: string | null;
  missing: string[];
  scans: { id: string; tool: string | null; status: string; outcome: string | null }[];
  base: { state: string; ref: string | null; sha: string | null; at: string | null };
  summary: { blocking: number; warning: number; on_base: number };
  violations: {
    id: string;
    page: string;
    blocking: boolean;
    title: string;
    fix_version: string | null;
    location: { path: string; line: number | null } | null;
    owner: { email: string } | null;
    package: { purl: string; versions: string[] } | null;
  }[];
  unblock: { action: string; text: string; to: string | null; resolves: string[] }[];
}

export interface Violation {
  id: string;
  status: string;
  enforcement_mode: string | null;
  blocking: boolean;
  due_at: string;
  snoozed: boolean;
  snooze_count: number;
  resolved_at: string | null;
  metadata: { severity?: string; reference_ref?: string };
  policy: { key: string };
  target: { type: string; id: string; title?: string };
  rule: { type: string; id: string } | null;
}

export const vulnerable = (name: string, severity = 'CRITICAL', fixed = '2.0.0'): PackageResult => ({
  id: `CVE-2031-${1000 + (name.charCodeAt(0) % 64) * 64 + name.length}`,
  name,
  version: '1.0.0',
  severity,
  fixed,
});

/** Blocks critical vulnerabilities, and warns about high ones. */
export const blockCritical = `
policies:
  - key: critical
    target_type: vulnerability
    enforcement_mode: block
    condition: {all: [{fact: severity, operator: '==', value: critical}]}
  - key: high
    target_type: vulnerability
    enforcement_mode: warn
    condition: {all: [{fact: severity, operator: '==', value: high}]}
`;

export async function createPolicyWorkspace(settings: Record<string, string> = {}) {
  const server = await createTestServer(settings);
  const workspace = await createTestWorkspace(server, 'acme');
  const { tenant, people } = workspace;
  const client = clientOf(server.app, people.admin.key);

  const apply = (yaml: string): Promise<void> => wantPolicies(server, tenant.id, yaml);

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
    const answer = await client.get<GateAnswer>(
      `/api/v1/acme/gate${queryOf({ repo: 'acme/shop', ...query })}`,
    );
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  }

  async function violations(query: Record<string, string | undefined> = {}): Promise<Violation[]> {
    const answer = await client.get<{ items: Violation[] }>(
      `/api/v1/acme/policy-violations${queryOf({ repo: 'acme/shop', per_page: '200', ...query })}`,
    );
    assert.equal(answer.status, 200, answer.text);
    return answer.body.items;
  }

  return { server, tenant, people, client, workspace, apply, scan, gate, violations };
}
