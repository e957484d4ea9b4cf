/**
 * Tests of the names that an admin sets for repositories and references: they follow the same rules as names from
 * reports.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientOf } from '../support/client.ts';
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
