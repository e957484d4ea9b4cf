/**
 * Sends a request to an address that an admin of a workspace has given, and that may therefore point anywhere. The name
 * is resolved once, every address is checked, and the connection goes to an address that was checked, so that a name
 * which changes its address in between gains nothing. Redirects are not followed, and the answer is bounded in size and
 * time. `outboundPost` gives only the status of the answer, so nobody can read through it what they may not read
 * otherwise.
 */
import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { type BlockList, isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.ts';

/**
 * The request did not get an answer. `message` says why, for the delivery log; it holds nothing that the receiver sent.
 */
export class DeliveryError extends Error {}

export type Lookup = (host: string) => Promise<LookupAddress[]>;

export interface OutboundOptions {
  /** Networks that are reached although they are not public. */
  allowed: BlockList;
  /** Also asks the resolver of the system, which knows the names of the machine itself. */
  usesSystemNames: boolean;
  lookup?: Lookup;
  timeoutMs?: number;
  /** Ends the request, because the process stops. */
  stopping?: AbortSignal;
}

const defaultTimeoutMs = 15_000;
// A receiver that sends more than this is cut off.
const maxPostAnswerBytes = 64 * 1024;

export interface OutboundRequest {
  method: string;
  headers: Record<string, string>;
  /** Null: none. */
  body: string | null;
  /** An answer of more bytes is cut off. */
  maxAnswerBytes: number;
}

export interface OutboundAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** False if the body was too long, or broke off. */
  isWhole: boolean;
}

/** Resolves with the status of the answer, also of a redirect. Throws DeliveryError where no answer comes. */
export async function outboundPost(
  address: string,
  headers: Record<string, string>,
  body: string,
  options: OutboundOptions,
): Promise<{ status: number }> {
  const request = { method: 'POST', headers, body, maxAnswerBytes: maxPostAnswerBytes };
  const { status } = await outboundRequest(address, request, options);
  return { status };
}

/** Resolves with any answer, also a redirect. Throws DeliveryError where no answer comes. */
export async function outboundRequest(
  address: string,
  { method, headers, body, maxAnswerBytes }: OutboundRequest,
  options: OutboundOptions,
): Promise<OutboundAnswer> {
  const { timeoutMs = defaultTimeoutMs, stopping } = options;
  const url = new URL(address);
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = stopping === undefined ? timeout : AbortSignal.any([timeout, stopping]);
  const addresses = await beforeAbort(checkedAddresses(url, options), signal, timeoutMs);
  const lookup: LookupFunction = (_host, { all }, done) => {
    const [first] = addresses;
    if (all) done(null, addresses);
    else done(null, first.address, first.family);
  };
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolved, failed) => {
    let answer: Pick<OutboundAnswer, 'status' | 'headers'> | null = null;
    const chunks: Buffer[] = [];
    let bytes = 0;
    // After the status has come, a body that stalls or breaks off is one that is not whole.
    const end = (error: NodeJS.ErrnoException, isWhole = false): void => {
      if (answer === null) failed(errorOf(error, signal, timeoutMs));
      else resolved({ ...answer, body: Buffer.concat(chunks), isWhole });
    };
    const request = send(
      url,
      {
        method,
        headers: body === null ? headers : { ...headers, 'content-length': Buffer.byteLength(body) },
        lookup,
        // A connection of its own, so that no connection to another address is used again.
        agent: false,
        signal,
      },
      (response) => {
        answer = { status: response.statusCode ?? 0, headers: response.headers };
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes > maxAnswerBytes) response.destroy();
          else chunks.push(chunk);
        });
        response.on('error', (error) => end(error));
        response.on('close', () => end(new Error('closed'), response.complete && bytes <= maxAnswerBytes));
      },
    );
    request.on('error', (error) => end(error));
    // A receiver that switches to another protocol, for example, ends the request without an error.
    request.on('close', () => {
      if (answer === null) end(new Error('closed'));
    });
    request.end(body ?? undefined);
  });
}

// One text for both, and without the address: it would answer which names there are inside of the network.
const refusedHost = 'the host has no address, or one that is not public and not in MERLON_WEBHOOK_NETWORKS';

/** The addresses of the host, all of them checked. Throws DeliveryError. */
async function checkedAddresses(
  url: URL,
  { allowed, usesSystemNames, lookup = usesSystemNames ? resolveWithSystem : resolve }: OutboundOptions,
): Promise<[LookupAddress, ...LookupAddress[]]> {
  const host = hostOf(url);
  const family = isIP(host);
  const [first, ...others] = family === 0 ? await lookup(host) : [{ address: host, family }];
  if (first === undefined) throw new DeliveryError(refusedHost);
  for (const { address } of [first, ...others]) {
    if (!isPublicAddress(address) && !isAllowed(address, allowed)) {
      throw new DeliveryError(refusedHost);
    }
    if (url.protocol === 'http:' && !isAllowed(address, allowed)) {
      throw new DeliveryError('a public address needs https');
    }
  }
  return [first, ...others];
}

/** The name or address of the host, without the brackets around an IPv6 address. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

/** True if the operator allows the address, whether it is public or not. */
export function isAllowed(address: string, allowed: BlockList): boolean {
  return allowed.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

// The resolver of the system takes a thread for as long as a name server is silent, and there are only four of them. A
// workspace chooses the name, so this one is asked, which takes none.
const resolver = new Resolver({ timeout: 2_000, tries: 2 });

async function resolve(host: string): Promise<LookupAddress[]> {
  const [v4, v6] = await Promise.all([
    resolver.resolve4(host).catch(() => []),
    resolver.resolve6(host).catch(() => []),
  ]);
  return [...v4.map((address) => ({ address, family: 4 })), ...v6.map((address) => ({ address, family: 6 }))];
}

async function resolveWithSystem(host: string): Promise<LookupAddress[]> {
  const found = await resolve(host);
  if (found.length > 0) return found;
  return new Promise((resolved) => {
    systemLookup(host, { all: true }, (error, addresses) => resolved(error ? [] : addresses));
  });
}

async function beforeAbort<T>(work: Promise<T>, signal: AbortSignal, timeoutMs: number): Promise<T> {
  let abort = (): void => {};
  const aborted = new Promise<never>((_, failed) => {
    abort = () => failed(noAnswer(timeoutMs));
    signal.addEventListener('abort', abort);
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

const noAnswer = (timeoutMs: number): DeliveryError =>
  new DeliveryError(`no answer within ${timeoutMs / 1000} seconds`);

const reasons: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was broken off',
  EHOSTUNREACH: 'the host is not reached',
  ENETUNREACH: 'the network is not reached',
  ETIMEDOUT: 'the host does not answer',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is signed by itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is signed by an authority that the server does not trust',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'the certificate is signed by an authority that the server does not trust',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate is signed by an authority that the server does not trust',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another name',
};

// Messages of errors may quote what the receiver sent, such as the names in its certificate. Codes do not.
function errorOf(error: NodeJS.ErrnoException, signal: AbortSignal, timeoutMs: number): DeliveryError {
  if (signal.aborted) return noAnswer(timeoutMs);
  const code = error.code ?? '';
  return new DeliveryError(
    reasons[code] ?? (code === '' ? 'the connection was broken off' : `no answer: ${code}`),
  );
}
