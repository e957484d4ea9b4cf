/**
 * Before a server stops it drains: `/readyz` says that it is not ready, so that proxies send their requests elsewhere, and
 * each answer ends its connection, while everything is still answered.
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
