/** Ends a long answer when its caller has lost access. A client may read slowly, so this can be hours after the request. */
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const checkEveryMs = 1_000;

/**
 * The body of the answer to a request whose access was checked at `checkedAt`. The next part is read when the client has
 * received the last one. If the client has gone, no part is read.
 */
export function whileAllowed(
  app: FastifyInstance,
  request: FastifyRequest,
  parts: AsyncIterable<string>,
  checkedAt: number,
): Readable {
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
  return Readable.from(allowed(), { objectMode: false });
}
