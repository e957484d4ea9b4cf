/**
 * `/docs`: the reader of the OpenAPI document. Its page and its script come from this server. Its strict
 * Content-Security-Policy allows no other host, and nothing inline except elements with the nonce of this answer and
 * style attributes.
 */
import { createHash, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import fastify, { type FastifyInstance } from 'fastify';
import type { Server } from './server.ts';

const nonceMark = '__CSP_NONCE__';
const script = 'text/javascript; charset=utf-8';

/** The reader creates `style` elements without the nonce of its page, so this script runs first and adds it. */
const styleScript = `<script nonce="${nonceMark}">
  {
    const { nonce } = document.currentScript;
    const { createElement } = document;
    document.createElement = (...names) => {
      const element = createElement.apply(document, names);
      if (element.localName === 'style') element.nonce = nonce;
      return element;
    };
  }
</script>`;

export async function registerApiReader(app: Server): Promise<void> {
  // The script has four megabytes, so it is compressed once.
  let compressed: Promise<Buffer> | null = null;
  let tag: string | null = null;
  await app.register(async (scope) => {
    scope.addHook('onSend', async (request, reply, payload) => {
      if (typeof payload !== 'string' || reply.statusCode !== 200) return payload;
      if (String(reply.getHeader('content-type')).startsWith('text/html')) {
        const nonce = randomBytes(16).toString('base64');
        reply.header('content-security-policy', policyWith(nonce));
        return payload
          .replace('<html>', '<html lang="en">')
          .replace('</head>', `${styleScript}</head>`)
          .replaceAll(nonceMark, nonce);
      }
      // The address stays the same after an upgrade, so a browser asks each time whether its copy is current.
      tag ??= `W/"${createHash('sha256').update(payload).digest('base64url')}"`;
      reply.headers({
        'cache-control': 'no-cache',
        etag: tag,
        vary: 'Accept-Encoding',
        'content-type': script,
      });
      if (request.headers['if-none-match']?.includes(tag)) {
        reply.code(304).removeHeader('content-length');
        return '';
      }
      if (!/\bgzip\b/.test(String(request.headers['accept-encoding']))) return payload;
      compressed ??= promisify(gzip)(payload);
      reply.header('content-encoding', 'gzip').removeHeader('content-length');
      return compressed;
    });
    const { publicUrl, port } = app.deps.config;
    const server = publicUrl ?? `http://127.0.0.1:${port}`;
    let loading: Promise<FastifyInstance> | null = null;
    for (const url of ['/docs', '/docs/', '/docs/js/scalar.js']) {
      scope.get(url, { schema: { hide: true } }, async (request, reply) => {
        loading ??= loadReader(server);
        const answer = await (await loading).inject({ url: request.raw.url ?? url });
        for (const name of ['content-type', 'location'] as const) {
          if (answer.headers[name] !== undefined) reply.header(name, answer.headers[name]);
        }
        return reply.code(answer.statusCode).send(answer.body);
      });
    }
  });
}

// The reader and its script take some thirty megabytes, so they are loaded at the first request for them.
async function loadReader(url: string): Promise<FastifyInstance> {
  const { default: apiReference } = await import('@scalar/fastify-api-reference');
  const reader = fastify();
  await reader.register(apiReference, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      pageTitle: 'Merlon API',
      favicon: '/favicon.svg',
      nonce: nonceMark,
      servers: [{ url }],
      // These features send requests to other hosts, or send requests with a key from this page.
      withDefaultFonts: false,
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: 'never',
      hideClientButton: true,
      hideTestRequestButton: true,
    },
  });
  return reader;
}

function policyWith(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    // The reader writes the number of lines into an attribute of each sample, and an attribute can have no nonce. It
    // styles one element, and the rest of this policy limits what it can load.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
