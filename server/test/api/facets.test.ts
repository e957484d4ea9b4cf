/**
 * Tests of facets against the list: with any filters, each value finds as many as its facet says. This holds for no
 * value too.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { listScopes } from '../../src/vulnerabilities/scope.ts';
import { clientOf, queryOf, succeeded, walk } from '../support/client.ts';
import { createTestServer } from '../support/server.ts';
import { createTestWorkspaceKey } from '../support/workspace.ts';
import { listQueries, type Query } from './list-queries.ts';
import { createDueDates } from './random-due-dates.ts';
import { createRandomWorkspace } from './random-workspace.ts';
import { severityOrder, statuses, vulnerabilityTypes } from './spec-tables.ts';

type Facets = Record<string, Record<string, number>>;

const seed = 20_261_122;
const server = await createTestServer();
const workspace = await createRandomWorkspace(server, 'random', seed);
await createDueDates(server, workspace);
const client = clientOf(server.app, workspace.people.member.key);
const repositories = await walk<{ id: string }>(client, '/api/v1/random/repositories');
const { queries, sparse } = listQueries(
  workspace,
  repositories.map(({ id }) => id),
);

const values: Record<string, readonly string[]> = {
  state: statuses,
  severity: severityOrder,
  type: vulnerabilityTypes,
  source: ['current', 'git_history'],
  confirmed: ['yes', 'no'],
  triaged: ['yes', 'no'],
  fix: ['yes', 'no'],
};

const assignees = ['unassigned', 'assigned', 'me'];

async function countOf(query: Query): Promise<number> {
  const body = succeeded(
    await client.get<{ summary: { total: number } }>(
      `/api/v1/random/vulnerabilities${queryOf({ ...query, per_page: 1 })}`,
    ),
  );
  return body.summary.total;
}

/** Compares the facets with the list. Returns how many of the compared numbers are not zero. */
async function compare({ sort: _, ...query }: Query): Promise<number> {
  const path = `/api/v1/random/vulnerabilities/facets${queryOf(query)}`;
  const body = succeeded(await client.get<Facets>(path));
  const expected: Facets = {};
  for (const [facet, names] of Object.entries(values)) {
    expected[facet] = {};
    for (const name of names) expected[facet][name] = await countOf({ ...query, [facet]: name });
  }
  const { assignee: _asked, ...others } = query;
  expected.assignee = {};
  for (const name of assignees) expected.assignee[name] = await countOf({ ...others, assignee: name });
  // A reference is a scope of its own.
  const scoped = { ...query, ref: undefined };
  expected.scope = {};
  for (const name of listScopes) expected.scope[name] = await countOf({ ...scoped, scope: name });
  assert.deepEqual(body, expected, path);
  return Object.values(body)
    .flatMap((facet) => Object.values(facet))
    .filter((n) => n > 0).length;
}

test('the list by a value has as many rows as its facet says, with few filters', async () => {
  let numbers = 0;
  await fc.assert(
    fc.asyncProperty(sparse, async (query) => {
      numbers += await compare(query);
    }),
    { seed, numRuns: 25, endOnFailure: true },
  );
  assert.ok(numbers > 200, `only ${numbers} were there`);
});

test('the list by a value has as many rows as its facet says, with all filters at once', async () => {
  await fc.assert(
    fc.asyncProperty(queries, async (query) => {
      await compare(query);
    }),
    { seed, numRuns: 15, endOnFailure: true },
  );
});

test('an unknown reference gives zero in every facet but that of scopes', async () => {
  const { body } = await client.get<Facets>(
    '/api/v1/random/vulnerabilities/facets?repo=acme%2Fshop&ref=nowhere',
  );
  assert.deepEqual(
    Object.entries(body).map(([facet, counts]) => [facet, Object.keys(counts).toSorted()]),
    Object.entries({ scope: listScopes, ...values, assignee: assignees }).map(([facet, names]) => [
      facet,
      [...names].toSorted(),
    ]),
  );
  const { scope: _, ...others } = body;
  const counts = Object.values(others).flatMap((facet) => Object.values(facet));
  assert.ok(counts.every((n) => n === 0));
});

test('for a workspace key `me` is 0, and invalid filters are refused as by the list', async () => {
  const { key } = await createTestWorkspaceKey(server, workspace.tenant, 'viewer');
  const service = clientOf(server.app, key);
  const path = '/api/v1/random/vulnerabilities/facets';
  const { body } = await service.get<Facets>(path);
  const { assigned, me } = body.assignee ?? {};
  assert.ok(assigned && assigned > 0);
  assert.equal(me, 0);
  const refusals: [string, number, string][] = [
    ['repo=acme%2Fnone', 404, 'RESOURCE_NOT_FOUND'],
    ['severity=awful', 422, 'INVALID_FILTER_VALUE'],
    ['assignee=me', 422, 'VALIDATION_FAILED'],
    ['sort=newest', 422, 'VALIDATION_FAILED'],
    ['scope=nowhere', 422, 'VALIDATION_FAILED'],
    ['scope=all&ref=main', 422, 'VALIDATION_FAILED'],
    ['per_page=1', 422, 'VALIDATION_FAILED'],
  ];
  for (const [query, status, code] of refusals) {
    const answer = await service.get(`${path}?${query}`);
    assert.deepEqual([answer.status, answer.body.code], [status, code], query);
  }
});
