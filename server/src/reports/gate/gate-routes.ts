/** `GET /api/v1/{tenant_slug}/gate`: the verdict for CI. */
import { Type } from 'typebox';
import { validationFailed } from '../../domain/errors.ts';
import { parseBranch } from '../../domain/reference-name.ts';
import { principalOf } from '../../http/access.ts';
import { consolePage } from '../../http/console-page.ts';
import { listParameter } from '../../http/input.ts';
import { mayDecideWhereBlocked } from '../../http/principal.ts';
import { tenantParams } from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { shaPattern, text } from '../../ingest/scans/routes.ts';
import { checkBoundRepository } from '../../inventory/repositories/bound-repository.ts';
import { type GateQuery, waitForGate, withPages } from './gate.ts';
import { Gate } from './gate-schema.ts';

export function gateRoutes(app: Server): void {
  app.get(
    '/api/v1/:tenant_slug/gate',
    {
      config: { access: { scopes: ['scans:read'] }, boundKeys: true },
      schema: {
        operationId: 'getGate',
        tags: ['Scans'],
        summary:
          'Return the verdict (pass, warn or block) of a reference or commit, with the reasons and the changes that unblock it',
        params: tenantParams,
        querystring: Type.Object({
          repo: Type.String({ minLength: 1, maxLength: 255, description: 'Repository: id or full name.' }),
          ref: text('Reference: short or full name, or HEAD. Without ref and sha: the default branch.'),
          sha: Type.Optional(
            Type.String({
              pattern: shaPattern,
              description:
                'Commit. With ref: on that reference; without: on all references with a scan of it, and the strictest verdict is given.',
            }),
          ),
          base_ref: text(
            'Branch to compare with, instead of the base that the reports name. If a policy blocks, it must be tracked, or the caller must be an admin with the scope vulnerabilities:write.',
          ),
          all: Type.Optional(
            Type.Unsafe<'true' | 'false'>({
              type: 'string',
              enum: ['true', 'false'],
              description: 'true: all active violations count, not only those that the base does not have.',
            }),
          ),
          expect: Type.Optional(
            listParameter('Tools that must have a scan that succeeded before there is a verdict.'),
          ),
          wait: Type.Optional(
            Type.Integer({ minimum: 0, maximum: 30, description: 'Seconds to wait for the verdict.' }),
          ),
        }),
        response: { 200: Gate },
      },
    },
    async (request) => {
      const principal = principalOf(request);
      const { wait = 0, ...query } = request.query;
      if (query.base_ref !== undefined) checkBranch(query.base_ref);
      await checkBoundRepository(app.deps.db, principal, query.repo);
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
  );
}

function checkBranch(name: string): void {
  try {
    parseBranch(name);
  } catch (error) {
    throw validationFailed({ base_ref: [(error as Error).message] });
  }
}
