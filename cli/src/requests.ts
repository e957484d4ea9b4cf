/**
 * Retries requests after a lost connection, after a rate limit or while a server starts. Each pause is longer than the
 * one before and is reported. Only requests that are safe to repeat are repeated.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { MerlonError } from '@merlon/client';
import { CommandError, exitCodes } from './failures.ts';
import { say } from './output.ts';

/** The clock for pauses. Tests replace it to run without waiting. */
export interface RetryClock {
  pause(milliseconds: number): Promise<unknown>;
  say(message: string): void;
}

export const retryClock: RetryClock = { pause: (milliseconds) => sleep(milliseconds), say };

export interface RetryPolicy {
  /**
   * Retries lost connections and 502, 503, 504. Allowed only for requests without effect or with an Idempotency-Key.
   */
  failures: boolean;
  /**
   * Retries connections that were never made. CI sets it to wait for a restart of the server; a person sees the error
   * at once.
   */
  connections: boolean;
  /**
   * The caller reads the body as it comes. Otherwise the body is a part of the attempt: its connection can be lost too.
   */
  streams?: boolean;
}

// With the pauses below this makes half a minute, the longest restart of the server.
const maxRetries = 5;
const firstPauseMs = 1_000;
// The server's rate windows are one minute, so the command does not wait longer than this.
const longestPauseMs = 120_000;

/** Returns the answer with any status. Throws CommandError if no answer comes. */
export async function withRetries(
  address: string,
  policy: RetryPolicy,
  { pause, say }: RetryClock,
  attempt: () => Promise<Response>,
): Promise<Response> {
  for (let retry = 1; ; retry++) {
    let problem: string;
    let wait = backoff(retry);
    try {
      const answer = await attempt();
      const response = policy.streams ? answer : await wholeAnswer(answer);
      const asked = retryAfterMs(response.headers.get('retry-after'));
      if (retry > maxRetries || !mayRepeat(response.status, policy) || (asked ?? 0) > longestPauseMs) {
        return response;
      }
      // An unread body would keep its connection open.
      await response.body?.cancel().catch(() => {});
      problem = response.status === 429 ? 'too many requests' : `the server answers ${response.status}`;
      wait = asked ?? wait;
    } catch (error) {
      if (error instanceof CommandError) throw error;
      const { code, message: reason } = connectionProblem(error);
      if (reason === 'unexpected redirect') throw redirected(null);
      problem = `cannot reach ${address}: ${reason}`;
      const repeatable = unmade.has(code) ? policy.connections : policy.failures && lost.has(code);
      if (retry > maxRetries || !repeatable) {
        throw new CommandError(
          `The server at ${address} cannot be reached: ${reason}.`,
          exitCodes.unreachable,
        );
      }
    }
    say(`${problem}; trying again in ${Math.ceil(wait / 1000)} s (${retry} of ${maxRetries})`);
    await pause(wait);
  }
}

/** Returns the same answer with its whole body, which has arrived then. */
export async function wholeAnswer(answer: Response): Promise<Response> {
  const text = await answer.text();
  return new Response(text === '' ? null : text, answer);
}

/** Turns the API's error into a MerlonError. `details.needed` says which scope or role the key lacks. */
async function refusalOf(response: Response): Promise<MerlonError> {
  const body = (await response.json().catch(() => ({}))) as ConstructorParameters<typeof MerlonError>[1];
  const needed = neededOf(response.headers.get('www-authenticate'));
  const details = { ...body.details, ...(needed === null ? {} : { needed }) };
  return new MerlonError(response.status, { ...body, details }, response.headers.get('x-request-id'));
}

/** Throws for an error and for a redirect, which a key must not follow. */
export async function checkAnswer(response: Response, type: string | null): Promise<Response> {
  const location = response.headers.get('location');
  if (response.status >= 300 && response.status < 400) {
    throw redirected(location);
  }
  if (!response.ok) throw await refusalOf(response);
  if (type !== null && !(response.headers.get('content-type') ?? '').startsWith(type)) {
    await response.body?.cancel();
    throw notMerlon();
  }
  return response;
}

export function notMerlon(): CommandError {
  return new CommandError(
    'The answer does not come from Merlon: set MERLON_URL to the address of the server.',
    exitCodes.usage,
  );
}

function redirected(location: string | null): CommandError {
  return new CommandError(
    `The server says that it is at ${location ?? 'another address, such as with https'}: set MERLON_URL to that address.`,
    exitCodes.usage,
  );
}

function mayRepeat(status: number, policy: RetryPolicy): boolean {
  // A rate limit refuses the request before it has any effect.
  if (status === 429) return true;
  return policy.failures && (status === 502 || status === 503 || status === 504);
}

function backoff(retry: number): number {
  const longest = firstPauseMs * 2 ** (retry - 1);
  return longest / 2 + (Math.random() * longest) / 2;
}

function retryAfterMs(header: string | null): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now());
}

function neededOf(challenge: string | null): string | null {
  const scope = /\bscope="([^"]+)"/.exec(challenge ?? '')?.[1];
  if (scope) return `It needs the scope ${scope.replaceAll(' ', ', ')}`;
  const description = /\berror_description="([^"]+)"/.exec(challenge ?? '')?.[1];
  return description ?? null;
}

const unmade = new Set([
  'ECONNREFUSED',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);
// Errors of names and certificates are not in the list, because half a minute does not repair them.
const lost = new Set([
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'UND_ERR_SOCKET',
  'UND_ERR_HEADERS_TIMEOUT',
  'ABORTED',
]);

const unknownAuthority =
  'the authority of its certificate is unknown; set NODE_EXTRA_CA_CERTS to a file with the certificate of that authority';

const problemMessages: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the name cannot be looked up now',
  ECONNRESET: 'connection lost',
  ETIMEDOUT: 'no answer',
  EPIPE: 'connection lost',
  UND_ERR_SOCKET: 'connection lost',
  UND_ERR_CONNECT_TIMEOUT: 'no answer',
  UND_ERR_HEADERS_TIMEOUT: 'no answer',
  UND_ERR_BODY_TIMEOUT: 'no answer',
  ABORTED: 'no answer in time',
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownAuthority,
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
};

function connectionProblem(error: unknown): { code: string; message: string } {
  const { name, message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  const code = name === 'TimeoutError' || name === 'AbortError' ? 'ABORTED' : (cause?.code ?? '');
  return { code, message: problemMessages[code] ?? cause?.message ?? message };
}
