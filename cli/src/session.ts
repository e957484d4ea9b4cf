/**
 * The settings that every command shares: server, key and workspace. They come from the environment or from options. In
 * CI without a key, the run's own token is exchanged for one (`run-key.ts`). The key has no option, because command
 * lines appear in process lists and shell histories.
 */
import { createMerlonClient, type MerlonClient, MerlonError } from '@merlon/client';
import { CommandError, exitCodes } from './failures.ts';
import { parseUrl } from './parse-url.ts';
import { checkAnswer, type RetryPolicy, retryClock, withRetries } from './requests.ts';
import { exchangeRunToken, hasRunToken, keylessHint } from './run-key.ts';

export interface GlobalOptions {
  url?: string;
  workspace?: string;
  json?: true;
}

export interface Session {
  /** The URL has no slash at its end. */
  baseUrl: string;
  workspace: string;
  client: MerlonClient;
  /** For streamed bodies: makes one attempt with the key at an operation's address, and gives the answer unchanged. */
  request(address: string, init?: RequestInit & { duplex?: 'half' }): Promise<Response>;
}

export interface SessionOptions {
  /** Waits for a server that is not reachable yet, as CI needs. */
  persistent?: boolean;
}

// The limit of one attempt. The server cancels a query long before that.
const attemptMs = 30_000;
// The limit of a request with all its attempts.
const requestMs = 15 * 60_000;

/** Throws CommandError if a setting is missing or wrong. */
export async function openSession(
  options: GlobalOptions,
  { persistent = false }: SessionOptions = {},
): Promise<Session> {
  const baseUrl = readAddress(options.url ?? process.env.MERLON_URL);
  const policyOf = (method: string): RetryPolicy => ({
    failures: method === 'GET',
    connections: persistent,
  });
  const asked = options.workspace ?? process.env.MERLON_WORKSPACE;
  const key =
    !process.env.MERLON_TOKEN && hasRunToken(process.env)
      ? await exchangeRunToken(baseUrl, asked, process.env, policyOf('POST'))
      : readKey(process.env.MERLON_TOKEN);
  const client = createMerlonClient({
    baseUrl,
    key,
    timeoutMs: requestMs,
    fetch: async (request) => {
      const once = (): Promise<Response> =>
        fetch(request.clone(), { redirect: 'manual', signal: AbortSignal.timeout(attemptMs) });
      const answer = await withRetries(baseUrl, policyOf(request.method), retryClock, once);
      // A deletion is answered without a body.
      const isEmpty = request.method === 'DELETE' && answer.status === 204;
      return checkAnswer(answer, isEmpty ? null : 'application/json');
    },
  });
  const session: Omit<Session, 'workspace'> = {
    baseUrl,
    client,
    request: (address, init = {}) => {
      const headers = { authorization: `Bearer ${key}`, ...(init.headers as Record<string, string>) };
      return fetch(`${baseUrl}${address}`, { redirect: 'manual', ...init, headers });
    },
  };
  return { ...session, workspace: asked || (await onlyWorkspace(client)) };
}

async function onlyWorkspace(client: MerlonClient): Promise<string> {
  const { items } = await client.listTenants().catch((error) => {
    if (!(error instanceof MerlonError) || error.status !== 403) throw error;
    throw new CommandError(
      'MERLON_WORKSPACE is not set, and the key may not list workspaces (scope tenants:read): set it, or use --workspace.',
      exitCodes.usage,
    );
  });
  const [first, ...others] = items;
  if (!first) throw new CommandError('The key in MERLON_TOKEN has access to no workspace: use another key.');
  if (others.length > 0) {
    throw new CommandError(
      `The key has access to several workspaces: set MERLON_WORKSPACE, or use --workspace. The workspaces are ${[first, ...others].map(({ slug }) => slug).join(', ')}.`,
      exitCodes.usage,
    );
  }
  return first.slug;
}

function readAddress(text: string | undefined): string {
  if (!text) {
    throw new CommandError(
      'MERLON_URL is not set: give the address of the server, such as https://merlon.example.com, or use --url.',
      exitCodes.usage,
    );
  }
  const url = parseUrl(text.trim());
  if (
    !url ||
    (url.protocol !== 'http:' && url.protocol !== 'https:') ||
    url.search !== '' ||
    url.hash !== ''
  ) {
    throw new CommandError(
      `The address of the server must look like https://merlon.example.com, not "${text}".`,
      exitCodes.usage,
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new CommandError(
      'The address of the server must not contain a name or a password.',
      exitCodes.usage,
    );
  }
  return url.href.replace(/\/+$/, '');
}

function readKey(text: string | undefined): string {
  const key = text?.trim() ?? '';
  if (key === '') {
    throw new CommandError(
      `MERLON_TOKEN is not set: give an API key, as "merlond key create" prints it. CI does not give its secrets to pull requests from forks.${keylessHint(process.env)}`,
      exitCodes.usage,
    );
  }
  if (!/^mrl_(?:pat|wsk)_[0-9A-Za-z]{46}$/.test(key)) {
    throw new CommandError(
      'MERLON_TOKEN does not hold an API key: mrl_pat_… or mrl_wsk_…, as "merlond key create" prints it.',
      exitCodes.usage,
    );
  }
  return key;
}
