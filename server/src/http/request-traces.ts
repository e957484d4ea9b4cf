/** Opens a span for each request. Everything that the request awaits belongs to the span. */
import type { FastifyInstance } from 'fastify';
import type { Tracing } from '../tracing/tracing.ts';

/** With `takesParent`, the trace of a caller continues here. A stranger must not decide which requests are traced. */
export function registerRequestTraces(app: FastifyInstance, tracing: Tracing, takesParent: boolean): void {
  app.addHook('onRequest', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    const { run, end } = tracing.request(request.method, route, takesParent ? request.headers : {});
    reply.raw.once('close', () => end(reply.raw.writableFinished ? reply.raw.statusCode : 499));
    run(done);
  });
}
