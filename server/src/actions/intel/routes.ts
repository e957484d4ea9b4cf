/**
 * `/api/v1/{tenant_slug}/intel` shows the loaded releases of the feeds and their times. Any valid key may read it
 * without a scope.
 */
import { Type } from 'typebox';
import { namedObject, Timestamp, timestamp } from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { type Feed, getFeeds } from './service.ts';

const NullableFeed = Type.Union([
  namedObject('IntelFeed', {
    version: Type.String({
      description:
        'Version of the catalogue (KEV) or of the model (EPSS); for OSV and SSVC the day of the newest change.',
    }),
    published_at: Timestamp,
    imported_at: Timestamp,
    entries: Type.Integer(),
  }),
  Type.Null(),
]);

export const IntelFeeds = namedObject('IntelFeeds', {
  kev: NullableFeed,
  epss: NullableFeed,
  osv: NullableFeed,
  ssvc: NullableFeed,
});

export function intelRoutes(app: Server): void {
  const { db } = app.deps;

  app.get('/api/v1/:tenant_slug/intel', {
    config: { access: 'key' },
    schema: {
      operationId: 'getIntel',
      tags: ['Workspaces'],
      summary: 'Show the loaded versions of KEV, EPSS, OSV and SSVC',
      response: { 200: IntelFeeds },
    },
    handler: async () => {
      return feedItems(await getFeeds(db));
    },
  });
}

/** The API and the command show this form. */
export function feedItems(feeds: Awaited<ReturnType<typeof getFeeds>>) {
  return {
    kev: feedItem(feeds.kev),
    epss: feedItem(feeds.epss),
    osv: feedItem(feeds.osv),
    ssvc: feedItem(feeds.ssvc),
  };
}

function feedItem(feed: Feed | null) {
  return (
    feed && {
      version: feed.version,
      published_at: timestamp(feed.published_at),
      imported_at: timestamp(feed.imported_at),
      entries: feed.entries,
    }
  );
}
