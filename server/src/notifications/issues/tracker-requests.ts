/**
 * Requests to an issue tracker. They pass the same guard as those of webhooks, since an admin of a workspace chooses
 * the address: only checked addresses, no redirect, bounded in size and time.
 */

import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Static, TSchema } from 'typebox';
import { secondMs } from '../../domain/time.ts';
import {
  DeliveryError,
  type OutboundAnswer,
  type OutboundOptions,
  outboundRequest,
} from '../outbound/outbound-request.ts';
import { checkedAnswer } from './check-answer.ts';
import { TrackerError } from './tracker-client.ts';

export interface TrackerRequest {
  method: string;
  headers: Record<string, string>;
  /** Null: none. */
  body: string | null;
}

/** Sends a request and returns a successful answer. Throws TrackerError. */
export type SendRequest = (url: string, request: TrackerRequest) => Promise<Response>;

// A page of fifty issues with long texts. Objects of JSON take up to thirty times as much memory as their text, and
// while such an answer is parsed, for up to a second, the process answers nobody.
const maxAnswerBytes = 2 * 1024 * 1024;
// The time from one request to the next is at least as long as the answer takes at this rate. A workspace has few
// trackers that are read at a time, so long answers take an eighth of the time of the process at most, and usual pages
// take seconds.
const bytesInSecond = 128 * 1024;
// An answer up to this size, such as that about one issue, is parsed in less time than its request takes.
const smallAnswerBytes = 16 * 1024;

/** `explain` may add to the message of a refused request what the answer says, without any text of it. */
export function sendWith(options: OutboundOptions, explain?: (body: Buffer) => string | null): SendRequest {
  let nextAt = 0;
  return async (url, request) => {
    // A process that stops does not wait, and its request then fails.
    await sleep(Math.max(0, nextAt - performance.now()), undefined, { signal: options.stopping }).catch(
      () => {},
    );
    const startedAt = performance.now();
    const answer = await outboundRequest(url, { ...request, maxAnswerBytes }, options).catch(
      (error: unknown) => {
        if (error instanceof DeliveryError) throw new TrackerError('unreachable', error.message);
        throw error;
      },
    );
    nextAt = startedAt + ((answer.body.length - smallAnswerBytes) / bytesInSecond) * secondMs;
    const failure = failureOf(answer, request.method, Date.now());
    const explanation = failure?.failure === 'refused' ? explain?.(answer.body) : null;
    if (failure && explanation) throw new TrackerError('refused', `${failure.message}: ${explanation}`);
    if (failure) throw failure;
    if (!answer.isWhole) throw new TrackerError('unreachable', 'the answer is too long, or broke off');
    // A Response with one of these statuses must not have a body, whatever the tracker has sent.
    const hasBody = answer.body.length > 0 && ![204, 205].includes(answer.status);
    return new Response(hasBody ? new Uint8Array(answer.body) : null, {
      status: answer.status,
      headers: headersOf(answer.headers),
    });
  };
}

function headersOf(headers: IncomingHttpHeaders): Headers {
  const known = new Headers();
  // The body was read as it came, so its length and encoding say nothing any more.
  for (const name of ['content-type', 'link', 'x-total-pages', 'x-next-page']) {
    const value = headers[name];
    if (typeof value === 'string') known.set(name, value);
  }
  return known;
}

// Without a time of the tracker; and no time of it stops the work for longer than an hour.
const defaultWaitMs = 60 * secondMs;
const longestWaitMs = 3_600 * secondMs;

// GitHub has a limit for many requests in a short time, and may say by its message alone that it is exceeded:
// https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit
const secondaryLimit = /\bsecondary rate limit\b/i;

/** Null for a successful answer. */
function failureOf(
  { status, headers, body }: OutboundAnswer,
  method: string,
  now: number,
): TrackerError | null {
  if (status >= 200 && status < 300) return null;
  const isLimited =
    status === 429 ||
    (status === 403 &&
      (headers['retry-after'] !== undefined ||
        headers['x-ratelimit-remaining'] === '0' ||
        secondaryLimit.test(body.toString())));
  if (isLimited) {
    return new TrackerError('limited', `too many requests (HTTP ${status})`, waitOf(headers, now));
  }
  if (status === 401) {
    return new TrackerError('unauthorized', 'the token is wrong, has ended, or was revoked (HTTP 401)');
  }
  if (status === 404 || status === 410) return new TrackerError('missing', `not found (HTTP ${status})`);
  if (status >= 500) {
    return new TrackerError(
      'unreachable',
      `the tracker has a fault (HTTP ${status})`,
      waitOf(headers, now, null),
    );
  }
  if (status >= 300 && status < 400) {
    return new TrackerError('refused', 'redirects are not followed; the project may have moved');
  }
  if (status === 403) {
    const act = method === 'GET' ? 'read this' : 'write this';
    return new TrackerError('refused', `the token may not ${act} (HTTP 403)`);
  }
  return new TrackerError('refused', `the tracker refuses the request (HTTP ${status})`);
}

function waitOf(headers: IncomingHttpHeaders, now: number): number;
function waitOf(headers: IncomingHttpHeaders, now: number, without: null): number | null;
function waitOf(
  headers: IncomingHttpHeaders,
  now: number,
  without: number | null = defaultWaitMs,
): number | null {
  const { 'retry-after': after } = headers;
  // Answers about anything else have these fields too.
  const hasRequestsLeft = Number(headers['x-ratelimit-remaining'] ?? headers['ratelimit-remaining'] ?? 0) > 0;
  const reset = hasRequestsLeft ? undefined : (headers['x-ratelimit-reset'] ?? headers['ratelimit-reset']);
  const until =
    after === undefined
      ? Number(reset ?? Number.NaN) * secondMs
      : /^\d+$/.test(after)
        ? now + Number(after) * secondMs
        : Date.parse(after);
  if (Number.isNaN(until)) return without;
  return Math.min(longestWaitMs, Math.max(secondMs, until - now));
}

/** Reads an answer as JSON of this form. Throws TrackerError for any other answer, such as a page for sign-in. */
export async function jsonOf<Schema extends TSchema>(
  response: Response,
  schema: Schema,
): Promise<Static<Schema>> {
  const answer: unknown = await response.json().catch(() => undefined);
  return checkedAnswer(schema, answer);
}
