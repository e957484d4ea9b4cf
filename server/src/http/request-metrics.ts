/** Counts requests by the template of their route, and refusals by their code. */
import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../metrics/metrics.ts';

// The sender hung up before the answer was complete. Proxies write the same number.
const hungUp = 499;

export function registerRequestMetrics(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onRequest', (request, reply, done) => {
    const startedAt = performance.now();
    metrics.requestStarted();
    reply.raw.once('close', () => {
      if (reply.errorCode !== null) metrics.requestRefused(reply.errorCode);
      metrics.requestEnded({
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        status: reply.raw.writableFinished ? reply.raw.statusCode : hungUp,
        seconds: (performance.now() - startedAt) / 1000,
        workspace: request.principal?.tenant.slug ?? null,
      });
    });
    done();
  });
}
