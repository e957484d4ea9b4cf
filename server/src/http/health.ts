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

// Everybody may ask `/readyz` without a limit, so its answers cost the database one read a second.
const keptMs = 1_000;

export function registerHealth(app: Server): void {
  const { db } = app.deps;
  let kept: { answer: Promise<boolean>; until: number } | null = null;
  const isReady = async (): Promise<boolean> => {
    const state = await schemaState(db.readinessPool);
    return !state.isStandby && schemaProblem(state) === null;
  };
  /** One read answers all callers while it runs and for a second after it. */
  const isReadyNow = (): Promise<boolean> => {
    if (kept !== null && performance.now() < kept.until) return kept.answer;
    const read = { answer: isReady(), until: Number.POSITIVE_INFINITY };
    const end = (): void => {
      read.until = performance.now() + keptMs;
    };
    read.answer.then(end, end);
    kept = read;
    return read.answer;
  };
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
      if (!(await isReadyNow())) throw serviceUnavailable();
      return { status: 'ready' };
    },
  });
}
