/** `POST /ingest/v1/{tenant_slug}/key`: a run of CI exchanges its own token for a key of fifteen minutes. */
import { Type } from 'typebox';
import { tenantLookup } from '../../access/entry.ts';
import { DomainError } from '../../domain/domain-error.ts';
import { invalidTransition, tokenInvalidForTenant } from '../../domain/errors.ts';
import { formatId } from '../../domain/ids.ts';
import { checkRate } from '../../http/access.ts';
import { statusOf } from '../../http/error-answers.ts';
import type { AuthenticationLimiter } from '../../http/rate-limit.ts';
import { closedObject, namedObject, Timestamp, tenantParams, timestamp } from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { exchangeToken } from './exchange.ts';
import type { TokenVerifier } from './verify-token.ts';

// Tokens of both providers have about 2,000 characters.
const maxTokenLength = 16_384;

const RunKey = namedObject('RunKey', {
  key: Type.String({ description: 'The key for the Authorization header.' }),
  expires_at: Timestamp,
  scopes: Type.Array(Type.String()),
  repository: Type.Object(
    { id: Type.String(), full_name: Type.String() },
    { description: 'The repository that the key is bound to.' },
  ),
  reference: Type.String({
    description:
      'The reference whose reports the key may upload, or `pull_requests` for those of all pull requests.',
  }),
});

export function keyExchangeRoutes(
  app: Server,
  { verify, failures }: { verify: TokenVerifier; failures: AuthenticationLimiter },
): void {
  const { db } = app.deps;
  const findTenant = tenantLookup(db);

  app.post('/ingest/v1/:tenant_slug/key', {
    // The token in the body is the credential.
    config: { access: 'public', conflicts: true },
    schema: {
      operationId: 'exchangeCiToken',
      tags: ['Keys'],
      summary: 'Exchange the token of a CI run for an API key that is valid for fifteen minutes',
      description:
        'The token is what GitHub Actions or GitLab CI signs for the run (OpenID Connect). A trust rule of the workspace says which runs get a key.',
      params: tenantParams,
      body: closedObject({ token: Type.String({ minLength: 1, maxLength: maxTokenLength }) }),
      response: { 201: RunKey },
    },
    handler: async (request, reply) => {
      try {
        // The signature is checked first: nobody without a valid token learns which workspaces there are.
        const token = await verify(request.body.token);
        const tenant = await findTenant(request.params.tenant_slug);
        if (!tenant) throw tokenInvalidForTenant();
        const exchanged = await exchangeToken(db, tenant.id, token, request);
        const { key, expiresAt, scopes, repository, reference } = exchanged;
        return reply
          .code(201)
          .header('cache-control', 'no-store')
          .send({
            key,
            expires_at: timestamp(expiresAt),
            scopes,
            repository: { id: formatId('repository', repository.id), full_name: repository.fullName },
            reference,
          });
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        // The body has no field for the repository that the token names.
        if (error.data.isConflict) throw invalidTransition(error.message);
        // A failure counts as a failed guess of a key does.
        if (![401, 403].includes(statusOf(error))) throw error;
        checkRate(reply, await failures.failed(request.ip));
        throw error;
      }
    },
  });
}
