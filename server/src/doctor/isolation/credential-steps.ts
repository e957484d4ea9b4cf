/** The credentials that must not open a route of home: foreign, expired, too weak, or sent to the wrong place. */

import { type Credential, denied, lacking, unauthenticated, wrongTenant } from './credentials.ts';
import { isForSessions, type KnownRoute, takesBoth } from './known-route.ts';
import type { Prober, SessionSource } from './prober.ts';

export async function credentialSteps(
  prober: Prober,
  route: KnownRoute,
  sessions: SessionSource,
): Promise<void> {
  const { keys, world } = prober.walk;
  const { home, foreign } = world;
  const good = route.call(home.slug, home);
  const underWorkspace = route.route.includes(':tenant_slug');
  const { access } = route;
  const role = access === 'key' ? undefined : access.role;
  const refuse = async (all: Record<string, Credential>, refusal: typeof wrongTenant): Promise<void> => {
    for (const [credentialName, credential] of Object.entries(all))
      await prober.probe(credential, good, credentialName, refusal);
  };
  const byKey = !isForSessions(route);
  if (byKey) {
    await refuse(keys.invalid, unauthenticated);
    if (underWorkspace) {
      await refuse(keys.elsewhere, wrongTenant);
      const there = route.call(foreign.slug, foreign);
      await prober.probe(keys.admin, there, 'a key of home in the other workspace', wrongTenant);
    }
    if (access !== 'key' && 'scopes' in access) {
      for (const scope of access.scopes) {
        await prober.probe(keys.without[scope], good, `a key without ${scope}`, denied(route));
      }
    }
    if (role !== undefined) await refuse(keys.below[role], lacking);
  }
  if (byKey && !takesBoth(route)) return;
  const people = await sessions();
  await refuse(people.invalid, unauthenticated);
  if (underWorkspace) {
    await refuse(people.elsewhere, wrongTenant);
    const there = route.call(foreign.slug, foreign);
    await prober.probe(people.admin, there, 'a session of home in the other workspace', wrongTenant);
  }
  if (role !== undefined) await refuse(people.below[role], lacking);
  if (good.method !== undefined && good.method !== 'GET') {
    await refuse(people.strays, { status: 403, code: 'ORIGIN_REFUSED' });
  }
  if (access !== 'key' && ('session' in access ? access.session === 'recent' : access.recent)) {
    await prober.probe(people.old, good, 'an old sign-in', { status: 403, code: 'SIGN_IN_AGAIN' });
  }
  if (!byKey) {
    const refusal = route.route.includes(' /console/')
      ? unauthenticated
      : { ...denied(route), challenge: /Only a person/ };
    await prober.probe(keys.admin, good, 'a key where a person is required', refusal);
  }
}
