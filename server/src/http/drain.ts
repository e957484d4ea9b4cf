/**
 * A server drains before it stops: `/readyz` says that it is not ready, so that proxies send requests elsewhere, and
 * each answer closes its connection. Requests are still answered.
 */
import type { FastifyInstance } from 'fastify';

export interface Drain {
  readonly hasBegun: boolean;
  begin(): void;
}

export function newDrain(): Drain {
  let hasBegun = false;
  return {
    get hasBegun() {
      return hasBegun;
    },
    begin: () => {
      hasBegun = true;
    },
  };
}

export function registerDrain(app: FastifyInstance, drain: Drain): void {
  app.addHook('onRequest', (_request, reply, done) => {
    if (drain.hasBegun) reply.header('connection', 'close');
    done();
  });
}
