/** A CI provider on loopback: a discovery document, published keys, and signed tokens of runs. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

export interface RunToken {
  /** Seconds from now; the default is 300. With null the token does not say when it ends. */
  expiresIn?: number | null;
  /** Overrides the audience of the test. */
  audience?: string;
  /** Signs by a key that is not published. */
  forged?: true;
  claims?: JWTPayload;
}

export interface CiProvider {
  issuer: string;
  audience: string;
  /** The number of times that the published keys were read. */
  keyReads: () => number;
  /** A token of a push to `main` of acme/shop at GitHub, with these changes. */
  github(changes?: RunToken): Promise<string>;
  /** A token of a push to `main` of acme/shop at GitLab, with these changes. */
  gitlab(changes?: RunToken): Promise<string>;
  close(): Promise<void>;
}

export async function startCiProvider(): Promise<CiProvider> {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const other = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'test', alg: 'RS256', use: 'sig' };
  let keyReads = 0;
  const server = createServer((request, response) => {
    const isKeys = request.url === '/keys';
    if (isKeys) keyReads++;
    const body = isKeys ? { keys: [jwk] } : { issuer, jwks_uri: `${issuer}/keys` };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const audience = 'https://merlon.example';
  let tokens = 0;
  const token = (claims: JWTPayload, changes: RunToken): Promise<string> => {
    const now = Math.floor(Date.now() / 1000);
    const { expiresIn = 300 } = changes;
    const end = expiresIn === null ? {} : { exp: now + expiresIn };
    return new SignJWT({ iss: issuer, jti: `token-${++tokens}`, ...claims, ...end, ...changes.claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'test' })
      .setAudience(changes.audience ?? audience)
      .setIssuedAt(now - 10)
      .sign(changes.forged ? other.privateKey : privateKey);
  };
  return {
    issuer,
    audience,
    keyReads: () => keyReads,
    github: (changes = {}) =>
      token(
        {
          repository: 'acme/shop',
          repository_id: '1001',
          repository_owner: 'acme',
          repository_owner_id: '77',
          repository_visibility: 'private',
          ref: 'refs/heads/main',
          event_name: 'push',
          run_id: '4711',
          sub: 'repo:acme/shop:ref:refs/heads/main',
        },
        changes,
      ),
    gitlab: (changes = {}) =>
      token(
        {
          project_path: 'acme/shop',
          project_id: '2002',
          namespace_path: 'acme',
          namespace_id: '88',
          project_visibility: 'private',
          ref: 'main',
          ref_path: 'refs/heads/main',
          pipeline_source: 'push',
          pipeline_id: '42',
        },
        changes,
      ),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
