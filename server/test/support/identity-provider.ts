/** An OpenID Connect provider on loopback with the real protocol: one person, who needs no form to sign in there. */
import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

export const groupsClaim = 'https://acme.example/groups';

export interface Identity {
  sub: string;
  email: string;
  email_verified: boolean;
  name: string;
  /** A claim with groups. */
  [groupsClaim]?: unknown;
}

type Claims = Record<string, unknown>;

export interface IdentityProvider {
  issuer: string;
  clientId: string;
  /** The settings of a server whose people sign in here. */
  settings: Record<string, string>;
  /** The person at the browser from now on. */
  identity: Identity;
  /** The person cancels the sign-in. */
  cancels: boolean;
  /** Changes the claims of its ID tokens before they are signed. If it returns null, no ID token is sent. */
  idToken: (claims: Claims) => Claims | null;
  close(): Promise<void>;
}

export async function startIdentityProvider(redirectUri: string): Promise<IdentityProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = { clientId: 'merlon', clientSecret: 'a-secret-of-the-test' };
  const running: IdentityProvider = {
    issuer,
    clientId: client.clientId,
    settings: {
      MERLON_OIDC_ISSUER: issuer,
      MERLON_OIDC_CLIENT_ID: client.clientId,
      MERLON_OIDC_CLIENT_SECRET: client.clientSecret,
    },
    identity: { sub: 'nobody', email: 'nobody@acme.example', email_verified: true, name: 'Nobody' },
    cancels: false,
    idToken: (claims) => claims,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const provider = new Provider(issuer, {
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'test', alg: 'RS256', use: 'sig' }] },
    clients: [
      { client_id: client.clientId, client_secret: client.clientSecret, redirect_uris: [redirectUri] },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', groupsClaim] },
    conformIdTokenClaims: false,
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ ...running.identity, sub: id }) }),
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    cookies: { keys: ['of the test'] },
    ttl: { Session: 60, Interaction: 60, Grant: 60, AccessToken: 60, IdToken: 60 },
  });
  provider.use(async (context, next) => {
    await next();
    const body = context.body as { id_token?: string } | undefined;
    if (context.path !== '/token' || body?.id_token === undefined) return;
    const { id_token: before, ...rest } = body;
    const [head, payload = ''] = before.split('.');
    const claims = running.idToken(JSON.parse(Buffer.from(payload, 'base64url').toString()));
    if (claims === null) {
      context.body = rest;
      return;
    }
    const text = `${head}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
    const signature = sign('RSA-SHA256', Buffer.from(text), privateKey).toString('base64url');
    context.body = { ...rest, id_token: `${text}.${signature}` };
  });
  const answer = provider.callback();
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) {
      answer(request, response);
      return;
    }
    void (async () => {
      const { identity } = running;
      const grant = new provider.Grant({ accountId: identity.sub, clientId: client.clientId });
      grant.addOIDCScope('openid profile email');
      const grantId = await grant.save();
      await provider.interactionFinished(
        request,
        response,
        running.cancels
          ? { error: 'access_denied' }
          : { login: { accountId: identity.sub }, consent: { grantId } },
        { mergeWithLastSubmission: false },
      );
    })();
  });
  return running;
}
