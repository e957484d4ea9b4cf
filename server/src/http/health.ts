/**
 * `/healthz`: the process runs. `/readyz`: it can answer requests, because the database answers and is
 * migrated, and it is not about to stop.
 */
import { Type } from 'typebox';
import { pendingMigrations } from '../db/migrate.ts';
import { serviceUnavailable } from '../domain/errors.ts';
import { namedObject } from './schema.ts';
import type { Server } from './server.ts';

const State = namedObject('ServiceState', { status: Type.String() });

export function registerHealth(app: Server): void {
  const { db, drain } = app.deps;
  app.get(
    '/healthz',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'getHealth',
        tags: ['Service'],
        summary: 'Says that the process runs',
        response: { 200: State },
      },
    },
    async () => ({ status: 'ok' }),
  );
  app.get(
    '/readyz',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'getReadiness',
        tags: ['Service'],
        summary: 'Says whether requests can be answered',
        response: { 200: State },
      },
    },
    async () => {
      if (drain.hasBegun) throw serviceUnavailable('The server is about to stop.');
      const pending = await pendingMigrations(db.pool);
      if (pending.length > 0) throw serviceUnavailable();
      return { status: 'ready' };
    },
  );
}
