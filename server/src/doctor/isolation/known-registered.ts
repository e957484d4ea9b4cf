/**
 * Compares the registered routes with those that the walk knows. A route that the walk does not know counts as a
 * leak.
 */
import { isDeepStrictEqual } from 'node:util';
import type { RouteOptions } from 'fastify';
import type { Finding } from './asker.ts';
import { publicRoutes, routesThatEndSessions, walkedRoutes } from './known-routes.ts';
import { lastingRoutes } from './known-work-routes.ts';
import { nameOf } from './walk.ts';

export function unknownRoutes(registered: readonly RouteOptions[]): Finding[] {
  const known = new Map(walkedRoutes.map((route) => [route.route as string, route]));
  const findings: Finding[] = [];
  const tell = (route: string, answered: string): void => {
    findings.push({ route, placed: 'the list of routes', answered });
  };
  const names = new Set<string>();
  for (const route of registered) {
    const access = route.config?.access;
    for (const name of nameOf(route)) {
      // GET and its HEAD are one route.
      if (names.has(name)) continue;
      names.add(name);
      if (name in lastingRoutes || name in routesThatEndSessions) continue;
      if (access === 'public') {
        if (!(route.url in publicRoutes)) tell(name, 'is public without a reason in publicRoutes');
        continue;
      }
      const promised = known.get(name);
      if (!promised) tell(name, 'is not in known-routes.ts: say how it is called and who may');
      else if (!isDeepStrictEqual(access, promised.access)) {
        tell(name, `declares ${JSON.stringify(access)} and promises ${JSON.stringify(promised.access)}`);
      }
    }
  }
  for (const name of known.keys()) if (!names.has(name)) tell(name, 'is known and not there');
  return findings;
}
