/**
 * Sends a long answer part by part. A client may read it slowly, so it ends when its caller has lost access, and a
 * workspace has a limited number of them.
 */
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { tenantIdOf } from './access.ts';
import type { Server } from './server.ts';

const checkEveryMs = 1_000;
// A client that does not read asks for no part, so the clock checks too.
const checkUnreadEveryMs = 5_000;

/**
 * Sends the parts that `begin` gives, in answer to a request whose access was checked at `checkedAt`. The next part is
 * read when the client has received the last one. If the client has gone, no part is read. HEAD needs the headers only,
 * so no part is read for it either. Throws 503 before anything is read if the workspace has too many exports.
 */
export async function sendExport(
  app: Server,
  reply: FastifyReply,
  begin: () => Promise<AsyncIterable<string>>,
  checkedAt: number,
): Promise<FastifyReply> {
  const { request } = reply;
  const giveBack = await app.deps.db.shares.export.take(tenantIdOf(request));
  // The response of a client that has hung up is closed already, and says so only once.
  if (reply.raw.destroyed) giveBack();
  else {
    const timer = setInterval(() => {
      const checked = app.mayStill(request).then((may) => may || reply.raw.destroy());
      checked.catch((error: unknown) => request.log.warn({ err: error }, 'export not checked'));
    }, checkUnreadEveryMs);
    reply.raw.once('close', () => {
      clearInterval(timer);
      giveBack();
    });
  }
  const parts = await begin();
  if (request.method === 'HEAD') return reply.send(Readable.from([]));
  const allowed = async function* () {
    let lastCheck = checkedAt;
    for await (const part of parts) {
      if (Date.now() - lastCheck > checkEveryMs) {
        await app.checkStill(request);
        lastCheck = Date.now();
      }
      yield part;
    }
  };
  return reply.send(Readable.from(allowed(), { objectMode: false }));
}
