/**
 * Tests of the names of repositories and references: those that an admin sets follow the same rules as names from
 * reports, and the routes of a repository take its name.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientOf, send } from '../support/client.ts';
import { importAll } from '../support/import.ts';
import { trivy } from '../support/reports.ts';
import { createTestServer } from '../support/server.ts';
import { createTestWorkspace, reportInput } from '../support/workspace.ts';

const server = await createTestServer();
const { people } = await createTestWorkspace(server, 'acme');
await importAll(server, 'acme', [
  reportInput(trivy([{ id: 'CVE-2030-1', name: 'left', version: '1.0.0', severity: 'HIGH' }])),
]);
const admin = clientOf(server.app, people.admin.key);
const idIn = async (path: string): Promise<string> =>
  (await admin.get<{ items: { id: string }[] }>(path)).body.items[0]?.id ?? '';

test('control characters and characters that change the text direction are refused with 422 on their field', async () => {
  const repository = `/manage/v1/acme/repositories/${await idIn('/api/v1/acme/repositories')}`;
  const reference = `/manage/v1/acme/references/${await idIn('/api/v1/acme/references?repo=acme/shop')}`;
  for (const mark of ['\u001b[2J', '\u202e', '\n::error::', '\u0085']) {
    const requests: [string, Record<string, string>, string][] = [
      [reference, { environment: `production${mark}x` }, 'environment'],
      [reference, { base_ref: `main${mark}x` }, 'base_ref'],
      [repository, { default_branch: `main${mark}x` }, 'default_branch'],
      [repository, { source: 'ghc', external_id: `1${mark}x` }, 'external_id'],
    ];
    for (const [path, body, field] of requests) {
      const answer = await admin.patch<{ details?: { errors: Record<string, string[]> } }>(path, body);
      assert.equal(answer.status, 422, `${field} ${JSON.stringify(mark)}: ${answer.text}`);
      assert.deepEqual(Object.keys(answer.body.details?.errors ?? {}), [field]);
    }
  }
});

test('each route of a repository takes its full name too, percent-encoded and in any case', async () => {
  const requests = [
    ['PATCH', '', { exposed: true }, 200],
    ['GET', '', undefined, 200],
    ['PUT', '/tracked-branches', { own: ['stable'] }, 200],
    ['GET', '/tracked-branches', undefined, 200],
    ['PUT', '/code-owners', { path: 'CODEOWNERS', content: '* @acme/payments' }, 200],
    ['GET', '/code-owners', undefined, 200],
    ['DELETE', '/code-owners', undefined, 204],
  ] as const;
  const authorization = `Bearer ${people.admin.key}`;
  for (const [method, below, body, status] of requests) {
    for (const [name, expected] of [
      ['ACME%2FShop', status],
      ['acme%2Fother', 404],
    ] as const) {
      const path = `/manage/v1/acme/repositories/${name}${below}`;
      const answer = await send(server.app, { method, path, authorization, body });
      assert.equal(answer.status, expected, `${method} ${path}: ${answer.text}`);
    }
  }
});
