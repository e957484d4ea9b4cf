/**
 * The common part of comments on GitHub and GitLab, and requests to their APIs. These use the forge's own token, which
 * is never printed and follows no redirect. They never see Merlon's key.
 */

import type { Sentence } from '@merlon/terminal';
import { plain } from '@merlon/terminal';
import { CommandError } from '../failures.ts';
import { parseUrl } from '../parse-url.ts';
import { type RetryClock, withRetries } from '../requests.ts';
import { shorten } from './labels.ts';

export interface ForgeComment {
  id: number;
  body: string;
  /** True if a program wrote the comment, if the forge says so. */
  byProgram: boolean;
  authorId: number | null;
}

/** The pull request that gets the comment. */
export interface PullRequest {
  /** The name for people. */
  name: string;
  /** The longest comment, in characters. */
  longestComment: number;
  /** Reads the comments page by page. */
  comments(): AsyncGenerator<ForgeComment>;
  /**
   * Returns the id of the token's user, or null if the forge does not tell it, as for the token of a GitHub workflow.
   */
  findMyId(): Promise<number | null>;
  create(body: string): Promise<void>;
  update(id: number, body: string): Promise<void>;
}

export interface ForgeApi {
  /** The URL has no slash at its end. */
  url: string;
  headers: Record<string, string>;
  /** Explains what to do if the forge refuses the request. */
  advice: string;
  clock: RetryClock;
}

/** Throws CommandError if the address or the token cannot be valid. The messages of `fetch` would quote the token. */
export function forgeApi(
  url: string,
  token: string,
  header: (token: string) => Record<string, string>,
  rest: Pick<ForgeApi, 'advice' | 'clock'>,
): ForgeApi {
  const parsed = parseUrl(url);
  const isWeb = parsed?.protocol === 'https:' || parsed?.protocol === 'http:';
  if (!parsed || !isWeb || parsed.username !== '' || parsed.password !== '' || parsed.search !== '') {
    throw new CommandError('The address of the forge’s API is not valid.');
  }
  const value = token.trim();
  if (!/^[\x21-\x7e]+$/.test(value))
    throw new CommandError('The token for the forge has invalid characters.');
  if (value.startsWith('mrl_'))
    throw new CommandError('The token for the forge is a key of Merlon, which must not be sent elsewhere.');
  return { ...rest, url: parsed.href.replace(/\/+$/, ''), headers: header(value) };
}

// A comment is a small request, so a slower server counts as unreachable.
const attemptMs = 15_000;
const perPage = 100;
// GitHub closes a conversation at 2,500 comments, so this is far above any real list.
const maxPages = 100;

/**
 * Yields every item of a list. The address of the next page is built here, so the token never goes to an address from
 * an answer.
 */
export async function* forgeList(api: ForgeApi, path: string): AsyncGenerator<unknown> {
  for (let page = 1; page <= maxPages; page++) {
    const response = await forgeRequest(api, 'GET', `${path}?per_page=${perPage}&page=${page}`);
    const items: unknown = await response.json().catch(() => null);
    if (!Array.isArray(items)) throw new CommandError('The API of the forge did not answer with a list.');
    yield* items;
    if (!/;\s*rel="?next"?/.test(response.headers.get('link') ?? '')) return;
  }
}

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT';

/** Throws CommandError unless the answer is a success. */
export async function forgeRequest(
  api: ForgeApi,
  method: Method,
  path: string,
  body?: object,
): Promise<Response> {
  const response = await forgeAnswer(api, method, path, body);
  if (!response.ok) throw new CommandError(await refusalOf(response, api));
  return response;
}

/** Returns the answer with any status. Throws CommandError if no answer comes. */
export async function forgeAnswer(
  api: ForgeApi,
  method: Method,
  path: string,
  body?: object,
): Promise<Response> {
  // A second POST could write a second comment.
  const policy = { failures: method !== 'POST', connections: true };
  return withRetries(api.url, policy, api.clock, () =>
    fetch(`${api.url}${path}`, {
      method,
      headers: { ...api.headers, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
      redirect: 'manual',
      signal: AbortSignal.timeout(attemptMs),
    }),
  );
}

const longestReason = 200;

async function refusalOf(response: Response, { advice }: ForgeApi): Promise<Sentence> {
  const answer = (await response.json().catch(() => null)) as { message?: unknown } | null;
  const reason =
    typeof answer?.message === 'string'
      ? `: ${shorten(plain(answer.message), longestReason).replace(/\.$/, '')}`
      : '';
  const isDenied = response.status === 401 || response.status === 403 || response.status === 404;
  return `The API of the forge answers ${response.status}${reason}${isDenied ? ` (${advice})` : ''}.`;
}
