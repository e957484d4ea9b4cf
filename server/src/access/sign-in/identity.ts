/** The identity that a verified ID token of the OpenID Connect provider gives. */
import { parseEmail } from '../../domain/email.ts';
import { parseIssuer } from '../../domain/issuer.ts';
import { cleanedName } from '../../domain/plain-name.ts';

export const oidcProviderId = 'sso';

export interface ProvenIdentity {
  /** Issuer and subject: a subject is unique at its issuer alone. */
  accountId: string;
  /** The folded address; undefined where the claim is no address. */
  email: string | undefined;
  /** The claim `email_verified` says so. */
  emailVerified: boolean;
  name: string;
}

type Claims = Record<string, unknown>;

/** An identity as it is stored. An issuer has no "#" (`parseIssuer`), so that the first one ends it. */
function accountIdOf(issuer: string, subject: string): string {
  return `${issuer}#${subject}`;
}

/** Reads the claims of an ID token or of the provider's user info. A name that misleads or is missing is mended. */
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
 * Reads an ID token whose signature, audience, nonce and times the library has verified. Throws where there is none,
 * where its issuer is not the configured one, where it is for another client too and does not name this one as the
 * authorized party, and where it has no subject.
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
