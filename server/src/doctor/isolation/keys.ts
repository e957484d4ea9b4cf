/** Valid and invalid keys of every kind, each named after its fault. */

import { newKeyString } from '../../access/api-keys/key-string.ts';
import { addMember } from '../../access/members/service.ts';
import { createUser } from '../../access/users/service.ts';
import { installTx, tenantTx } from '../../db/database.ts';
import type { UserId } from '../../domain/ids.ts';
import { type KeyScope, type Role, scopes } from '../../http/principal.ts';
import { type CanaryWorkspace, createCanaryKey, createCanaryWorkspaceKey } from './canary-workspace.ts';
import type { Install } from './install.ts';

/** The two workspaces, as far as credentials need them. Their contents may be added later. */
export interface TwoWorkspaces {
  server: Install;
  home: CanaryWorkspace;
  foreign: CanaryWorkspace;
}

export async function createKeys(world: TwoWorkspaces) {
  const { server, home, foreign } = world;
  const run = (sql: string, values: unknown[]) => installTx(server.db, (tx) => tx.query(sql, values));
  const { admin, member, viewer } = home.people;
  const key = async (userId: UserId, role: Role, held?: KeyScope[], restrictedTo?: string[]) =>
    createCanaryKey(server, {
      userId,
      role,
      ...(held ? { scopes: held } : {}),
      ...(restrictedTo ? { restrictedTo } : {}),
    });
  const ended = async (change: string): Promise<string> => {
    const made = await key(admin.user.id, 'admin');
    await run(`update api_key set ${change} where id = $1`, [made.id]);
    return made.key;
  };
  const person = async (email: string, workspaces: CanaryWorkspace[]): Promise<UserId> => {
    const user = await installTx(server.db, (tx) => createUser(tx, email, 'Somebody', null));
    for (const { tenant } of workspaces) {
      await tenantTx(server.db, tenant.id, (tx) => addMember(tx, user.id, 'admin'));
    }
    return user.id;
  };
  const gone = await person(`gone@${home.tenant.slug}.example`, [home]);
  const goneKey = (await key(gone, 'admin')).key;
  await run('update user_account set disabled_at = now() where id = $1', [gone]);
  const bothId = await person(`both@elsewhere.${home.tenant.slug}.example`, [home, foreign]);
  const emptied = await key(bothId, 'admin', undefined, [home.tenant.id]);
  await run('delete from api_key_tenant where api_key_id = $1', [emptied.id]);
  const stranger = await person(`stranger@elsewhere.${home.tenant.slug}.example`, []);
  const wrongChecksum = admin.key.slice(0, -1) + (admin.key.endsWith('A') ? 'B' : 'A');
  const without = {} as Record<KeyScope, string>;
  for (const scope of scopes) {
    const rest = scopes.filter((other) => other !== scope);
    without[scope] = (await key(admin.user.id, 'admin', rest)).key;
  }
  const memberAsAdmin = (await key(member.user.id, 'admin', [...scopes])).key;
  const viewerAsAdmin = (await key(viewer.user.id, 'admin', [...scopes])).key;
  const viewerOfWorkspace = await workspaceKeyBelow(world, 'viewer');
  const belowMember = { 'a viewer': viewerAsAdmin, 'a workspace key that may read': viewerOfWorkspace };
  return {
    admin: admin.key,
    spent: (await key(admin.user.id, 'admin')).key,
    scopeless: (await key(admin.user.id, 'admin', ['policy-violations:read'])).key,
    both: (await key(bothId, 'admin')).key,
    without,
    invalid: {
      'no key': null,
      'no scheme': `${' '}${admin.key}`,
      'another scheme': `Basic ${Buffer.from(`x:${admin.key}`).toString('base64')}`,
      'scheme alone': 'Bearer ',
      'two keys': `Bearer ${admin.key}, Bearer ${admin.key}`,
      malformed: 'mrl_pat_nonsense',
      'of another product': 'ghp_0123456789abcdefghijklmnopqrstuvwxyz',
      'wrong checksum': wrongChecksum,
      unknown: newKeyString('personal'),
      'unknown workspace key': newKeyString('workspace'),
      expired: await ended(`expires_at = now() - interval '1 second'`),
      revoked: await ended('disabled_at = now()'),
      'of a disabled user': goneKey,
    } satisfies Record<string, string | null>,
    elsewhere: {
      'of a person of another workspace': foreign.people.admin.key,
      'restricted to another workspace': (await key(bothId, 'admin', undefined, [foreign.tenant.id])).key,
      'restricted, and the list emptied': emptied.key,
      'of another workspace': (await createCanaryWorkspaceKey(server, foreign.tenant, 'admin')).key,
      'of a member of no workspace': (await key(stranger, 'admin')).key,
    },
    below: {
      viewer: {},
      member: belowMember,
      admin: { ...belowMember, 'a member': memberAsAdmin },
    } satisfies Record<Role, Record<string, string>>,
  };
}

// A workspace key that holds more scopes than its role allows. No command can make such a key.
async function workspaceKeyBelow({ server, home }: TwoWorkspaces, role: Role): Promise<string> {
  const made = await createCanaryWorkspaceKey(server, home.tenant, role);
  await installTx(server.db, (tx) =>
    tx.query('update api_key set scopes = $2 where id = $1', [made.id, [...scopes]]),
  );
  return made.key;
}
