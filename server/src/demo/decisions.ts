/** What the people of the demo company have decided: a few vulnerabilities accepted, ignored, rejected, assigned. */
import { type Database, installTx, tenantReadTx, tenantTx } from '../db/database.ts';
import { recordAudit } from '../features/audit/record.ts';
import { findUserByEmail } from '../features/users/store.ts';
import { type DecisionRequest, decide } from '../features/vulnerabilities/decisions.ts';
import { assignVulnerability } from '../features/vulnerabilities/service.ts';
import type { Principal, Tenant } from '../http/principal.ts';
import { formatId } from '../ids.ts';

const day = 24 * 3600 * 1000;

/** Every so many-th open vulnerability in order of age gets one of these. */
const plan: Omit<DecisionRequest, 'vulnerabilities'>[] = [
  { action: 'confirm', reason: 'Reproduced on staging.' },
  { action: 'accept', reason: 'Reachable from the office network only; replaced with the new gateway.' },
  { action: 'reject', reason: 'The value comes from a constant table.', resolution: 'false_positive' },
  { action: 'ignore', reason: 'Code of the test suite.', resolution: 'test_code' },
];
const step = 9;

/** Decides as the user with this e-mail, and marks the demo as ready. */
export async function decideDemo(db: Database, tenant: Tenant, email: string): Promise<void> {
  const user = await installTx(db, (tx) => findUserByEmail(tx, email));
  if (!user) throw new Error(`there is no user ${email}`);
  const principal: Principal = {
    key: {
      id: user.id,
      kind: 'personal',
      name: 'demo',
      scopes: [],
      expiresAt: null,
      restricted: false,
      tenantIds: [],
      role: null,
      madeBy: null,
    },
    user: { ...user, kind: 'user' },
    tenant,
    role: 'admin',
  };
  const rows = await tenantReadTx(db, tenant.id, (tx) =>
    tx.query<{ id: string }>(
      `select id from vulnerability where tenant_id = $1 and (bucket >> 4) & 7 = 0 order by introduced_at, id`,
      [tenant.id],
    ),
  );
  for (const [i, { id }] of rows.entries()) {
    const vulnerability = formatId('vulnerability', id);
    const request = i % step === 0 ? plan[(i / step) % plan.length] : undefined;
    if (request) {
      const until =
        request.action === 'accept' ? { until: new Date(Date.now() + 60 * day).toISOString() } : {};
      await decide(db, principal, { ...request, ...until, vulnerabilities: [{ id: vulnerability }] }, 'demo');
    } else if (i % step === 1) {
      await assignVulnerability(db, principal, vulnerability, { assignee: 'me' }, 'demo');
    }
  }
  await tenantTx(db, tenant.id, (tx) =>
    recordAudit(tx, tenant.id, [
      { actorId: null, action: 'demo.ready', targetType: 'workspace', targetId: tenant.id },
    ]),
  );
}
