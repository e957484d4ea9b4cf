/**
 * The files that a request for the list of vulnerabilities passes, from the socket to the answer: those of which a
 * function runs. A newcomer reads them to follow a request, so they stay few.
 */
import assert from 'node:assert/strict';
import { Session } from 'node:inspector/promises';
import { test } from 'node:test';
import { buildApp } from '../../src/app.ts';
import { createTestDatabase } from '../support/database.ts';
import { importAll, testConfig } from '../support/import.ts';
import { sarif } from '../support/reports.ts';
import { createTestWorkspace, reportInput } from '../support/workspace.ts';

/** In the order in which the request reaches them; `domain/` last. */
const walk = [
  'http/request-context.ts',
  'http/access.ts',
  'access/entry.ts',
  'access/api-keys/key-string.ts',
  'http/rate-limit.ts',
  'http/input.ts',
  'vulnerabilities/routes.ts',
  'vulnerabilities/list.ts',
  'http/page.ts',
  'db/database.ts',
  'db/connection-share.ts',
  'vulnerabilities/filters.ts',
  'vulnerabilities/scope.ts',
  'vulnerabilities/page-keys.ts',
  'db/planner-hints.ts',
  'vulnerabilities/schema.ts',
  'http/schema.ts',
  'domain/ids.ts',
  'domain/packed-state.ts',
  'domain/reference-name.ts',
];
const mostFiles = 20;

// Its timer looks at the connections each second, whether there is a request or not.
const ofTimer = 'db/connection-watch.ts';
// Other timers of the server may run during one request, but not during each of three.
const rounds = 3;

const source = new URL('../../src/', import.meta.url).href;

const database = await createTestDatabase();
const { db, secret } = database;
const { people } = await createTestWorkspace(database, 'acme');
await importAll(database, 'acme', [reportInput(sarif([{ rule: 'sql', path: 'src/a.ts', line: 3 }]))]);

/** The files of which a function runs during the first request to a new server, which remembers nothing yet. */
async function filesOfFirstRequest(session: Session): Promise<Set<string>> {
  const app = await buildApp({ config: testConfig, db, secret, log: false });
  try {
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    // Resets the counts of all calls before.
    await session.post('Profiler.takePreciseCoverage');
    const answer = await fetch(`${url}/api/v1/acme/vulnerabilities?state=open&severity=high`, {
      headers: { authorization: `Bearer ${people.viewer.key}` },
    });
    const { items } = (await answer.json()) as { items: unknown[] };
    const { result } = await session.post('Profiler.takePreciseCoverage');
    assert.equal(items.length, 1);
    return new Set(
      result
        .filter(({ url, functions }) => url.startsWith(source) && functions.some(hasRun))
        .map(({ url }) => url.slice(source.length)),
    );
  } finally {
    await app.close();
  }
}

const hasRun = ({ ranges }: { ranges: { count: number }[] }): boolean => (ranges[0]?.count ?? 0) > 0;

test('a request for a list passes these files, at most twenty', async () => {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  try {
    let passed = await filesOfFirstRequest(session);
    for (let round = 1; round < rounds; round++) {
      passed = passed.intersection(await filesOfFirstRequest(session));
    }
    passed.delete(ofTimer);
    assert.deepEqual([...passed].sort(), walk.toSorted());
    assert.ok(walk.length <= mostFiles, `${walk.length} files`);
  } finally {
    await session.post('Profiler.stopPreciseCoverage');
    session.disconnect();
  }
});
