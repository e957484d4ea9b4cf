/** `/manage/v1/{tenant_slug}/repositories/{repository}/code-owners`: who owns which paths of a repository. */
import { type Static, Type } from 'typebox';
import { actorOf } from '../../access/audit/record.ts';
import { tenantReadTx, tenantTx } from '../../db/database.ts';
import { maxCodeOwnersBytes } from '../../domain/code-owners.ts';
import { formatId } from '../../domain/ids.ts';
import { principalOf, tenantIdOf } from '../../http/access.ts';
import { mayReadPeople, type Principal, peopleAccess } from '../../http/principal.ts';
import {
  extendedObject,
  IdAndName,
  NullableString,
  NullableTimestamp,
  namedObject,
  paramsWith,
  timestampOrNull,
} from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { getRepository } from '../repositories/service.ts';
import { findCodeOwners } from './code-owners-store.ts';
import { type PathOwner, type RepositoryOwners, readOwners } from './repository-owners.ts';
import { setByAdmin } from './set-code-owners.ts';

const tags = ['Repositories'];
const path = '/manage/v1/:tenant_slug/repositories/:repository/code-owners';

/** The body of a request that brings a file. */
export const CodeOwnersBody = namedObject(
  'CodeOwnersInput',
  {
    path: Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'Path of the file in the repository, such as .github/CODEOWNERS.',
    }),
    content: Type.String({
      maxLength: maxCodeOwnersBytes,
      description:
        'The file, in the syntax of GitHub or GitLab; at most 256 kB. Empty: nobody owns anything.',
    }),
  },
  { additionalProperties: false },
);
const NamedCodeOwner = namedObject('NamedCodeOwner', {
  name: Type.String({ description: 'As in the file, in lower case: @group, @user or an e-mail address.' }),
  team: Type.Union([IdAndName, Type.Null()], { description: 'Team that has this name.' }),
  person: Type.Union([IdAndName, Type.Null()], { description: 'Member who has this e-mail address.' }),
});
export const CodeOwner = extendedObject('CodeOwner', NamedCodeOwner, {
  line: Type.Integer({ description: 'Line of the rule in the file.' }),
});

const CodeOwnersFile = namedObject('CodeOwners', {
  path: NullableString,
  content: Type.String(),
  set_by_admin: Type.Boolean({ description: 'True: uploads do not replace it.' }),
  updated_at: NullableTimestamp,
  rules: Type.Integer({ description: 'Number of its rules.' }),
  owners: Type.Array(NamedCodeOwner, {
    description: 'All owners that it names. One without team and person means nobody in the workspace.',
  }),
  problems: Type.Array(Type.Object({ line: Type.Integer(), text: Type.String() }), {
    description: 'Lines that are left out in whole or in part.',
  }),
});

const params = paramsWith({ repository: 'Id of the repository, repo_…, or its full name, percent-encoded.' });

export function codeOwnersRoutes(app: Server): void {
  const { db } = app.deps;
  const admin = { scopes: ['workspace:admin'], role: 'admin' } as const;

  app.get(path, {
    config: { access: { ...peopleAccess, scopes: ['repositories:read', ...peopleAccess.scopes] } },
    schema: {
      operationId: 'getCodeOwners',
      tags,
      summary: 'Show the CODEOWNERS file of a repository, and the teams and members that its names mean',
      params,
      response: { 200: CodeOwnersFile },
    },
    handler: async (request) =>
      tenantReadTx(db, tenantIdOf(request), async (tx) => {
        const { id } = await getRepository(tx, request.params.repository);
        return codeOwnersFile(await readOwners(tx, id), await findCodeOwners(tx, id));
      }),
  });

  app.put(path, {
    config: { access: admin },
    schema: {
      operationId: 'setCodeOwners',
      tags,
      summary: 'Set the CODEOWNERS file of a repository; uploads do not replace it any more',
      params,
      body: CodeOwnersBody,
      response: { 200: CodeOwnersFile },
    },
    handler: async (request) => {
      const principal = principalOf(request);
      return tenantTx(db, principal.tenant.id, async (tx) => {
        const { id } = await getRepository(tx, request.params.repository);
        await setByAdmin(tx, actorOf(principal), id, request.body);
        return codeOwnersFile(await readOwners(tx, id), await findCodeOwners(tx, id));
      });
    },
  });

  app.delete(path, {
    config: { access: admin },
    schema: {
      operationId: 'releaseCodeOwners',
      tags,
      summary:
        'Let the next upload from the default branch replace the CODEOWNERS file that an admin has set',
      params,
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      const principal = principalOf(request);
      await tenantTx(db, principal.tenant.id, async (tx) => {
        const { id } = await getRepository(tx, request.params.repository);
        await setByAdmin(tx, actorOf(principal), id, null);
      });
      return reply.code(204).send(null);
    },
  });
}

function codeOwnersFile(
  owners: RepositoryOwners | null,
  row: Awaited<ReturnType<typeof findCodeOwners>>,
): Static<typeof CodeOwnersFile> {
  return {
    path: row?.path ?? null,
    content: row?.content ?? '',
    set_by_admin: row?.set_by_admin ?? false,
    updated_at: timestampOrNull(row?.updated_at ?? null),
    rules: owners?.file.rules.length ?? 0,
    owners: (owners?.file.owners ?? []).map((name) => ({
      name,
      ...meaningItem(owners?.meaningOf(name) ?? { team: null, person: null }),
    })),
    problems: owners?.file.problems ?? [],
  };
}

/** The owners that the principal may see: an e-mail address, and the member who has it, only with `peopleAccess`. */
export function codeOwnerItems(owners: PathOwner[], principal: Principal): Static<typeof CodeOwner>[] {
  return owners
    .filter(({ name }) => name.startsWith('@') || mayReadPeople(principal))
    .map(({ name, line, ...meaning }) => ({ name, line, ...meaningItem(meaning) }));
}

function meaningItem({ team, person }: Pick<PathOwner, 'team' | 'person'>) {
  return {
    team: team && { id: formatId('team', team.id), name: team.name },
    person: person && { id: formatId('user', person.id), name: person.name },
  };
}
