/** Tests of the plan: each id comes once for its tool, in order, in memory and in the file. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { newId } from '../../domain/ids.ts';
import { RunPlan } from './run-plan.ts';

async function read(plan: RunPlan, tool: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const batch of plan.idsOf(tool)) {
    assert.ok(batch.length > 0 && batch.length <= 250);
    ids.push(...batch);
  }
  return ids;
}

test('all added rows are returned, tool by tool', async () => {
  for (const capacity of [1, 7, 1000, 1001, 4096]) {
    const plan = new RunPlan(capacity);
    const expected = new Map<string, string[]>();
    for (let i = 0; i < 2002; i++) {
      const [id, tool] = [newId<'vulnerability'>(), i % 3 === 0 ? `rare-${i}` : ['trivy', 'grype'][i % 2]];
      const name = tool ?? '';
      await plan.add(id, name);
      expected.set(name, [...(expected.get(name) ?? []), id]);
    }
    plan.seal();
    assert.deepEqual(plan.tools(), [...expected.keys()].sort());
    for (const [tool, ids] of expected) assert.deepEqual(await read(plan, tool), ids, `${capacity} ${tool}`);
    const left = readdirSync(tmpdir()).filter((name) => name.startsWith('merlon-export-'));
    assert.deepEqual(left, [], 'the file has no name');
    await plan.close();
  }
});

test('an empty plan returns nothing', async () => {
  const plan = new RunPlan();
  plan.seal();
  assert.deepEqual(plan.tools(), []);
  await plan.close();
});
