/**
 * A workspace with policies and their violations, for the pages about them: the demo's newest reports, and hostile
 * text.
 */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { addMember } from '../../../server/src/access/members/service.ts';
import { createUser } from '../../../server/src/access/users/service.ts';
import { installTx, tenantTx } from '../../../server/src/db/database.ts';
import { evaluatePolicies } from '../../../server/src/policies/evaluation/evaluate-policies.ts';
import { clientOf, queryOf, type Schemas, succeeded } from '../../../server/test/support/client.ts';
import { createDemoWorkspace } from '../../../server/test/support/demo-workspace.ts';
import { importAll } from '../../../server/test/support/import.ts';
import { applyAndEvaluate, type Violation } from '../../../server/test/support/policies.ts';
import { type PackageResult, trivy } from '../../../server/test/support/reports.ts';
import type { SessionClient } from '../../../server/test/support/session.ts';
import { reportInput } from '../../../server/test/support/workspace.ts';
import { type Look, startConsole } from './console.ts';

export const slug = 'kestrel';
export const storefront = 'kestrel-freight/storefront';
export const nasty = '<img src=x onerror="document.title=1"> \u202Etxet\u202C'.concat(' long'.repeat(60));

/** The characters that change the direction of text, which no page shows raw. */
export const turning = /[\u202a-\u202e\u2066-\u2069]/;

/** Blocks critical vulnerabilities, warns about high ones, and records those without a tag. */
const policies = `
policies:
  - key: critical
    name: Nothing critical
    target_type: vulnerability
    enforcement_mode: block
    config: {snooze: {max_days: 30, max_count: 2}}
    condition:
      all:
        - {fact: severity, operator: '==', value: critical}
        - {fact: is_default_branch, operator: '==', value: true}
    actions: {sla: {window: 7d}}
  - key: high
    name: High severity on main
    target_type: vulnerability
    enforcement_mode: warn
    condition:
      all:
        - {fact: severity, operator: '==', value: high}
        - {fact: is_default_branch, operator: '==', value: true}
        - not: {fact: path, operator: matches, value: 'test/*'}
    rules:
      - {type: workspace}
      - {type: repo, id: ${storefront}, enforcement_mode: monitor}
`;

export type ViolationItem = Violation & Pick<Schemas['RepositoryPolicyViolation'], 'repository'>;

const newestMs = 8 * 24 * 3600 * 1000;

export async function createPolicyWorkspace() {
  const console = await startConsole();
  const { server, open } = console;
  const demo = await createDemoWorkspace(
    server,
    slug,
    ({ repository, ref, scannedAt }) =>
      repository === storefront && ref === 'main' && Date.now() - Date.parse(scannedAt) < newestMs,
  );
  const { tenant, people } = demo;
  const otherAdmin = await installTx(server.db, (tx) =>
    createUser(tx, 'other@kestrel.example', 'Otto Other', null),
  );
  await tenantTx(server.db, tenant.id, (tx) => addMember(tx, otherAdmin.id, 'admin'));
  const userIds = {
    viewer: people.viewer.user.id,
    member: people.member.user.id,
    admin: people.admin.user.id,
    other: otherAdmin.id,
  };
  const client = clientOf(server.app, people.admin.key);

  const scan = (repository: string, packages: PackageResult[]) =>
    importAll(server, slug, [reportInput(trivy(packages), { repository })]);

  await applyAndEvaluate(server, tenant.id, policies);

  // A finished page would continue to send requests.
  return {
    ...console,
    tenant,
    people,
    userIds,
    client,
    scan,

    /** Does the worker's part after a policy has changed. */
    askWorkspace: () => evaluatePolicies(server.db, tenant.id),

    async violations(query: Record<string, string> = {}): Promise<ViolationItem[]> {
      const answer = await client.get<{ items: ViolationItem[] }>(
        `/api/v1/${slug}/policy-violations/all${queryOf({ per_page: '200', ...query })}`,
      );
      assert.equal(answer.status, 200, answer.text);
      return answer.body.items;
    },

    async verdict(repo: string): Promise<string | null> {
      const answer = await client.get<{ verdict: string | null }>(`/api/v1/${slug}/gate${queryOf({ repo })}`);
      assert.equal(answer.status, 200, answer.text);
      return answer.body.verdict;
    },

    /** Opens a page of the workspace, signed in as one of its people. */
    async visit(who: keyof typeof userIds, path: string, options: Partial<Look> = {}): Promise<Page> {
      return open({ userId: userIds[who], ...options, path: `/w/${slug}/${path}` });
    },
  };
}

export type PolicyItem = Schemas['Policy'];

type DryRun = Schemas['PolicyDryRun'];

/** The policies in the API, as an admin reads them. */
export function policiesOf(admin: SessionClient) {
  const path = `/manage/v1/${slug}/policies`;
  return {
    path,
    async find(key: string): Promise<PolicyItem | null> {
      const answer = await admin.get<PolicyItem>(`${path}/${key}`);
      return answer.status === 200 ? answer.body : null;
    },
    async dryRun(document: object): Promise<DryRun> {
      return succeeded(await admin.post<DryRun>(`${path}/dry-run`, document));
    },
  };
}

/** Reads until the condition is true, for effects of a click on the server. */
export async function eventually<T>(read: () => Promise<T>, isSo: (answer: T) => boolean): Promise<T> {
  const until = Date.now() + 10_000;
  for (;;) {
    const answer = await read();
    if (isSo(answer)) return answer;
    assert.ok(Date.now() < until, `still ${JSON.stringify(answer)}`);
    await sleep(50);
  }
}

/** Returns the day in UTC that is this many days from now, in the format of a date field. */
export function dayIn(days: number): string {
  return new Date(Date.now() + days * 24 * 3600 * 1000).toISOString().slice(0, 10);
}
