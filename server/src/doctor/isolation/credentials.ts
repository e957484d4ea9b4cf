/** The credentials that a request may have, and the refusal that each of them must get. */
import type { KnownRoute, Request } from './known-route.ts';
import type { Answer } from './send.ts';
import type { SessionHeaders } from './sessions.ts';

/** A key, a whole Authorization header (with a blank in it), a session, or nothing. */
export type Credential = string | SessionHeaders | null;

/** The request as it is sent with that credential. */
export function sentBy(credential: Credential, request: Request): Request & { authorization?: string } {
  if (credential === null) return request;
  if (typeof credential === 'string') {
    return { ...request, authorization: credential.includes(' ') ? credential : `Bearer ${credential}` };
  }
  return { ...request, headers: { ...credential.headers, ...request.headers } };
}

export interface ExpectedRefusal {
  status: number;
  code: string;
  /** A field that `details.errors` must name. */
  field?: string;
  /** A text that the WWW-Authenticate header must contain. */
  challenge?: RegExp;
  /** The text of the caller that the refusal repeats. */
  echo?: string;
}

export const unauthenticated: ExpectedRefusal = {
  status: 401,
  code: 'AUTHENTICATION_REQUIRED',
  challenge: /^Bearer/,
};
export const wrongTenant: ExpectedRefusal = {
  status: 403,
  code: 'TOKEN_INVALID_FOR_TENANT',
  challenge: /^Bearer error="insufficient_scope"/,
};
/** A session has the scopes of its role, so it lacks a scope or the role, whichever is checked first. */
export const lacking: ExpectedRefusal = {
  status: 403,
  code: 'TOKEN_ABILITY_DENIED',
  challenge: /insufficient_scope/,
};

export function denied(route: KnownRoute): ExpectedRefusal {
  return {
    status: 403,
    code: 'TOKEN_ABILITY_DENIED',
    challenge: new RegExp(
      `insufficient_scope.*${route.access !== 'key' && 'scopes' in route.access ? route.access.scopes[0] : ''}`,
    ),
  };
}

/** Says how the answer differs from that refusal, or returns null if it does not differ. */
export function notRefused(answer: Answer, refusal: ExpectedRefusal): string | null {
  if (answer.status !== refusal.status) return `${answer.status} instead of ${refusal.status}`;
  if (answer.body.code !== refusal.code) return `${String(answer.body.code)} instead of ${refusal.code}`;
  if (refusal.field !== undefined) {
    const details = answer.body.details as { errors?: Record<string, string[]> } | undefined;
    const fields = Object.keys(details?.errors ?? {});
    if (fields.length !== 1 || fields[0] !== refusal.field)
      return `fields ${fields.join(', ')} instead of ${refusal.field}`;
  }
  if (refusal.challenge && !refusal.challenge.test(answer.headers['www-authenticate'] ?? '')) {
    return `another challenge: ${answer.headers['www-authenticate'] ?? 'none'}`;
  }
  return null;
}
