/**
 * `/console/api/v1/{tenant_slug}/scans/events`: changes of scans as server-sent events for the pages of the console. A
 * listener whose session or membership has ended gets no more events.
 */

import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { tooManyAtOnce } from '../../domain/errors.ts';
import { callerOf, tenantIdOf } from '../../http/access.ts';
import type { Server } from '../../http/server.ts';
import { ScanItem, scanItem } from '../scans/schema.ts';
import { scanEvents } from './scan-events.ts';

const checkEveryMs = 5_000;
// Every third check sends a comment, because proxies close a connection after 30 seconds of silence or more.
const checksPerBeat = 3;
// A page needs one stream. Ten streams cover the tabs of one session, twenty cover two browsers of a person, and a
// workspace has many people.
const limits = { session: 10, person: 20, workspace: 200 };
// A listener that does not read is disconnected after some hundreds of events.
const maxWaitingBytes = 512 * 1024;

export function scanEventRoutes(app: Server): void {
  const events = scanEvents(app.deps.db, (error) => app.log.warn({ err: error }, 'scans not looked at'));
  // The streams must end before the server waits for its connections to end.
  app.addHook('preClose', async () => events.end());
  const open = new Map<string, number>();

  app.get('/console/api/v1/:tenant_slug/scans/events', {
    config: { access: { scopes: ['scans:read'] } },
    // A HEAD request would never end.
    exposeHeadRoute: false,
    schema: {
      operationId: 'listenToScans',
      tags: ['Scans'],
      summary: 'Stream the changes of scans as server-sent events, without an end',
      response: {
        200: {
          description: 'OK',
          content: {
            'text/event-stream': { schema: Type.String({ examples: ['event: scan\ndata: {…}\n\n'] }) },
          },
        },
      },
    },
    handler: async (request, reply) => {
      const { credential, user } = callerOf(request);
      const tenantId = tenantIdOf(request);
      const ids = { session: credential.id, person: user.id, workspace: tenantId };
      const counted = Object.entries(ids).map(([of, id]) => ({
        of: of as keyof typeof ids,
        key: `${of} ${id}`,
      }));
      for (const { of, key } of counted) {
        if ((open.get(key) ?? 0) < limits[of]) continue;
        throw tooManyAtOnce(
          `This ${of} has ${limits[of]} open streams of events, which is the limit. Close other pages, and try again in a minute.`,
          60,
        );
      }
      for (const { key } of counted) open.set(key, (open.get(key) ?? 0) + 1);

      const write = reply.compileSerializationSchema(ScanItem as never) as (item: unknown) => string;
      const stream = new Readable({ read: () => {} });
      const send = (text: string): void => {
        stream.push(text);
        if (stream.readableLength > maxWaitingBytes) stream.destroy();
      };
      const stop = events.listen(tenantId, {
        scans: (rows) => send(rows.map((row) => `event: scan\ndata: ${write(scanItem(row))}\n\n`).join('')),
        end: () => stream.push(null),
      });

      let checks = 0;
      let checking = false;
      const check = async (): Promise<void> => {
        if (checking) return;
        checking = true;
        try {
          if (!(await app.mayStill(request))) stream.push(null);
          else if (++checks % checksPerBeat === 0) send(':\n\n');
        } catch (error) {
          // The database is unavailable, so there are no events either.
          request.log.warn({ err: error }, 'listener not checked');
        }
        checking = false;
      };
      const timer = setInterval(() => void check(), checkEveryMs);
      timer.unref();
      // Cleans up after the stream, independent of who closed it.
      stream.on('close', () => {
        clearInterval(timer);
        stop();
        for (const { key } of counted) {
          const left = (open.get(key) ?? 1) - 1;
          if (left > 0) open.set(key, left);
          else open.delete(key);
        }
      });

      // The first bytes send the headers, so that the page knows that it is connected.
      send('retry: 3000\n\n');
      return reply
        .type('text/event-stream')
        .headers({ 'cache-control': 'private, no-store, no-transform', 'x-accel-buffering': 'no' })
        .send(stream as never);
    },
  });
}
