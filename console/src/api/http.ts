/**
 * How the console speaks to its server: same origin, session cookie, CSRF token on writes. Reads of `/api/v1` go to
 * `/console/api/v1`, where the same handlers take a session. Every refusal is thrown as an `ApiError`. Nothing else in
 * the console may call `fetch`.
 */
import { ApiError } from './errors.ts';
import { sendWithProgress } from './send-with-progress.ts';

/** What must be asked of the frame around it; set once by `connect`. */
interface Frame {
  /** Of the session as last read; null when nobody is signed in. */
  csrfToken: () => string | null;
  readSessionAgain: () => Promise<void>;
  /** The session has ended. */
  signedOut: () => void;
  /** The person is no member of the workspace any more. */
  workspaceLost: () => void;
  /** Asks the person to sign in once more; false when they would not. */
  signInAgain: () => Promise<boolean>;
}

let frame: Frame | undefined;

export function connect(parts: Frame): void {
  frame = parts;
}

/** A request in parts that can be sent twice: a `Request` made of another streams its body, which HTTP/1.1 cannot. */
interface Message {
  method: string;
  url: URL;
  headers: Headers;
  body: string | Blob | ArrayBuffer | null;
  signal: AbortSignal | null;
  onProgress?: ((sent: number) => void) | undefined;
}

/** For the generated client: sends a request and answers with a success, or throws an ApiError. */
export async function send(request: Request): Promise<Response> {
  const url = new URL(request.url);
  if (url.pathname.startsWith('/api/v1/')) url.pathname = `/console${url.pathname}`;
  const headers = new Headers(request.headers);
  // The client sets one for a key that the console does not have.
  headers.delete('authorization');
  const { method, signal } = request;
  return exchange({
    method,
    url,
    headers,
    signal,
    body: method === 'GET' ? null : await request.arrayBuffer(),
  });
}

type Query = Record<string, string | number | boolean | readonly string[] | null | undefined>;

export interface CallOptions {
  query?: Query | undefined;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is, instead of a body. */
  file?: Blob;
  /** Told while a file is sent: how much of it is, from 0 to 1. */
  onProgress?: (sent: number) => void;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
}

/** For endpoints that the generated client does not know: the caller says what comes back. */
export async function call<T = undefined>(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  options: CallOptions = {},
): Promise<T> {
  const response = await exchange({
    method,
    url: urlOf(path, options.query ?? {}),
    headers: headersOf(options),
    body: options.file ?? (options.body === undefined ? null : JSON.stringify(options.body)),
    signal: options.signal ?? null,
    onProgress: options.onProgress,
  });
  if (response.status === 204) return undefined as T;
  return (await response.json()) as T;
}

/** The address of something on the server: for links and downloads, which the browser itself asks for. */
export function urlOf(path: string, query: Query): URL {
  const url = new URL(path, location.origin);
  for (const [name, value] of Object.entries(query)) {
    const text = Array.isArray(value) ? value.join(',') : String(value ?? '');
    if (text !== '') url.searchParams.set(name, text);
  }
  return url;
}

function headersOf({ body, headers }: CallOptions): Headers {
  return new Headers({ ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers });
}

async function exchange(message: Message): Promise<Response> {
  const response = await ask(message);
  if (response.ok) return response;
  const error = await ApiError.of(response);
  if (await worthAnotherTry(error)) {
    const second = await ask(message);
    if (second.ok) return second;
    throw await ApiError.of(second);
  }
  // There a 401 says that the password is wrong.
  if (error.status === 401 && message.url.pathname !== '/console/session') frame?.signedOut();
  if (error.code === 'TOKEN_INVALID_FOR_TENANT') frame?.workspaceLost();
  throw error;
}

function ask(message: Message): Promise<Response> {
  const { url, method, headers, body, signal, onProgress } = message;
  headers.set('accept', 'application/json');
  const token = frame?.csrfToken() ?? null;
  if (token !== null && method !== 'GET') headers.set('x-csrf-token', token);
  if (onProgress) return sendWithProgress({ url, method, headers, body, signal, onProgress });
  return fetch(url, { method, headers, body, signal });
}

async function worthAnotherTry(error: ApiError): Promise<boolean> {
  if (!frame) return false;
  if (error.code === 'SIGN_IN_AGAIN') return frame.signInAgain();
  if (error.code !== 'ORIGIN_REFUSED') return false;
  // A sign-in in another tab has changed the token.
  const before = frame.csrfToken();
  await frame.readSessionAgain();
  return frame.csrfToken() !== before;
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Parameters for the generated client, without those that are not set. */
export function given<T extends object>(parameters: T): Given<T> {
  return Object.fromEntries(
    Object.entries(parameters).filter(([, value]) => value !== undefined && value !== ''),
  ) as Given<T>;
}
