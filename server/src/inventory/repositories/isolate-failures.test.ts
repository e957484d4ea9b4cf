import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../../domain/ids.ts';
import { isolateFailures } from './isolate-failures.ts';

const rowsOf = (repositories: number) =>
  Array.from({ length: repositories }, () => ({ repository_id: newId<'repository'>() }));

test('only repositories that fail alone are reported, and the others are done', async () => {
  const rows = rowsOf(9);
  const broken = new Set([rows[2]?.repository_id, rows[7]?.repository_id]);
  const done: unknown[] = [];
  const failed: unknown[] = [];
  await isolateFailures(
    rows,
    async (some) => {
      if (some.some((row) => broken.has(row.repository_id))) throw new Error('refused');
      done.push(...some);
    },
    (_, repositoryId) => void failed.push(repositoryId),
  );
  assert.deepEqual(
    done,
    rows.filter((row) => !broken.has(row.repository_id)),
  );
  assert.deepEqual(failed, [...broken]);
});

test('a database that no repository can use, and failures of hundreds of repositories, end the work', async () => {
  const attempts = async (error: Error, repositories: number) => {
    let [tries, failures] = [0, 0];
    const work = isolateFailures(
      rowsOf(repositories),
      async () => {
        tries++;
        throw error;
      },
      () => void failures++,
    );
    await assert.rejects(work, error);
    return { tries, failures };
  };
  for (const code of ['25006', '53100', 'ECONNREFUSED']) {
    const error = Object.assign(new Error('refused'), { code });
    assert.deepEqual(await attempts(error, 50), { tries: 1, failures: 0 });
  }
  assert.equal((await attempts(new Error('refused'), 1_000)).failures, 100);
});
