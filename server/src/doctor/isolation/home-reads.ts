/** All that is read at home: what it shows must be the same whatever stands in the other workspace. */
import type { Side } from './canaries.ts';
import { sharedSha } from './canary-reports.ts';
import { inConsole, isForSessions, type KnownRoute } from './known-route.ts';
import { knownRoutes } from './known-routes.ts';
import type { Answer } from './send.ts';

export interface HomeRead {
  route: KnownRoute;
  path: string;
}

/** Of a list that has them, filters and orders that no route of `known-routes.ts` is asked with. */
const variants: Record<string, string[]> = {
  '/vulnerabilities': ['newest', 'oldest', 'severity'].flatMap((sort) =>
    [
      '',
      '&per_page=1',
      '&state=open&severity=high,low',
      '&ref=main',
      '&ref=HEAD',
      // A tag here, a branch of the other workspace.
      '&ref=release',
      '&repo=acme/shop',
      '&repo=acme/shop&ref=main',
      `&sha=${sharedSha}`,
      '&q=pollution',
      '&assignee=me',
    ].map((filter) => `?sort=${sort}${filter}`),
  ),
  '/vulnerabilities/facets': ['?ref=main', '?repo=acme/shop', `?sha=${sharedSha}`, '?q=pollution'],
  '/repositories': ['?source=ghc,ghe,gitlab', '?org=acme'],
  '/organizations/*': ['acme'],
  '/repositories/*': ['acme/shop'],
  '/scans': [`?sha=${sharedSha}&tool=trivy`, '?repo=acme/shop', '?status=completed'],
  '/scans/status': [`?repo=acme/shop&sha=${sharedSha}`],
  '/policy-violations': ['', '&ref=main', '&status=open&enforcement=block', '&policy=severe'].flatMap(
    (filter) => [`?repo=acme/shop${filter}`, `?repo=acme/shop${filter}&per_page=1`],
  ),
  '/policy-violations/all': ['?repo=acme/shop', '?policy=severe', '?target_type=provider', '?status=open'],
  '/gate': [
    '?repo=acme/shop&ref=feature/a&base_ref=main',
    `?repo=acme/shop&sha=${sharedSha}`,
    '?repo=acme/shop&ref=main&all=true',
  ],
  '/exceptions': ['?status=requested', '?policy=parts', '?repo=acme/shop'],
  '/policies/:policy': ['severe'],
  '/audit': ['?action=policy.create'],
};

/** Every GET of `known-routes.ts`, with all that it can name of home's own; and as the console asks it. */
export function homeReads(home: Side): HomeRead[] {
  const reads = knownRoutes.filter((route) => route.route.startsWith('GET '));
  return reads.flatMap((route) => {
    const { path } = route.call(home.slug, home);
    const prefix = /^.*:tenant_slug/.exec(route.route)?.[0] ?? '';
    const own = route.route.slice(prefix.length);
    const more = (prefix.includes('/export/') ? [] : (variants[own] ?? [])).map((variant) =>
      own.endsWith('*') || own.includes('/:')
        ? path.replace(/[^/]*$/, variant)
        : path.split('?')[0] + variant,
    );
    const paths = [path, ...route.names.map((named) => named.call(home, home).path), ...more];
    const asked = [...new Set(paths)].map((one) => ({ route, path: one }));
    if (!/ \/api\/v1\//.test(route.route)) return asked;
    const twin = inConsole(route);
    return [...asked, { route: twin, path: twin.call(home.slug, home).path }];
  });
}

export function readsBySession({ route }: HomeRead): boolean {
  return isForSessions(route);
}

/** What must be the same: all of it, but for what the clock says: the end of an export's cursor, and what is left. */
export function shown({ status, text }: Answer): string {
  const lasting = text
    .replace(/^\{"cursor":.*\n$/m, '')
    .replaceAll(/"remaining_seconds":-?\d+/g, '"remaining_seconds":0')
    // Of the session that asks, and of the base that is looked up now.
    .replaceAll(/"(?:expires_at|at)":"[^"]*"/g, '')
    .replaceAll(/"ses_[0-9a-z]{26}"/g, '"ses_"')
    // Written behind the requests.
    .replaceAll(/"last_(?:seen|used)_at":(?:null|"[^"]*")/g, '')
    // Each answer has its own.
    .replaceAll(/"(?:request_id|generated_at|as_of)":"[^"]*"/g, '');
  return `${status} ${lasting}`;
}
