/**
 * Compares the registered routes with those that the walk knows. A route that the walk does not know counts as a
 * leak.
 */
import { isDeepStrictEqual } from 'node:util';
import type { RouteOptions } from 'fastify';
import { publicRoutes, routesThatEndSessions, walkedRoutes } from './known-routes.ts';
import { lastingRoutes } from './known-work-routes.ts';
import type { Finding } from './prober.ts';
import { nameOf } from './walk.ts';

export function unknownRoutes(registered: readonly RouteOptions[]): Finding[] {
  const known = new Map(walkedRoutes.map((route) => [route.route as string, route]));
  const findings: Finding[] = [];
  const report = (route: string, problem: string): void => {
    findings.push({ route, input: 'the list of routes', problem });
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
        if (!(route.url in publicRoutes)) report(name, 'is public without a reason in publicRoutes');
        continue;
      }
      const promised = known.get(name);
      if (!promised) report(name, 'is not in known-routes.ts: say how it is called and who may');
      else if (!isDeepStrictEqual(access, promised.access)) {
        report(name, `declares ${JSON.stringify(access)} and promises ${JSON.stringify(promised.access)}`);
      }
    }
  }
  for (const name of known.keys()) if (!names.has(name)) report(name, 'is known and not there');
  return findings;
}
