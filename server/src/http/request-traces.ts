/** A span for each request. What it awaits belongs to it. */
import type { FastifyInstance } from 'fastify';
import type { Tracing } from '../tracing/tracing.ts';

/** With `takesParent` the trace of a caller goes on here. A stranger must not decide what is traced. */
export function registerRequestTraces(app: FastifyInstance, tracing: Tracing, takesParent: boolean): void {
  app.addHook('onRequest', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    const { run, end } = tracing.request(request.method, route, takesParent ? request.headers : {});
    reply.raw.once('close', () => end(reply.raw.writableFinished ? reply.raw.statusCode : 499));
    run(done);
  });
}
