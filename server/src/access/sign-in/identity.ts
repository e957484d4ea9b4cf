/** The identity in a verified ID token of the OpenID Connect provider. */
import { parseEmail } from '../../domain/email.ts';
import { parseIssuer } from '../../domain/issuer.ts';
import { cleanedName } from '../../domain/plain-name.ts';

export const oidcProviderId = 'sso';
export const oidcPath = '/console/oidc';
/** The provider sends people back to this path, so it must be registered there. */
export const oidcCallbackPath = `${oidcPath}/callback/${oidcProviderId}`;

export interface ProvenIdentity {
  /** Issuer and subject, because a subject is unique only for its issuer. */
  accountId: string;
  /** The folded address; undefined if the claim is no address. */
  email: string | undefined;
  /** The value of the claim `email_verified`. */
  emailVerified: boolean;
  name: string;
}

type Claims = Record<string, unknown>;

/** The stored form of an identity. An issuer has no "#" (`parseIssuer`), so the first one separates the subject. */
function accountIdOf(issuer: string, subject: string): string {
  return `${issuer}#${subject}`;
}

/** Reads the claims of an ID token or of the provider's user info. A misleading or missing name is replaced. */
export function profileOf(claims: Claims): Omit<ProvenIdentity, 'accountId'> {
  const { name, email_verified: verified } = claims;
  const email = parseEmail(claims.email);
  return {
    email,
    emailVerified: verified === true || verified === 'true',
    name: cleanedName(typeof name === 'string' ? name : '') || cleanedName(email?.split('@')[0] ?? ''),
  };
}

// OpenID Connect Core 1.0, section 2: a subject has at most 255 characters.
const maxSubjectLength = 255;

/**
 * Reads an ID token whose signature, audience, nonce and times the library has verified. Throws if there is no token,
 * if its issuer is not the configured one, or if it has no subject. Throws also if the token is for another client too
 * and does not name this one as the authorized party.
 */
export function provenIdentity(
  idToken: string | undefined,
  { issuer, clientId }: { issuer: string; clientId: string },
): ProvenIdentity {
  if (idToken === undefined) throw new Error('the provider sent no ID token');
  const claims = JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString()) as Claims;
  const { sub, aud, azp } = claims;
  if (parseIssuer(claims.iss) !== issuer) {
    throw new Error(
      `the ID token is of the issuer ${String(claims.iss)}, and MERLON_OIDC_ISSUER is ${issuer}`,
    );
  }
  const isForUsAlone = azp === undefined && [aud].flat().length === 1;
  if (!isForUsAlone && azp !== clientId) {
    throw new Error(`the ID token is for several clients, and its authorized party (azp) is not ${clientId}`);
  }
  if (typeof sub !== 'string' || sub === '' || sub.length > maxSubjectLength) {
    throw new Error('the ID token has no subject');
  }
  return { accountId: accountIdOf(issuer, sub), ...profileOf(claims) };
}
