/**
 * Sets up the sign-in library: passwords, sessions and an OpenID Connect provider, over tables of `schema.sql`. Its own
 * routes are not served: `routes.ts` calls it, so that bodies, errors and limits are those of the rest of the server.
 * Only the redirect of the provider goes to its handler.
 */
import { betterAuth } from 'better-auth';
import { genericOAuth } from 'better-auth/plugins/generic-oauth';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../../config.ts';
import { type Database, installTx } from '../../db/database.ts';
import type { InstallSecret } from '../../db/install-secret.ts';
import { parseEmail } from '../../domain/email.ts';
import { newId, type UserId } from '../../domain/ids.ts';
import { isPlainName } from '../../domain/plain-name.ts';
import { daySeconds } from '../../domain/time.ts';
import { recordWhereMember } from '../members/record.ts';
import { maxPasswordLength, minPasswordLength } from '../users/service.ts';
import { cookieSettings } from './cookies.ts';
import { oidcPath, oidcProviderId, type ProvenIdentity, profileOf, provenIdentity } from './identity.ts';
import { logIdentityLink } from './log.ts';
import { keepGroups, type ProviderGroups, providerGroupsOf } from './provider-groups.ts';
import { hasIdentity, isDisabled, limitSessions } from './sign-in-store.ts';
import { transferByProvider } from './transfer-by-provider.ts';

// A week without a visit ends a session. A visit extends it, at most once a day.
const sessionSeconds = 7 * daySeconds;
const prolongAfterSeconds = daySeconds;

export type Auth = ReturnType<typeof createAuth>;

export function createAuth(config: Config, db: Database, secret: InstallSecret, log: FastifyBaseLogger) {
  const { oidc } = config;
  const { prefix, isSecure } = cookieSettings(config);
  return betterAuth({
    appName: 'Merlon',
    // An install without a public URL has no provider, so this default is never used for a redirect.
    baseURL: config.publicUrl ?? 'http://localhost',
    basePath: oidcPath,
    secret: secret.key('session').toString('hex'),
    database: db.pool,
    telemetry: { enabled: false },
    // `lock-out.ts` limits attempts instead, also for each account.
    rateLimit: { enabled: false },
    logger: { level: 'error', log: (_level, message, ...rest) => log.warn({ rest }, `sign-in: ${message}`) },
    onAPIError: { errorURL: '/sign-in' },
    advanced: {
      cookiePrefix: prefix,
      // This switch of the library would replace the prefix.
      useSecureCookies: false,
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', path: '/', secure: isSecure },
      database: { generateId: () => newId(), validateSchema: false },
    },
    emailAndPassword: {
      enabled: config.passwords,
      disableSignUp: true,
      minPasswordLength,
      // The library counts UTF-16 units, of which a character has at most two.
      maxPasswordLength: 2 * maxPasswordLength,
    },
    session: {
      modelName: 'user_session',
      expiresIn: sessionSeconds,
      updateAge: prolongAfterSeconds,
      fields: {
        userId: 'user_id',
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
      },
      additionalFields: {
        byPassword: { type: 'boolean', required: false, input: false, fieldName: 'by_password' },
      },
    },
    user: {
      modelName: 'user_account',
      fields: { emailVerified: 'email_verified', createdAt: 'created_at', updatedAt: 'updated_at' },
      additionalFields: {
        kind: { type: 'string', required: true, input: false, defaultValue: 'user' },
        operator: { type: 'boolean', required: true, input: false, defaultValue: false },
        disabledAt: { type: 'date', required: false, input: false, fieldName: 'disabled_at' },
      },
      // An address that the provider has not verified may belong to anybody, so it neither creates nor joins an
      // account.
      validateUserInfo: async ({ user, source }) =>
        source.action !== 'sign-in' && !user.emailVerified ? { error: 'email_not_verified' } : undefined,
    },
    account: {
      modelName: 'user_credential',
      fields: {
        userId: 'user_id',
        accountId: 'account_id',
        providerId: 'provider_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
      },
      encryptOAuthTokens: true,
      // An identity joins an account by its address only if the provider confirms the address, and the operator or a
      // mailed link has confirmed it too.
      accountLinking: { enabled: true },
    },
    verification: {
      modelName: 'user_verification',
      fields: { expiresAt: 'expires_at', createdAt: 'created_at', updatedAt: 'updated_at' },
    },
    databaseHooks: {
      user: {
        create: {
          before: async (user) =>
            isPlainName(user.name) && parseEmail(user.email) === user.email ? undefined : false,
        },
      },
      // Every kind of sign-in creates a session here.
      session: {
        create: {
          before: async ({ userId }, context) =>
            (await installTx(db, (tx) => isDisabled(tx, userId as UserId)))
              ? false
              : { data: { byPassword: context?.path === '/sign-in/email' } },
          after: async ({ userId }) => installTx(db, (tx) => limitSessions(tx, userId as UserId)),
        },
      },
      // A provider may give an address to another person, so only the first identity with it joins the account.
      account: {
        create: {
          before: async ({ providerId, userId }) =>
            providerId !== oidcProviderId || (await recordLink(db, userId as UserId)) ? undefined : false,
          after: async ({ providerId, userId }) => {
            if (providerId === oidcProviderId) logIdentityLink(log, userId as UserId);
          },
        },
      },
    },
    plugins:
      oidc === null
        ? []
        : [
            genericOAuth({
              config: [
                {
                  providerId: oidcProviderId,
                  name: oidc.name,
                  discoveryUrl: `${oidc.issuer}/.well-known/openid-configuration`,
                  clientId: oidc.clientId,
                  clientSecret: oidc.clientSecret,
                  scopes: oidc.scopes,
                  requireIdTokenVerification: true,
                  // A person from the provider gets an account. It gives no access until a workspace invites it.
                  requireEmailVerification: true,
                  mapProfileToUser: profileOf,
                  // The library has already verified the ID token, if there is one. An error here ends the sign-in.
                  accountSubject: async ({ tokens, profile }) => {
                    const identity = proven(tokens.idToken, oidc, log);
                    keepGroups(groupsFrom(profile, oidc, log));
                    if (identity.emailVerified) await transferByProvider(db, log, identity);
                    return identity.accountId;
                  },
                },
              ],
            }),
          ],
  });
}

// The entry is written before the library stores the identity, so that no identity joins an account without it. Returns
// false for an account with an identity.
function recordLink(db: Database, userId: UserId): Promise<boolean> {
  return installTx(
    db,
    async (tx) => {
      if (await hasIdentity(tx, oidcProviderId, userId)) return false;
      await recordWhereMember(tx, userId, { actorId: userId, action: 'user.link_identity' });
      return true;
    },
    userId,
  );
}

function groupsFrom(
  claims: Record<string, unknown>,
  { groupsClaim }: NonNullable<Config['oidc']>,
  log: FastifyBaseLogger,
): ProviderGroups {
  const { groups, isMalformed } = providerGroupsOf(claims, groupsClaim);
  if (isMalformed) {
    log.warn(
      { event: 'groups-refused' },
      `sign-in: the claim ${groupsClaim} is no list of at most 1,000 texts, and means no groups`,
    );
  }
  return groups;
}

function proven(
  idToken: string | undefined,
  oidc: NonNullable<Config['oidc']>,
  log: FastifyBaseLogger,
): ProvenIdentity {
  try {
    return provenIdentity(idToken, oidc);
  } catch (error) {
    log.warn({ event: 'identity-refused' }, `sign-in: ${(error as Error).message}`);
    throw error;
  }
}
