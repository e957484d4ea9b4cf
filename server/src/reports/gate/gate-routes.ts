/** `GET /api/v1/{tenant_slug}/gate`: the verdict for CI. */

import { Type } from 'typebox';
import { type Database, tenantReadTx } from '../../db/database.ts';
import { commitPattern } from '../../domain/commit.ts';
import { invalidInput, orNotFound } from '../../domain/errors.ts';
import { goesWith } from '../../domain/field-rules.ts';
import { formatId, type TenantId } from '../../domain/ids.ts';
import { parseBranch } from '../../domain/reference-name.ts';
import { type RepositorySource, repositorySources } from '../../domain/repository-enums.ts';
import { principalOf } from '../../http/access.ts';
import { consolePage } from '../../http/console-page.ts';
import { listParameter } from '../../http/input.ts';
import { repositoryText, textFilter } from '../../http/page.ts';
import { mayDecideWhereBlocked } from '../../http/principal.ts';
import { oneOf } from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { resolveBoundRepository } from '../../inventory/repositories/bound-repository.ts';
import { findIdentifiedId } from '../../inventory/repositories/create.ts';
import { requiresApproval } from '../../policies/exceptions/requires-approval.ts';
import { type GateQuery, waitForGate, withPages } from './gate.ts';
import { Gate } from './gate-schema.ts';

function text(description: string) {
  return Type.Optional(textFilter(255, description));
}

export function gateRoutes(app: Server): void {
  app.get('/api/v1/:tenant_slug/gate', {
    config: { access: { scopes: ['scans:read'] }, boundKeys: true },
    schema: {
      operationId: 'getGate',
      tags: ['Scans'],
      summary:
        'Return the verdict (pass, warn or block) of a reference or commit, with the reasons and the changes that unblock it',
      querystring: Type.Object({
        repo: repositoryText,
        repo_source: Type.Optional(oneOf(repositorySources, 'VCS of the repository, with repo_external_id.')),
        repo_external_id: text(
          'Id of the repository at the VCS, as in an upload. It comes before the name, which another repository may have too.',
        ),
        ref: text('Reference: short or full name, or HEAD. Without ref and sha: the default branch.'),
        sha: Type.Optional(
          Type.String({
            pattern: commitPattern,
            description:
              'Commit. With ref: on that reference; without: on all references with a scan of it, and the strictest verdict is given.',
          }),
        ),
        base_ref: text(
          'Branch to compare with, instead of the base that the reports name. If a policy blocks, it must be the default branch, or the caller must be an admin with the scope vulnerabilities:write.',
        ),
        all: Type.Optional(
          oneOf(
            ['true', 'false'],
            'true: all active violations count, not only those that the base does not have.',
          ),
        ),
        expect: Type.Optional(
          listParameter('Tools that must have a scan that succeeded before there is a verdict.'),
        ),
        wait: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: 30,
            description: 'Seconds to wait for the verdict.',
          }),
        ),
      }),
      response: { 200: Gate },
    },
    handler: async (request) => {
      const principal = principalOf(request);
      const { wait = 0, repo_source: source, repo_external_id: externalId, ...query } = request.query;
      if (query.base_ref !== undefined) parseBranch(query.base_ref, 'base_ref');
      query.repo = await findRepositoryId(app.deps.db, principal.tenant.id, query.repo, {
        source,
        externalId,
      });
      query.repo = await resolveBoundRepository(app.deps.db, principal, query.repo);
      const gate = await waitForGate(
        app.deps,
        principal.tenant.id,
        query as GateQuery,
        mayDecideWhereBlocked(principal),
        wait,
        request.signal,
      );
      if (wait > 0) await app.checkStill(request);
      const { publicUrl } = app.deps.config;
      return withPages(gate, (path) => consolePage(publicUrl, principal.tenant.slug, path));
    },
  });
}

/**
 * Returns the id of the repository for which a report with this id at the VCS counts, or the name without such an id.
 */
async function findRepositoryId(
  db: Database,
  tenantId: TenantId,
  fullName: string,
  { source, externalId }: { source: RepositorySource | undefined; externalId: string | undefined },
): Promise<string> {
  if ((source === undefined) !== (externalId === undefined)) {
    throw invalidInput(goesWith('repo_source'), 'repo_external_id');
  }
  if (source === undefined || externalId === undefined) return fullName;
  const id = orNotFound(
    await tenantReadTx(db, tenantId, (tx) =>
      findIdentifiedId(tx, { fullName, source, externalId }, (known) => requiresApproval(tx, known)),
    ),
  );
  return formatId('repository', id);
}
