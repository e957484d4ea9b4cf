/**
 * A forge on loopback that accepts comments as GitHub and GitLab document it: their paths, pages with a Link header,
 * tokens, limits and refusals. Tests can read what it holds.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after } from 'node:test';

export interface Person {
  id: number;
  /** The account type that GitHub reports. */
  type: 'User' | 'Bot';
}

export interface Comment {
  id: number;
  body: string;
  by: Person;
}

export interface Forge {
  url: string;
  comments: Comment[];
  /** `GET /path` */
  requests: string[];
  /** The headers of all requests. */
  headers: string;
  /** If it is set, every request gets this answer. */
  fail: { status: number; body: string; location?: string } | null;
  reset(comments: Comment[]): void;
}

interface Kind {
  list: RegExp;
  one: RegExp;
  update: 'PATCH' | 'PUT';
  longest: number;
  defaultPage: number;
  tokenOf(request: IncomingMessage): string;
  show(comment: Comment): object;
}

const kinds: Record<'github' | 'gitlab', Kind> = {
  github: {
    list: /^\/repos\/acme\/shop\/issues\/7\/comments$/,
    one: /^\/repos\/acme\/shop\/issues\/comments\/(\d+)$/,
    update: 'PATCH',
    longest: 65_536,
    defaultPage: 30,
    tokenOf: ({ headers }) => /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '',
    show: ({ id, body, by }) => ({ id, body, user: { ...by, login: `user-${by.id}` } }),
  },
  gitlab: {
    list: /^\/projects\/99\/merge_requests\/7\/notes$/,
    one: /^\/projects\/99\/merge_requests\/7\/notes\/(\d+)$/,
    update: 'PUT',
    longest: 1_000_000,
    defaultPage: 20,
    tokenOf: ({ headers }) => String(headers['private-token'] ?? ''),
    show: ({ id, body, by }) => ({ id, body, system: false, author: { id: by.id } }),
  },
};

/**
 * `tokens` maps each token to its user. A bot of GitHub may not read its own user. Closed after the tests of the file.
 */
export async function startForge(name: 'github' | 'gitlab', tokens: Record<string, Person>): Promise<Forge> {
  const kind = kinds[name];
  let nextId = 1_000;
  const forge: Forge = {
    url: '',
    comments: [],
    requests: [],
    headers: '',
    fail: null,
    reset: (comments) => {
      forge.comments = comments;
      forge.requests = [];
      forge.headers = '';
      forge.fail = null;
    },
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '' } = request;
    const { pathname, searchParams } = new URL(url, 'http://x');
    const body = await text(request);
    forge.requests.push(`${method} ${pathname}`);
    forge.headers += `${request.rawHeaders.join('\n')}\n${url}\n${body}\n`;
    const answer = (status: number, value: unknown, headers: Record<string, string> = {}): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(typeof value === 'string' ? value : JSON.stringify(value));
    };
    if (forge.fail) {
      const { status, body: reason, location } = forge.fail;
      return answer(status, reason, location === undefined ? {} : { location });
    }
    const me = tokens[kind.tokenOf(request)];
    if (!me) return answer(401, { message: 'Bad credentials' });
    if (pathname === '/user') {
      if (me.type === 'Bot') return answer(403, { message: 'Resource not accessible by integration' });
      return answer(200, { id: me.id });
    }
    const written = method === 'GET' ? '' : String((JSON.parse(body) as { body: unknown }).body);
    if (written.length > kind.longest) return answer(422, { message: 'Validation Failed: body is too long' });
    if (kind.list.test(pathname) && method === 'GET') {
      const size = Math.min(100, Number(searchParams.get('per_page') ?? kind.defaultPage));
      const page = Number(searchParams.get('page') ?? 1);
      const next = new URL(`${forge.url}${pathname}?per_page=${size}&page=${page + 1}`);
      const isLast = page * size >= forge.comments.length;
      const link = `<${forge.url}${pathname}?page=1>; rel="first"${isLast ? '' : `, <${next}>; rel="next"`}`;
      return answer(200, forge.comments.slice((page - 1) * size, page * size).map(kind.show), { link });
    }
    if (kind.list.test(pathname) && method === 'POST') {
      const comment = { id: nextId++, body: written, by: me };
      forge.comments.push(comment);
      return answer(201, kind.show(comment));
    }
    const id = Number(kind.one.exec(pathname)?.[1]);
    const comment = forge.comments.find((one) => one.id === id);
    if (!comment || method !== kind.update) return answer(404, { message: 'Not Found' });
    comment.body = written;
    return answer(200, kind.show(comment));
  };

  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  forge.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return forge;
}
