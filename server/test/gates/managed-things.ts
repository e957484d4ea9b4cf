/**
 * What admins manage, in a workspace of the gates: a key, and enough of all that a request uses up. The admin is an
 * operator too.
 */
import { installTx, tenantTx } from '../../src/db/database.ts';
import { makeApplication } from '../../src/features/applications/service.ts';
import { invite } from '../../src/features/members/invitations.ts';
import { addMember } from '../../src/features/members/service.ts';
import { createUser } from '../../src/features/users/service.ts';
import { formatId } from '../../src/ids.ts';
import type { TestServer } from '../support/server.ts';
import {
  createTestKey,
  createTestWorkspaceKey,
  principalAs,
  type TestWorkspace,
} from '../support/workspace.ts';

export interface ManagedThings {
  /** Ids of the API. */
  workspaceKey: string;
  /** A personal key of the admin. */
  ownKey: string;
  /** As many of these as requests of one test file get through. */
  invitations: string[];
  leavers: string[];
  spareApplications: string[];
}

const pool = 12;

export async function createManagedThings(
  server: TestServer,
  workspace: TestWorkspace,
): Promise<ManagedThings> {
  const { tenant, people } = workspace;
  const { slug } = tenant;
  const admin = principalAs(workspace, 'admin');
  await server.owner.query('update user_account set operator = true where id = $1', [admin.user.id]);
  const { id: workspaceKey } = await createTestWorkspaceKey(server, tenant, 'viewer');
  const { id: ownKey } = await createTestKey(server, { userId: people.admin.user.id, role: 'admin' });
  const things: ManagedThings = {
    workspaceKey: formatId('key', workspaceKey),
    ownKey: formatId('key', ownKey),
    invitations: [],
    leavers: [],
    spareApplications: [],
  };
  for (let i = 0; i < pool; i++) {
    const user = await installTx(server.db, (tx) =>
      createUser(tx, `leaver-${i}@${slug}.example`, `Leaver ${i}`, null),
    );
    await tenantTx(server.db, tenant.id, async (tx) => {
      await addMember(tx, tenant.id, user.id, 'viewer');
      const asked = { email: `guest-${i}@${slug}.example`, role: 'viewer' } as const;
      const { invitation } = await invite(tx, admin, asked, 'test');
      const fields = { name: `Spare ${i}`, description: null };
      const { application } = await makeApplication(tx, admin, fields, 'test');
      things.leavers.push(formatId('user', user.id));
      things.invitations.push(formatId('invitation', invitation.id));
      things.spareApplications.push(formatId('application', application.id));
    });
  }
  return things;
}
