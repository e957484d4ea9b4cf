/**
 * `/console/api/v1/{tenant_slug}/scans/events`: changes of scans as server-sent events for the pages of the console. A
 * listener whose session or membership has ended gets no more events.
 */

import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { rateLimitExceeded } from '../../domain/errors.ts';
import type { TenantId } from '../../domain/ids.ts';
import { callerOf, tenantIdOf } from '../../http/access.ts';
import type { Server } from '../../http/server.ts';
import { ScanItem, scanItem } from '../scans/schema.ts';
import type { ScanRow } from '../scans/store.ts';
import { type ScanEvents, scanEvents } from './scan-events.ts';

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
  const openStream = streamCounter();

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
      const release = openStream({ session: credential.id, person: user.id, workspace: tenantId });
      const write = reply.compileSerializationSchema(ScanItem as never) as (item: unknown) => string;
      const stream = streamOf(events, tenantId, (row) => write(scanItem(row)));
      // It is counted until it has closed, independent of who closed it.
      stream.on('close', release);
      endWithAccess(app, request, stream);
      return reply
        .type('text/event-stream')
        .headers({ 'cache-control': 'private, no-store, no-transform', 'x-accel-buffering': 'no' })
        .send(stream as never);
    },
  });
}

/** Counts open streams. The function throws 429 at a limit, and returns what counts the stream as closed. */
function streamCounter(): (ids: Record<keyof typeof limits, string>) => () => void {
  const open = new Map<string, number>();
  return (ids) => {
    const of = Object.keys(limits) as (keyof typeof limits)[];
    const full = of.find((one) => (open.get(ids[one]) ?? 0) >= limits[one]);
    if (full !== undefined) {
      throw rateLimitExceeded(
        60,
        `This ${full} has ${limits[full]} open streams of events, which is the limit. Close other pages, and try again in a minute.`,
      );
    }
    const count = (step: 1 | -1): void => {
      for (const id of Object.values(ids)) {
        const number = (open.get(id) ?? 0) + step;
        if (number > 0) open.set(id, number);
        else open.delete(id);
      }
    };
    count(1);
    return () => count(-1);
  };
}

function streamOf(events: ScanEvents, tenantId: TenantId, write: (row: ScanRow) => string): Readable {
  const stream = new Readable({ read: () => {} });
  // The first bytes send the headers, so that the page knows that it is connected.
  send(stream, 'retry: 3000\n\n');
  const stop = events.listen(tenantId, {
    scans: (rows) => send(stream, rows.map((row) => `event: scan\ndata: ${write(row)}\n\n`).join('')),
    end: () => stream.push(null),
  });
  stream.on('close', stop);
  return stream;
}

function send(stream: Readable, text: string): void {
  stream.push(text);
  if (stream.readableLength > maxWaitingBytes) stream.destroy();
}

/** Ends the stream when its listener has lost access, and keeps the connection open until then. */
function endWithAccess(app: Server, request: FastifyRequest, stream: Readable): void {
  let checks = 0;
  let checking = false;
  const check = async (): Promise<void> => {
    if (checking) return;
    checking = true;
    try {
      if (!(await app.mayStill(request))) stream.push(null);
      else if (++checks % checksPerBeat === 0) send(stream, ':\n\n');
    } catch (error) {
      // The database is unavailable, so there are no events either.
      request.log.warn({ err: error }, 'listener not checked');
    }
    checking = false;
  };
  const timer = setInterval(() => void check(), checkEveryMs);
  timer.unref();
  stream.on('close', () => clearInterval(timer));
}
