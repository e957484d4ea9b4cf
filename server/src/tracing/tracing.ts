/**
 * Traces by OpenTelemetry, sent by OTLP over HTTP. A span names the template of a route, the kind of a statement and
 * its table, or the step of an import: no path, query, value, key, id or content of a report.
 */
import type { Context, Span } from '@opentelemetry/api';
import { version } from '../domain/version.ts';

export interface TracedRequest {
  method: string;
  route: string;
  /** Runs work inside the span. */
  run<T>(work: () => T): T;
  end(status: number): void;
}

export interface Tracing {
  /** `headers` are those of a caller whose trace continues here. */
  request(method: string, route: string, headers: Record<string, unknown>): TracedRequest;
  /** A child span of the request that sends the statement. Returns the function that ends the span. */
  statement(text: string): (error?: unknown) => void;
  observeImport(): { step(name: string): void; end(outcome: string): void };
  /** Sends the remaining spans. */
  close(): Promise<void>;
}

/** The libraries are loaded here, so that they take no memory, and need not be installed, if traces are off. */
export async function openTracing(): Promise<Tracing> {
  const { api, exporters, resources, sdk } = await loadLibraries();
  const { context, propagation, SpanKind, SpanStatusCode, trace } = api;
  const resource = resources
    .resourceFromAttributes({ 'service.name': 'merlon', 'service.version': version })
    .merge(resources.detectResources({ detectors: [resources.envDetector] }));
  const provider = new sdk.NodeTracerProvider({
    resource,
    spanProcessors: [new sdk.BatchSpanProcessor(new exporters.OTLPTraceExporter())],
  });
  provider.register();
  const tracer = trace.getTracer('merlon', version);
  const fail = (span: Span): unknown => span.setStatus({ code: SpanStatusCode.ERROR });

  return {
    request: (method, route, headers) => {
      const parent = propagation.extract(context.active(), headers);
      const attributes = { 'http.request.method': method, 'http.route': route };
      const span = tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, parent);
      const own: Context = trace.setSpan(parent, span);
      return {
        method,
        route,
        run: (work) => context.with(own, work),
        end: (status) => {
          span.setAttribute('http.response.status_code', status);
          if (status >= 500) fail(span);
          span.end();
        },
      };
    },
    statement: (text) => {
      // Polls of the queue and the sweep belong to no request.
      if (trace.getActiveSpan() === undefined) return () => {};
      const { operation, table } = summarize(text);
      const span = tracer.startSpan(table === '' ? operation : `${operation} ${table}`, {
        kind: SpanKind.CLIENT,
        attributes: {
          'db.system.name': 'postgresql',
          'db.operation.name': operation,
          ...(table === '' ? {} : { 'db.collection.name': table }),
        },
      });
      return (error) => {
        if (error !== undefined) fail(span);
        span.end();
      };
    },
    observeImport: () => {
      const whole = tracer.startSpan('import', { root: true });
      const own = trace.setSpan(context.active(), whole);
      let current: { name: string; span: Span } | null = null;
      const endStep = (): void => {
        current?.span.end();
        current = null;
      };
      return {
        step: (name) => {
          if (current?.name === name) return;
          endStep();
          current = { name, span: tracer.startSpan(`import ${name}`, {}, own) };
        },
        end: (outcome) => {
          endStep();
          whole.setAttribute('merlon.import.outcome', outcome);
          if (outcome === 'retried') fail(whole);
          whole.end();
        },
      };
    },
    close: () => provider.shutdown(),
  };
}

async function loadLibraries() {
  try {
    const [api, exporters, resources, sdk] = await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/sdk-trace-node'),
    ]);
    return { api, exporters, resources, sdk };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Error(
      'OTEL_EXPORTER_OTLP_ENDPOINT asks for traces, whose libraries are not installed: npm install @opentelemetry/api @opentelemetry/exporter-trace-otlp-http @opentelemetry/resources @opentelemetry/sdk-trace-node, or set OTEL_SDK_DISABLED=true',
      { cause: error },
    );
  }
}

// The text itself stays out of a span, because a statement may hold a value.
function summarize(text: string): { operation: string; table: string } {
  const operation = /^\s*([a-z]+)/i.exec(text)?.[1]?.toLowerCase() ?? 'statement';
  const table = /\b(?:from|into|update)\s+(?:pgboss\.)?([a-z_]+)\b(?!\s*\()/i.exec(text)?.[1] ?? '';
  return { operation, table };
}
