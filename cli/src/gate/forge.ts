/**
 * What GitHub and GitLab have in common where comments are concerned, and requests to their APIs: with their own
 * token, which is never printed and follows no redirect. Merlon's key does not come near.
 */
import { CommandError } from '../failures.ts';
import { type RetryClock, withRetries } from '../requests.ts';
import { plain } from '../safe-text.ts';
import { shorten } from './labels.ts';

export interface ForgeComment {
  id: number;
  body: string;
  /** Whether a program wrote it, as far as the forge tells. */
  byProgram: boolean;
  authorId: number | null;
}

/** Where the comment of one pull request goes. */
export interface PullRequest {
  /** In a person's words. */
  name: string;
  /** What a comment may have, in characters. */
  longestComment: number;
  /** Page by page. */
  comments(): AsyncGenerator<ForgeComment>;
  /** Whose the token is; null where the forge does not say, as of the token of a GitHub workflow. */
  findMyId(): Promise<number | null>;
  create(body: string): Promise<void>;
  update(id: number, body: string): Promise<void>;
}

export interface ForgeApi {
  /** Without a slash at the end. */
  url: string;
  headers: Record<string, string>;
  /** What to do about a refusal. */
  advice: string;
  patience: RetryClock;
}

/** Throws CommandError for what no address and no token can be; messages of `fetch` would quote the token. */
export function forgeApi(
  url: string,
  token: string,
  header: (token: string) => Record<string, string>,
  rest: Pick<ForgeApi, 'advice' | 'patience'>,
): ForgeApi {
  const parsed = URL.parse(url);
  const isWeb = parsed?.protocol === 'https:' || parsed?.protocol === 'http:';
  if (!parsed || !isWeb || parsed.username !== '' || parsed.password !== '' || parsed.search !== '') {
    throw new CommandError('the address of its API is none');
  }
  const value = token.trim();
  if (!/^[\x21-\x7e]+$/.test(value)) throw new CommandError('its token has characters that no token has');
  if (value.startsWith('mrl_'))
    throw new CommandError('its token is a key of Merlon, which goes nowhere else');
  return { ...rest, url: parsed.href.replace(/\/+$/, ''), headers: header(value) };
}

// A comment is a small thing; whoever takes longer is not there.
const attemptMs = 15_000;
const perPage = 100;
// GitHub closes a conversation at 2,500 comments.
const maxPages = 100;

/** Every item of a list. The address of a next page is made here: none that comes with an answer is asked with a token. */
export async function* forgeList(api: ForgeApi, path: string): AsyncGenerator<unknown> {
  for (let page = 1; page <= maxPages; page++) {
    const response = await forgeRequest(api, 'GET', `${path}?per_page=${perPage}&page=${page}`);
    const items: unknown = await response.json().catch(() => null);
    if (!Array.isArray(items)) throw new CommandError('its API did not answer with a list');
    yield* items;
    if (!/;\s*rel="?next"?/.test(response.headers.get('link') ?? '')) return;
  }
}

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT';

/** Throws CommandError for everything that is no success. */
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

/** The answer, whatever its status. Throws CommandError where none comes. */
export async function forgeAnswer(
  api: ForgeApi,
  method: Method,
  path: string,
  body?: object,
): Promise<Response> {
  // A second POST could be a second comment.
  const policy = { failures: method !== 'POST', connections: true };
  return withRetries(api.url, policy, api.patience, () =>
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

async function refusalOf(response: Response, { advice }: ForgeApi): Promise<string> {
  const answer = (await response.json().catch(() => null)) as { message?: unknown } | null;
  const reason =
    typeof answer?.message === 'string' ? `: ${shorten(plain(answer.message), longestReason)}` : '';
  const isDenied = response.status === 401 || response.status === 403 || response.status === 404;
  return `its API answers ${response.status}${reason}${isDenied ? ` (${advice})` : ''}`;
}
