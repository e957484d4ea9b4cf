/** Valid and invalid sessions of every kind, each named after its fault. */

import { createUser } from '../../access/users/service.ts';
import { installTx } from '../../db/database.ts';
import type { UserId } from '../../domain/ids.ts';
import type { Role } from '../../http/principal.ts';
import type { TwoWorkspaces } from './keys.ts';
import { sessionHeaders } from './session-headers.ts';

export interface SessionHeaders {
  headers: Record<string, string>;
}

let calls = 0;

/** Makes new sessions each time, because a test file soon reaches a session's limit of requests per minute. */
export async function createSessions({ server, home, foreign }: TwoWorkspaces) {
  const { admin, member, viewer } = home.people;
  const run = (sql: string, values: unknown[]) => installTx(server.db, (tx) => tx.query(sql, values));
  const signIn = async (userId: UserId): Promise<SessionHeaders> => {
    return { headers: await sessionHeaders(server, userId) };
  };
  const ended = async (change: string): Promise<SessionHeaders> => {
    const before = new Date();
    const session = await signIn(admin.user.id);
    await run(`${change} where user_id = $1 and created_at >= $2`, [admin.user.id, before]);
    return session;
  };
  calls++;
  const person = (name: string) =>
    installTx(server.db, (tx) =>
      createUser(tx, `${name}-${calls}@elsewhere.${home.tenant.slug}.example`, 'Somebody', null),
    );
  // They are created one after the other, because the creation time of a session decides whether it has ended.
  const expired = await ended(`update user_session set expires_at = now() - interval '1 second'`);
  const signedOut = await ended('delete from user_session');
  const gone = await person('gone');
  const disabled = await signIn(gone.id);
  await run('update user_account set disabled_at = now() where id = $1', [gone.id]);
  const good = await signIn(admin.user.id);
  const cookie = good.headers.cookie ?? '';
  const of = (value: string): SessionHeaders => ({ headers: { ...good.headers, cookie: value } });
  const old = await sessionHeaders(server, admin.user.id, { signedInAt: new Date(Date.now() - 61 * 60_000) });
  return {
    admin: good,
    foreignAdmin: await signIn(foreign.people.admin.user.id),
    /** This sign-in is more than an hour old. */
    old: { headers: old } satisfies SessionHeaders,
    invalid: {
      'no session': null,
      expired,
      'signed out': signedOut,
      'of a disabled user': disabled,
      'without signature': of(cookie.split('.')[0] ?? ''),
      'another signature': of(cookie.replace(/.{6}$/, 'AAAA%3D')),
      nonsense: of('merlon.session_token=nonsense'),
    } satisfies Record<string, SessionHeaders | null>,
    elsewhere: {
      'of a person of another workspace': await signIn(foreign.people.admin.user.id),
      'of a member of no workspace': await signIn((await person('stranger')).id),
    },
    below: {
      viewer: {},
      member: { 'a viewer': await signIn(viewer.user.id) },
      admin: { 'a viewer': await signIn(viewer.user.id), 'a member': await signIn(member.user.id) },
    } satisfies Record<Role, Record<string, SessionHeaders>>,
    /** This write does not come from the console. */
    strays: {
      'from elsewhere': { headers: { ...good.headers, origin: 'https://evil.example' } },
      'without a token': { headers: { ...good.headers, 'x-csrf-token': '' } },
      'with the token of another session': {
        headers: { ...good.headers, 'x-csrf-token': old['x-csrf-token'] ?? '' },
      },
    } satisfies Record<string, SessionHeaders>,
  };
}
