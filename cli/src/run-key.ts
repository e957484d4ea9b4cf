/**
 * Gets a key without a stored one: a run of CI exchanges its own signed token for a key of fifteen minutes. The token
 * comes from the environment (GitLab's `id_tokens`) or from GitHub, which signs one when asked.
 */

import { MerlonError, requestOf } from '@merlon/client';
import type { Sentence } from '@merlon/terminal';
import { CommandError, exitCodes } from './failures.ts';
import { parseUrl } from './parse-url.ts';
import { checkAnswer, type RetryPolicy, retryClock, withRetries } from './requests.ts';

type Variables = Record<string, string | undefined>;

const attemptMs = 30_000;

/** True if the environment has a token of the run, or a way to ask for one. */
export function hasRunToken(env: Variables): boolean {
  return Boolean(env.MERLON_ID_TOKEN || env.ACTIONS_ID_TOKEN_REQUEST_URL);
}

/**
 * Says what a job lacks that has neither a key nor a token: the provider gives a token only to a job that asks for one.
 */
export function keylessHint(env: Variables): '' | ` ${Sentence}` {
  if (env.GITHUB_ACTIONS) return ' A job without a key needs "permissions: id-token: write".';
  if (env.GITLAB_CI) return ' A job without a key needs MERLON_ID_TOKEN under "id_tokens".';
  return '';
}

/** Exchanges the token of the run. Throws CommandError with what to do, or MerlonError for a refusal. */
export async function exchangeRunToken(
  baseUrl: string,
  workspace: string | undefined,
  env: Variables,
  policy: RetryPolicy,
): Promise<string> {
  if (!workspace) {
    throw new CommandError(
      'MERLON_TOKEN is not set. To get a key with the token of the run, set MERLON_WORKSPACE, or use --workspace.',
      exitCodes.usage,
    );
  }
  const token = env.MERLON_ID_TOKEN?.trim() || (await askGithub(baseUrl, env));
  const { address, method, headers, body } = requestOf('exchangeCiToken', {
    path: { tenant_slug: workspace },
    body: { token },
  });
  const once = (): Promise<Response> =>
    fetch(`${baseUrl}${address}`, {
      method,
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(attemptMs),
    });
  // A token is exchanged once, so only a connection that was never made is tried again.
  const answer = await withRetries(baseUrl, { ...policy, failures: false }, retryClock, once);
  const checked = await checkAnswer(answer, 'application/json').catch((error) => {
    throw refusalOf(error, workspace);
  });
  const { key } = (await checked.json()) as { key: string };
  return key;
}

function refusalOf(error: unknown, workspace: string): unknown {
  if (!(error instanceof MerlonError)) return error;
  if (error.status === 401) {
    return new CommandError(
      `The server does not accept the token of this run: ${String(error.details.needed ?? error.message).replace(/\.$/, '')}.`,
    );
  }
  if (error.status !== 403) return error;
  return new CommandError(
    `No trust rule of the workspace ${workspace} accepts the token of this run. An admin sees the reason beside the rules, on the page of the workspace’s keys.`,
  );
}

// GitHub signs the token for the audience that the job asks for. The address of the server is what a trust rule names.
async function askGithub(audience: string, env: Variables): Promise<string> {
  const url = parseUrl(env.ACTIONS_ID_TOKEN_REQUEST_URL ?? '');
  const credential = env.ACTIONS_ID_TOKEN_REQUEST_TOKEN;
  if (!url || !credential) {
    throw new CommandError(
      'GitHub gives this job no token: add "permissions: id-token: write" to it, or set MERLON_TOKEN.',
      exitCodes.usage,
    );
  }
  url.searchParams.set('audience', audience);
  const answer = await withRetries(url.origin, { failures: true, connections: true }, retryClock, () =>
    fetch(url, {
      headers: { authorization: `Bearer ${credential}`, accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(attemptMs),
    }),
  );
  const { value } = (await answer.json().catch(() => ({}))) as { value?: unknown };
  if (!answer.ok || typeof value !== 'string') {
    throw new CommandError(`GitHub gives this job no token: it answers ${answer.status}.`);
  }
  return value;
}
