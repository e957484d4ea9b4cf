/** The reads of home. Their answers must not depend on what the other workspace contains. */
import type { Side } from './canaries.ts';
import { sharedSha } from './canary-reports.ts';
import { inConsole, isForSessions, type KnownRoute } from './known-route.ts';
import { knownRoutes } from './known-routes.ts';
import type { Answer } from './send.ts';

export interface HomeRead {
  route: KnownRoute;
  path: string;
}

/** Filters and orders of lists that no request of `known-routes.ts` uses. */
const variants: Record<string, string[]> = {
  '/vulnerabilities': ['newest', 'oldest', 'severity'].flatMap((sort) =>
    [
      '',
      '&per_page=1',
      '&state=open&severity=high,low',
      '&ref=main',
      '&ref=HEAD',
      // The name is a tag in home and a branch in the other workspace.
      '&ref=release',
      '&repo=acme/shop',
      '&repo=acme/shop&ref=main',
      `&sha=${sharedSha}`,
      '&q=pollution',
      '&assignee=me',
      '&application=Storefront',
      '&application=Storefront&ref=HEAD&fix=yes',
      '&introduced_since=2020-01-01',
      '&package=lodash',
      '&rule=sqli',
      '&include=package,rule,advisory,fix,assignee,due,epss,open_on',
    ].map((filter) => `?sort=${sort}${filter}`),
  ),
  '/export/vulnerabilities': ['?sort=oldest', '?format=csv&ref=main', '?format=sarif&q=pollution'],
  '/vulnerabilities/facets': ['?ref=main', '?repo=acme/shop', `?sha=${sharedSha}`, '?q=pollution'],
  '/vulnerabilities/groups': ['?by=package', '?by=rule&ref=main', '?by=repository&q=pollution'],
  '/packages': [
    '?q=lib',
    '?ecosystem=npm',
    '?license=MIT',
    '?vulnerable=yes',
    '?vulnerable=no',
    '?per_page=1',
  ],
  '/repositories': ['?source=ghc,ghe,gitlab', '?org=acme', '?q=shop', '?q=shop&org=acme&per_page=1'],
  '/organizations': ['?q=acme'],
  '/applications': ['?q=store'],
  '/organizations/*': ['acme'],
  '/repositories/*': ['acme/shop'],
  '/scans': [`?sha=${sharedSha}&tool=trivy`, '?repo=acme/shop', '?status=completed'],
  '/scans/status': [`?repo=acme/shop&sha=${sharedSha}`],
  '/policy-violations': ['', '&ref=main', '&status=open&enforcement=block', '&policy=severe'].flatMap(
    (filter) => [`?repo=acme/shop${filter}`, `?repo=acme/shop${filter}&per_page=1`],
  ),
  '/policy-violations/all': [
    '?q=pollution',
    '?repo=acme/shop',
    '?policy=severe',
    '?target_type=provider',
    '?status=open',
  ],
  '/gate': [
    '?repo=acme/shop&ref=feature/a&base_ref=main',
    `?repo=acme/shop&sha=${sharedSha}`,
    '?repo=acme/shop&ref=main&all=true',
  ],
  '/exceptions': ['?q=pollution', '?status=requested', '?policy=parts', '?repo=acme/shop'],
  '/policies/:policy': ['severe'],
  '/audit': ['?action=policy.create'],
};

/**
 * Returns every GET of `known-routes.ts` with all objects of home that it can name, as an API request and as a
 * console request.
 */
export function homeReads(home: Side): HomeRead[] {
  const reads = knownRoutes.filter((route) => route.route.startsWith('GET '));
  return reads.flatMap((route) => {
    const { path } = route.call(home.slug, home);
    const prefix = /^.*:tenant_slug/.exec(route.route)?.[0] ?? '';
    const own = route.route.slice(prefix.length);
    const more = (variants[prefix.includes('/export/') ? `/export${own}` : own] ?? []).map((variant) =>
      own.endsWith('*') || own.includes('/:')
        ? path.replace(/[^/]*$/, variant)
        : path.split('?')[0] + variant,
    );
    const paths = [path, ...route.names.map((named) => named.call(home, home).path), ...more];
    const requests = [...new Set(paths)].map((one) => ({ route, path: one }));
    if (!/ \/(api|export)\/v1\//.test(route.route)) return requests;
    const twin = inConsole(route);
    return [...requests, { route: twin, path: twin.call(home.slug, home).path }];
  });
}

export function readsBySession({ route }: HomeRead): boolean {
  return isForSessions(route);
}

/**
 * Returns the part of an answer that must not change: everything except values that depend on the clock or on the
 * request.
 */
export function shown({ status, text }: Answer): string {
  const lasting = text
    .replace(/^\{"cursor":.*\n$/m, '')
    .replaceAll(/"remaining_seconds":-?\d+/g, '"remaining_seconds":0')
    // These values depend on the session of the caller and on the time at which the base is looked up.
    .replaceAll(/"(?:expires_at|at)":"[^"]*"/g, '')
    .replaceAll(/"ses_[0-9a-z]{26}"/g, '"ses_"')
    // This value is written after the request has been answered.
    .replaceAll(/"last_(?:seen|used)_at":(?:null|"[^"]*")/g, '')
    // Each answer has its own request id and time, and the document of the CRA has its day.
    .replaceAll(/"(?:request_id|generated_at|as_of)":"[^"]*"|(?<=Prepared on )[0-9-]+/g, '');
  return `${status} ${lasting}`;
}
