/** `PUT /ingest/v1/{tenant_slug}/code-owners`: CI sends the CODEOWNERS file of a repository with its reports. */
import { Type } from 'typebox';
import { actorOf } from '../../access/audit/record.ts';
import { tenantTx } from '../../db/database.ts';
import { parseReference } from '../../domain/reference-name.ts';
import { principalOf } from '../../http/access.ts';
import { bindingOf } from '../../http/principal.ts';
import { namedObject, oneOf } from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { CodeOwnersBody } from '../../inventory/code-owners/code-owners-routes.ts';
import { takeUploaded, uploadOutcomes } from '../../inventory/code-owners/set-code-owners.ts';
import { getRepository } from '../../inventory/repositories/service.ts';
import { boundRepository } from './within-binding.ts';

export function codeOwnersUploadRoute(app: Server): void {
  const { db } = app.deps;

  app.put('/ingest/v1/:tenant_slug/code-owners', {
    config: { access: { scopes: ['scans:write'], role: 'member' }, limit: 'uploads', boundKeys: true },
    schema: {
      operationId: 'uploadCodeOwners',
      tags: ['Scans'],
      summary:
        'Send the CODEOWNERS file of a repository; it counts if it comes from the default branch and no admin has set another',
      querystring: Type.Object({
        repo: Type.String({ minLength: 3, maxLength: 255, description: 'Repository: org/name.' }),
        ref: Type.String({
          minLength: 1,
          maxLength: 255,
          description: 'Reference with the file: short or full name of a branch.',
        }),
      }),
      body: CodeOwnersBody,
      response: {
        200: namedObject('UploadedCodeOwners', {
          outcome: oneOf(
            uploadOutcomes,
            'applied; unchanged; not_default_branch, or no_default_branch: a report says first which branch that is; set_by_admin: it stays as an admin has set it.',
          ),
        }),
      },
    },
    handler: async (request) => {
      const principal = principalOf(request);
      const { repo, ref } = request.query;
      return tenantTx(db, principal.tenant.id, async (tx) => {
        const reference = parseReference(ref);
        const binding = bindingOf(principal);
        // A bound key does not learn whether another repository exists.
        const repository = await (binding === null
          ? getRepository(tx, repo)
          : boundRepository(tx, binding, { fullName: repo, reference }));
        const actor = actorOf(principal);
        return {
          outcome: await takeUploaded(tx, actor, repository.id, reference.fullRef, request.body),
        };
      });
    },
  });
}
