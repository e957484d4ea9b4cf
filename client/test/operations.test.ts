/** Tests that an operation called by its name sends the documented request, and that the types check its input. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressOf, createMerlonClient, MerlonError, pages, requestOf } from '../src/client.ts';

const path = { tenant_slug: 'acme' };

function clientOf(answer: () => Response) {
  const sent: Request[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    sent.push(request);
    return answer();
  };
  return { sent, client: createMerlonClient({ baseUrl: 'https://merlon.test/', key: 'mrl_pat_x', fetch }) };
}

test('path parameters are encoded, lists joined, and absent values left out', () => {
  const query = { org: undefined, source: ['ghc' as const, 'gitlab' as const], cursor: null };
  assert.equal(
    addressOf('listRepositories', { path, query }),
    '/api/v1/acme/repositories?source=ghc%2Cgitlab',
  );
  assert.equal(addressOf('listRepositories', { path, query: { source: [] } }), '/api/v1/acme/repositories');
  assert.equal(
    addressOf('getRepository', { path: { ...path, repo: 'acme/a b?' } }),
    '/api/v1/acme/repositories/acme%2Fa%20b%3F',
  );
});

test('an empty text is sent, so that the server refuses it', () => {
  assert.equal(
    addressOf('listVulnerabilities', { path, query: { repo: '' } }),
    '/api/v1/acme/vulnerabilities?repo=',
  );
});

test('a call sends method, key and JSON, and gives the body of the answer', async () => {
  const { client, sent } = clientOf(() => Response.json({ id: 'vc_1' }));
  const kept = await client.mergeVulnerabilities({
    path: { ...path, vulnerability: 'vc_1' },
    body: { others: ['vc_2'], reason: 'one' },
  });
  assert.deepEqual(kept, { id: 'vc_1' });
  const [request] = sent;
  assert.equal(request?.method, 'POST');
  assert.equal(request?.url, 'https://merlon.test/manage/v1/acme/vulnerabilities/vc_1/merge');
  assert.equal(request?.headers.get('authorization'), 'Bearer mrl_pat_x');
  assert.equal(request?.headers.get('content-type'), 'application/json');
  assert.deepEqual(await request?.json(), { others: ['vc_2'], reason: 'one' });
});

test('an answer without a body gives undefined, and CSV gives its text', async () => {
  const empty = clientOf(() => new Response(null, { status: 204 }));
  assert.equal(await empty.client.removeMember({ path: { ...path, user: 'usr_1' } }), undefined);
  const csv = clientOf(() => new Response('time,action\n'));
  const text: string = await csv.client.exportAudit({ path });
  assert.equal(text, 'time,action\n');
});

test('an answer that is not a success is thrown with its status, code and request id', async () => {
  const body = { code: 'RESOURCE_NOT_FOUND', message: 'Not there.' };
  const { client } = clientOf(() => Response.json(body, { status: 404, headers: { 'x-request-id': 'r1' } }));
  await assert.rejects(client.getScan({ path: { ...path, scan: 'scn_1' } }), (error) => {
    assert.ok(error instanceof MerlonError);
    assert.deepEqual(
      [error.status, error.code, error.message, error.requestId],
      [404, 'RESOURCE_NOT_FOUND', 'Not there.', 'r1'],
    );
    return true;
  });
});

test('pages reads to the last page', async () => {
  const cursors: (string | null)[] = [];
  const rows = pages(async (cursor) => {
    cursors.push(cursor);
    return cursor === null ? { items: [1, 2], next_cursor: 'next' } : { items: [3], next_cursor: null };
  });
  const read: number[] = [];
  for await (const row of rows) read.push(row);
  assert.deepEqual(read, [1, 2, 3]);
  assert.deepEqual(cursors, [null, 'next']);
});

test('the compiler refuses a missing field and an unknown value', () => {
  const wrong = (): void => {
    // @ts-expect-error: the path is required.
    requestOf('listMembers');
    // @ts-expect-error: the body is required.
    requestOf('invite', { path });
    // @ts-expect-error: the operation has no body.
    requestOf('listMembers', { path, body: {} });
    // @ts-expect-error: the query has no such state.
    requestOf('listVulnerabilities', { path, query: { state: 'closed' } });
    // @ts-expect-error: the query is required, because ids are.
    requestOf('listApplicationCounts', { path });
  };
  assert.equal(typeof wrong, 'function');
  assert.equal(requestOf('getHealth').address, '/healthz');
});
