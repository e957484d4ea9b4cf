/**
 * Verifies a token of a CI provider: its signature by the provider's published keys, its issuer and its times. It asks
 * only issuers that the operator allows, so nobody can make the server call another address.
 */
import { createRemoteJWKSet, customFetch, decodeJwt, errors, jwtVerify, type RemoteJWKSet } from 'jose';
import { LRUCache } from 'lru-cache';
import type { CiClaims } from '../../domain/ci-providers.ts';
import { DomainError } from '../../domain/domain-error.ts';
import { authenticationRequired, serviceUnavailable } from '../../domain/errors.ts';
import { parseIssuer } from '../../domain/issuer.ts';
import { daySeconds } from '../../domain/time.ts';

export interface VerifiedToken {
  /** As it is configured. */
  issuer: string;
  /** The id of the token, which its issuer gives to no other. */
  id: string;
  audiences: string[];
  expiresAt: Date;
  claims: CiClaims;
}

export type TokenVerifier = (token: string) => Promise<VerifiedToken>;

// RFC 8725 forbids to take the algorithm from the token: both providers sign with RSA, and new ones with elliptic
// curves.
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'ES256', 'ES384'];
const answerWithinMs = 5_000;
// The documents of both providers have some kilobytes.
const maxDocumentBytes = 1024 * 1024;
// Anybody may send a token that names an issuer. While the issuer fails, they must not make the server ask for each
// one.
const askAgainMs = 10_000;
// An issuer has two addresses, and only the issuers that the operator allows are asked.
const maxFailedAddresses = 1_000;
// The clocks of a runner's provider and of this server may differ by that much.
const clockToleranceSeconds = 30;
// The job of a token may take hours. A token that is longer valid was not made for a run.
const longestValidSeconds = daySeconds;

/** Throws 401 with the reason for a token that is not valid, and 503 if the provider's keys cannot be read. */
export function tokenVerifier(issuers: readonly string[]): TokenVerifier {
  const keySets = new Map<string, Promise<RemoteJWKSet>>();
  const ask = patientFetch();
  const keysOf = (issuer: string): Promise<RemoteJWKSet> => {
    const known = keySets.get(issuer);
    if (known) return known;
    const found = findKeySet(issuer, ask);
    keySets.set(issuer, found);
    // A failed look-up is not kept, so the next token asks again.
    found.catch(() => keySets.delete(issuer));
    return found;
  };
  return async (token) => {
    const issuer = issuerOf(token);
    if (issuer === undefined || !issuers.includes(issuer)) {
      throw refused('The server does not allow the issuer of the token: MERLON_CI_ISSUERS');
    }
    try {
      const keys = await keysOf(issuer);
      const { payload } = await jwtVerify(token, keys, {
        algorithms,
        clockTolerance: clockToleranceSeconds,
        requiredClaims: ['iss', 'aud', 'exp', 'iat', 'jti'],
      });
      const { aud, exp = 0, iat = 0, jti = '' } = payload;
      if (jti === '') throw refused('The token has no id (jti)');
      if (exp - iat > longestValidSeconds) throw refused('The token is valid for more than a day');
      return {
        issuer,
        id: jti,
        audiences: [aud ?? []].flat(),
        expiresAt: new Date((exp + clockToleranceSeconds) * 1000),
        claims: payload,
      };
    } catch (error) {
      throw answerOf(error);
    }
  };
}

// OpenID Connect Discovery 1.0: the document stands below the issuer and names the address of the keys. Keys at another
// host would be those of somebody else.
async function findKeySet(issuer: string, ask: Fetch): Promise<RemoteJWKSet> {
  const response = await ask(`${issuer}/.well-known/openid-configuration`, {
    redirect: 'error',
    signal: AbortSignal.timeout(answerWithinMs),
  });
  const document = (await response.json()) as { issuer?: unknown; jwks_uri?: unknown };
  const address = URL.parse(String(document.jwks_uri));
  if (parseIssuer(document.issuer) !== issuer || address?.origin !== new URL(issuer).origin) {
    throw new Error(`${issuer} describes another issuer, or keys at another host`);
  }
  return createRemoteJWKSet(address, { timeoutDuration: answerWithinMs, [customFetch]: ask });
}

type Fetch = (address: string, options: RequestInit) => Promise<Response>;

// Reads a document of bounded size, and does not ask an address again for a while after it failed.
function patientFetch(): Fetch {
  const failed = new LRUCache<string, true>({ max: maxFailedAddresses, ttl: askAgainMs, ttlResolution: 0 });
  return async (address, options) => {
    if (failed.has(address)) throw new Error(`${address} failed a moment ago`);
    try {
      const response = await fetch(address, options);
      if (response.status !== 200) throw new Error(`${address} answers ${response.status}`);
      const chunks: Uint8Array[] = [];
      let bytes = 0;
      for await (const chunk of response.body ?? []) {
        bytes += chunk.length;
        if (bytes > maxDocumentBytes) throw new Error(`${address} answers more than a megabyte`);
        chunks.push(chunk);
      }
      failed.delete(address);
      return new Response(Buffer.concat(chunks));
    } catch (error) {
      failed.set(address, true);
      throw error;
    }
  };
}

function issuerOf(token: string): string | undefined {
  try {
    return parseIssuer(decodeJwt(token).iss);
  } catch {
    return undefined;
  }
}

function answerOf(error: unknown): unknown {
  if (error instanceof errors.JWTExpired) return refused('The token has expired');
  const isOfProvider = error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid;
  if (error instanceof errors.JOSEError && !isOfProvider && error.code !== 'ERR_JOSE_GENERIC') {
    return refused('The token is not valid: its signature or a claim is wrong');
  }
  if (error instanceof DomainError) return error;
  return serviceUnavailable('The keys of the CI provider cannot be read at the moment. Try again later.');
}

function refused(description: string): Error {
  return authenticationRequired({ error: 'invalid_token', description });
}
