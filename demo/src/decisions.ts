/**
 * The decisions of the people of the demo company: vulnerabilities accepted, ignored, rejected and assigned, a
 * violation snoozed, and exceptions requested, one of which waits for approval.
 */

import type { AuditAction } from '@merlon/server/src/access/audit/actions.ts';
import { findUserByEmail } from '@merlon/server/src/access/users/store.ts';
import { assignVulnerability } from '@merlon/server/src/actions/triage/assignments.ts';
import { type DecisionRequest, decide } from '@merlon/server/src/actions/triage/decisions.ts';
import { type Database, installTx, tenantReadTx, tenantTx } from '@merlon/server/src/db/database.ts';
import { formatId, newId, type ViolationId, type VulnerabilityId } from '@merlon/server/src/domain/ids.ts';
import { sqlIsOpen } from '@merlon/server/src/domain/packed-state.ts';
import { dayMs } from '@merlon/server/src/domain/time.ts';
import type { Principal, Tenant } from '@merlon/server/src/http/principal.ts';
import { requestExceptions, reviewException } from '@merlon/server/src/policies/exceptions/exceptions.ts';
import { decideViolations } from '@merlon/server/src/policies/snooze/snooze.ts';
import { type DemoPerson, people } from './company/people.ts';

/** One in this many open vulnerabilities, in order of age, gets one of these decisions. */
const plan: Omit<DecisionRequest, 'vulnerabilities'>[] = [
  { action: 'confirm', reason: 'Reproduced on staging.' },
  { action: 'accept', reason: 'Reachable from the office network only; replaced with the new gateway.' },
  { action: 'reject', reason: 'The value comes from a constant table.', resolution: 'false_positive' },
  { action: 'ignore', reason: 'Code of the test suite.', resolution: 'test_code' },
];
const step = 9;

/** Makes the decisions of the company's people, and marks the demo as ready. */
export async function decideDemo(db: Database, tenant: Tenant): Promise<void> {
  const user = await getPerson(db, people.admin);
  const principal: Principal = {
    scopes: [],
    credential: {
      type: 'session',
      id: newId(),
      signedInAt: new Date(),
      expiresAt: new Date(),
      operator: false,
    },
    user: { ...user, kind: 'user' },
    tenant,
    role: 'admin',
    requestId: 'demo',
  };
  const rows = await tenantReadTx(db, tenant.id, (tx) =>
    tx.query<{ id: VulnerabilityId }>(
      `select id from vulnerability where tenant_id = $1 and ${sqlIsOpen('packed_state')} order by introduced_at, id`,
      [tenant.id],
    ),
  );
  for (const [i, { id }] of rows.entries()) {
    const vulnerability = formatId('vulnerability', id);
    const request = i % step === 0 ? plan[(i / step) % plan.length] : undefined;
    if (request) {
      const until =
        request.action === 'accept' ? { until: new Date(Date.now() + 60 * dayMs).toISOString() } : {};
      await decide(db, principal, { ...request, ...until, vulnerabilities: [{ id: vulnerability }] });
    } else if (i % step === 1) {
      await assignVulnerability(db, principal, vulnerability, { assignee: 'me' });
    }
  }
  await exemptDemo(db, principal);
}

async function getPerson(db: Database, { email }: DemoPerson) {
  const user = await installTx(db, (tx) => findUserByEmail(tx, email));
  if (!user) throw new Error(`there is no user ${email}`);
  return user;
}

/** The last act that fills the workspace. */
export const lastAct: AuditAction = 'violation.snooze';

/** A colleague requests two exceptions: one is approved, one waits. A third violation is snoozed. */
async function exemptDemo(db: Database, admin: Principal): Promise<void> {
  const { tenant } = admin;
  const colleague = await getPerson(db, people.member);
  const requester: Principal = { ...admin, user: { ...colleague, kind: 'user' }, role: 'member' };
  const rows = await tenantReadTx(db, tenant.id, (tx) =>
    tx.query<{ id: ViolationId }>(
      `select v.id from policy_violation v join policy p on p.tenant_id = $1 and p.id = v.policy_id
        where v.tenant_id = $1 and v.resolved_at is null and p.key = 'critical-with-fix' order by v.due_at, v.id limit 3`,
      [tenant.id],
    ),
  );
  const [first, second, third] = rows.map((row) => formatId('violation', row.id));
  const until = new Date(Date.now() + 30 * dayMs).toISOString();
  const requestException = async (violation: string, reason: string): Promise<string | undefined> => {
    const [exception] = await tenantTx(db, tenant.id, (tx) =>
      requestExceptions(tx, requester, { violations: [violation], reason, until }),
    );
    return exception && formatId('exception', exception.id);
  };
  const approved =
    first && (await requestException(first, 'The endpoint is switched off until the release.'));
  if (approved) {
    const review = { decision: 'approve' as const, reason: 'Seen in the configuration.' };
    await tenantTx(db, tenant.id, (tx) => reviewException(tx, admin, approved, review));
  }
  if (second) await requestException(second, 'The upgrade breaks the label printer; a fix is being written.');
  if (third) {
    const snooze = { action: 'snooze' as const, violations: [{ id: third }], reason: 'Upgraded on Monday.' };
    const monday = new Date(Date.now() + 5 * dayMs).toISOString();
    await tenantTx(db, tenant.id, (tx) => decideViolations(tx, admin, { ...snooze, until: monday }));
  }
}
