/**
 * Serves the files of the console: the page for every path of the console, and its scripts and styles. The page is the
 * same for everybody, because its data come from the API. Its strict Content-Security-Policy allows nothing inline but
 * styles with the nonce of this answer, and nothing from other hosts.
 */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import { resourceNotFound } from '../domain/errors.ts';
import { checkLoopback } from './access.ts';
import { consoleDirectory } from './console-directory.ts';
import type { Server } from './server.ts';

/** The page itself shows different views under these paths. */
const pages = ['/', '/sign-in', '/setup', '/invite', '/account', '/w/*'];

const nonceMark = '__CSP_NONCE__';

export async function registerConsole(app: Server): Promise<void> {
  await app.register(async (scope) => {
    if (app.deps.config.publicUrl === null) scope.addHook('onRequest', checkLoopback);
    await scope.register(fastifyStatic, { root: consoleDirectory, serve: false });
    consoleRoutes(scope as unknown as Server);
  });
}

function consoleRoutes(app: Server): void {
  const open = { config: { access: 'public', anyQuery: true }, schema: { hide: true } } as const;
  // Built files have a digest in their name, so a browser may keep them for ever.
  app.get<{ Params: { name: string } }>('/assets/:name', open, (request, reply) => {
    const { name } = request.params;
    if (!/^[\w-][\w.-]*$/.test(name)) throw resourceNotFound();
    return reply.sendFile(name, join(consoleDirectory, 'assets'), { immutable: true, maxAge: '365d' });
  });
  app.get('/favicon.svg', open, (_request, reply) => reply.sendFile('favicon.svg', { maxAge: '1d' }));
  const { publicUrl } = app.deps.config;
  const isSecure = publicUrl?.startsWith('https:') ?? false;
  for (const path of pages) {
    app.get(path, open, async (_request, reply) => {
      const page = await readPage();
      if (page === null) {
        return reply
          .code(503)
          .type('text/plain; charset=utf-8')
          .send('The console is not built: npm run build\n');
      }
      const nonce = randomBytes(16).toString('base64');
      return reply
        .headers({
          'content-security-policy': policyWith(nonce),
          'cross-origin-opener-policy': 'same-origin',
          'permissions-policy': 'camera=(), geolocation=(), microphone=()',
          ...(isSecure ? { 'strict-transport-security': 'max-age=31536000' } : {}),
        })
        .type('text/html; charset=utf-8')
        .send(page.replaceAll(nonceMark, nonce));
    });
  }
}

function policyWith(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

async function readPage(): Promise<string | null> {
  try {
    return await readFile(join(consoleDirectory, 'index.html'), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
