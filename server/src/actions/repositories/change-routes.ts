/**
 * `/manage/v1/{tenant_slug}/repositories` and `/references`: an admin corrects guesses of reports, or sets values that
 * only an admin may change.
 */
import { Type } from 'typebox';
import { tenantReadTx, tenantTx } from '../../db/database.ts';
import { formatId } from '../../domain/ids.ts';
import { checkedEnvironment, checkedName } from '../../domain/plain-name.ts';
import { parseReference, shortRef } from '../../domain/reference-name.ts';
import { principalOf, tenantIdOf } from '../../http/access.ts';
import {
  closedObject,
  NullableString,
  namedObject,
  nullableString,
  nullableTimestamp,
  paramsWith,
} from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import {
  ManagedRepository,
  managedRepository,
  TrackedBranchNames,
} from '../../inventory/repositories/schema.ts';
import { getRepository } from '../../inventory/repositories/service.ts';
import { changeRepository, RepositoryFields } from './change-repository.ts';
import { changeReference, type ReferenceFields } from './describe-reference.ts';
import { getTrackedBranches, setTrackedBranches } from './tracked-branches.ts';

const access = { scopes: ['workspace:admin'], role: 'admin' } as const;
const tags = ['Repositories'];

const repositoryParams = paramsWith({
  repository: 'Id of the repository, repo_…, or its full name, percent-encoded.',
});
const nullableName = (description: string) => nullableString(description, { minLength: 1, maxLength: 255 });

export function repositoryChangeRoutes(app: Server): void {
  const { db } = app.deps;
  trackedBranchRoutes(app);

  const repositoryPath = '/manage/v1/:tenant_slug/repositories/:repository';

  app.get(repositoryPath, {
    config: { access: { scopes: ['repositories:read'] } },
    schema: {
      operationId: 'getManagedRepository',
      tags,
      summary: 'Show a repository with what an admin has set',
      params: repositoryParams,
      response: { 200: ManagedRepository },
    },
    handler: async (request) =>
      tenantReadTx(db, tenantIdOf(request), async (tx) =>
        managedRepository(await getRepository(tx, request.params.repository)),
      ),
  });

  app.patch(repositoryPath, {
    config: { access },
    schema: {
      operationId: 'changeRepository',
      tags,
      summary: 'Set the default branch of a repository, its id at the VCS, or whether it is exposed',
      params: repositoryParams,
      body: RepositoryFields,
      response: { 200: ManagedRepository },
    },
    handler: async (request) => {
      const principal = principalOf(request);
      const tenantId = principal.tenant.id;
      const row = await tenantTx(db, tenantId, async (tx) => {
        const fields = request.body;
        const { repository } = request.params;
        return changeRepository(tx, principal, repository, fields);
      });
      return managedRepository(row);
    },
  });

  app.patch('/manage/v1/:tenant_slug/references/:reference', {
    config: { access },
    schema: {
      operationId: 'changeReference',
      tags,
      summary: 'Set the base of a reference, its environment, or that it was deleted',
      params: paramsWith({ reference: 'Id of the reference, ref_….' }),
      body: closedObject({
        base_ref: Type.Optional(nullableName('Branch that it is compared with; null: none.')),
        environment: Type.Optional(
          nullableName('Environment where it is deployed, such as production; null: none.'),
        ),
        deleted: Type.Optional(
          Type.Literal(true, {
            description:
              'true: the branch, tag or pull request was deleted. Vulnerabilities that are open only there become fixed, until it is scanned again.',
          }),
        ),
        last_scanned_at: Type.Optional(
          nullableTimestamp(
            'The last scan that you have read. If there is another one by now, the request is refused with 409.',
          ),
        ),
      }),
      response: {
        200: namedObject('ReferenceSettings', {
          id: Type.String(),
          ref: Type.String(),
          base_ref: NullableString,
          environment: NullableString,
        }),
      },
    },
    handler: async (request) => {
      const principal = principalOf(request);
      const tenantId = principal.tenant.id;
      const changed = await tenantTx(db, tenantId, async (tx) => {
        const fields = fieldsOf(request.body);
        const { reference } = request.params;
        return changeReference(tx, principal, reference, fields);
      });
      return {
        id: formatId('reference', changed.id),
        ref: shortRef(changed.fullRef),
        base_ref: changed.baseRef === null ? null : shortRef(changed.baseRef),
        environment: changed.environment,
      };
    },
  });
}

function trackedBranchRoutes(app: Server): void {
  const { db } = app.deps;
  const path = '/manage/v1/:tenant_slug/repositories/:repository/tracked-branches';
  const params = repositoryParams;
  const Tracked = namedObject('TrackedBranches', {
    own: Type.Union([TrackedBranchNames, Type.Null()], {
      description: 'Null: the names of the workspace apply.',
    }),
    workspace: TrackedBranchNames,
  });

  app.get(path, {
    config: { access: { scopes: ['repositories:read'] } },
    schema: {
      operationId: 'getTrackedBranches',
      tags,
      summary: 'Show which branches of a repository are tracked, like its default branch',
      params,
      response: { 200: Tracked },
    },
    handler: async (request) =>
      tenantReadTx(db, tenantIdOf(request), (tx) => getTrackedBranches(tx, request.params.repository)),
  });

  app.put(path, {
    config: { access },
    schema: {
      operationId: 'setTrackedBranches',
      tags,
      summary: 'Set which branches of a repository are tracked, like its default branch',
      params,
      body: closedObject({
        own: Type.Union([TrackedBranchNames, Type.Null()], {
          description: 'Null: the names of the workspace apply.',
        }),
      }),
      response: { 200: Tracked },
    },
    handler: async (request) => {
      const principal = principalOf(request);
      const { repository } = request.params;
      return tenantTx(db, principal.tenant.id, async (tx) => {
        await setTrackedBranches(tx, principal, repository, request.body.own);
        return getTrackedBranches(tx, repository);
      });
    },
  });
}

function fieldsOf(body: {
  base_ref?: string | null;
  environment?: string | null;
  deleted?: true;
  last_scanned_at?: string | null;
}): ReferenceFields {
  const { base_ref: base, environment, deleted, last_scanned_at: scan } = body;
  return {
    ...(deleted === undefined ? {} : { deleted }),
    ...(scan === undefined ? {} : { lastScannedAt: scan === null ? null : new Date(scan) }),
    ...(base === undefined ? {} : { baseRef: base === null ? null : fullRefOf(base) }),
    ...(environment === undefined
      ? {}
      : { environment: environment === null ? null : checkedEnvironment(environment, 'environment') }),
  };
}

function fullRefOf(text: string): string {
  return parseReference(checkedName(text, 'base_ref'), 'branch', 'base_ref').fullRef;
}
