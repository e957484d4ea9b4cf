/**
 * `/healthz`: the process runs. `/readyz`: the process can answer requests, because the database answers, is migrated
 * and is no standby, and the process is not about to stop.
 */
import { Type } from 'typebox';
import { schemaProblem, schemaState } from '../db/schema-state.ts';
import { serviceUnavailable } from '../domain/errors.ts';
import { namedObject } from './schema.ts';
import type { Server } from './server.ts';

const State = namedObject('ServiceState', { status: Type.String() });

export function registerHealth(app: Server): void {
  const { db } = app.deps;
  app.get('/healthz', {
    config: { access: 'public' },
    schema: {
      operationId: 'getHealth',
      tags: ['Service'],
      summary: 'Say whether the process runs',
      response: { 200: State },
    },
    handler: async () => ({ status: 'ok' }),
  });
  app.get('/readyz', {
    config: { access: 'public' },
    schema: {
      operationId: 'getReadiness',
      tags: ['Service'],
      summary: 'Say whether the server can answer requests',
      response: { 200: State },
    },
    handler: async () => {
      if (app.deps.isDraining) throw serviceUnavailable('The server is stopping.');
      const state = await schemaState(db.pool);
      if (state.isStandby || schemaProblem(state) !== null) throw serviceUnavailable();
      return { status: 'ready' };
    },
  });
}
