/**
 * The console sends to its own origin, with the session cookie and a CSRF token on writes. Reads of `/api/v1` and
 * `/export/v1` go to the same paths under `/console`, where the same handlers take a session. Every error of the server
 * is thrown as an `ApiError`. Nothing else in the console may call `fetch`.
 */
import { addressOf, type OperationRequest } from '@merlon/client';
import { ApiError } from './errors.ts';
import { sendWithProgress } from './send-with-progress.ts';
import { isAwayError, noticeFailure } from './server-away.ts';

/** The callbacks of the frame around the pages. `connect` sets them once. */
interface Frame {
  /** Returns the token of the session as last read; null when nobody is signed in. */
  csrfToken: () => string | null;
  readSessionAgain: () => Promise<void>;
  /** Called when the session has ended, and the person has not signed in again. */
  signedOut: () => void;
  /** Called when the person is no longer a member of the workspace. */
  workspaceLost: () => void;
  /** The page is shown to people who have not signed in, such as that of an invitation. */
  isOutside: () => boolean;
  /** Asks the person to sign in once more. False means that they declined. */
  signInAgain: (hasEnded: boolean) => Promise<boolean>;
}

let frame: Frame | undefined;

export function connect(parts: Frame): void {
  frame = parts;
}

/**
 * The parts of a request, so that it can be sent twice. A copied `Request` would stream its body, which HTTP/1.1 cannot
 * do.
 */
interface Message extends Omit<OperationRequest, 'body'> {
  body: string | Blob | null;
  /** Called while the body is sent, with the sent share from 0 to 1. */
  onProgress?: (sent: number) => void;
}

/** Answers with a success, or throws an ApiError. */
export async function send(message: Message): Promise<Response> {
  try {
    return await sendOrRepeat(message);
  } catch (error) {
    if (isAwayError(error)) noticeFailure();
    throw error;
  }
}

const readyWithinMs = 5_000;

/** True if the server can answer requests. Never throws. */
export async function isServerReady(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(readyWithinMs);
    return (await fetch(addressOf('getReadiness'), { signal })).status < 500;
  } catch {
    return false;
  }
}

async function sendOrRepeat(message: Message): Promise<Response> {
  const token = frame?.csrfToken() ?? null;
  const response = await fetchOnce(message);
  if (response.ok) return response;
  const error = await ApiError.of(response);
  // A sign-in uses the address of the session. A 401 from there means that the password is wrong.
  const hasEnded = error.status === 401 && message.address !== addressOf('getSession');
  if (await shouldRetry(error, hasEnded, token)) {
    const second = await fetchOnce(message);
    if (second.ok) return second;
    throw await ApiError.of(second);
  }
  if (hasEnded) frame?.signedOut();
  if (error.code === 'TOKEN_INVALID_FOR_TENANT') frame?.workspaceLost();
  throw error;
}

/** The address by which a session calls an operation. */
export function sessionAddress(address: string): string {
  return /^\/(api|export)\/v1\//.test(address) ? `/console${address}` : address;
}

function fetchOnce({ address, method, headers, body, signal, onProgress }: Message): Promise<Response> {
  const url = sessionAddress(address);
  const token = frame?.csrfToken() ?? null;
  const init = {
    method,
    headers: token === null || method === 'GET' ? headers : { ...headers, 'x-csrf-token': token },
    body,
    signal,
  };
  return onProgress ? sendWithProgress(url, init, onProgress) : fetch(url, init);
}

/** `token` is the CSRF token with which the request was sent. */
async function shouldRetry(error: ApiError, hasEnded: boolean, token: string | null): Promise<boolean> {
  if (!frame) return false;
  if (error.code === 'SIGN_IN_AGAIN') return askAgain(frame, false);
  if (!hasEnded && error.code !== 'ORIGIN_REFUSED') return false;
  // A sign-in in another tab, or after another request, has changed the token.
  await frame.readSessionAgain();
  const now = frame.csrfToken();
  return now !== null && (now !== token || (hasEnded && askAgain(frame, true)));
}

async function askAgain({ isOutside, signInAgain }: Frame, hasEnded: boolean): Promise<boolean> {
  return !isOutside() && signInAgain(hasEnded);
}

/** True before the page is connected, and on a page for people who have not signed in. */
export function isOutsidePage(): boolean {
  return frame?.isOutside() ?? true;
}
