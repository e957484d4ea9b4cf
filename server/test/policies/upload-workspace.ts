import assert from 'node:assert/strict';
import { parseId, type TenantId } from '../../src/domain/ids.ts';
import { processRepository } from '../../src/ingest/import/process-scan.ts';
import { queryOf, send } from '../support/client.ts';
import { testConfig } from '../support/import.ts';
import type { TestServer } from '../support/server.ts';

/** Uploads over HTTP with a key, and then processes the job. */
export function uploader(server: TestServer, tenantId: TenantId) {
  return async (key: string, query: Record<string, string>, report: object, process = true) => {
    const answer = await send<{ id: string; status: string; repository: { id: string } }>(server.app, {
      method: 'POST',
      path: `/ingest/v1/acme/scans${queryOf(query)}`,
      authorization: `Bearer ${key}`,
      body: JSON.stringify(report),
      headers: { 'content-type': 'application/octet-stream' },
    });
    assert.equal(answer.status, 202, answer.text);
    const repositoryId = parseId('repository', answer.body.repository.id) ?? '';
    if (process)
      await processRepository(
        { db: server.db, secret: server.secret, config: testConfig },
        tenantId,
        repositoryId,
      );
    return { ...answer.body, repositoryId };
  };
}
