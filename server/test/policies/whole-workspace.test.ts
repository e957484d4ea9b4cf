/**
 * Tests of the evaluation of changed policies in a whole workspace, which evaluates two groups of repositories at once.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyInventory } from '../../src/actions/inventory-file/apply.ts';
import { importTx, tenantReadTx } from '../../src/db/database.ts';
import { applyPolicies } from '../../src/policies/definition/apply.ts';
import { parsePolicies } from '../../src/policies/definition/document.ts';
import { isPending } from '../../src/policies/definition/policy.ts';
import { listPolicies } from '../../src/policies/definition/store.ts';
import { evaluatePendingPolicies } from '../../src/policies/evaluation/evaluate-policies.ts';
import { factIs } from '../support/policies.ts';
import { createPolicyWorkspace } from './policy-workspace.ts';

const { server, tenant } = await createPolicyWorkspace();
const onCitus = process.env.TEST_CITUS_NODES !== undefined;

// A group has at most fifty repositories.
const repositories = 230;
const groups = 5;
await importTx(server.db, tenant.id, (tx) =>
  applyInventory(tx, {
    repositories: Array.from({ length: repositories }, (_, n) => ({
      full_name: `acme/repository-${n}`,
      is_private: false,
    })),
  }),
);

async function changePolicy(severity: string): Promise<void> {
  const boss = await server.queue.open();
  const document = parsePolicies(
    `{key: public, target_type: repository, enforcement_mode: warn, severity: ${severity}, condition: {all: [${factIs('repository.is_private', false)}]}}`,
  );
  await importTx(server.db, tenant.id, (tx) => applyPolicies(tx, boss, document, { actorId: null }));
}

const evaluate = (stopping?: () => boolean): Promise<number> =>
  evaluatePendingPolicies(server.db, tenant.id, stopping);

async function countPending(): Promise<number> {
  const policies = await tenantReadTx(server.db, tenant.id, listPolicies);
  return policies.filter(isPending).length;
}

async function countViolations(severity: string): Promise<number> {
  const { rows } = await server.owner.query(
    'select count(*)::int as n from policy_violation where tenant_id = $1 and severity = $2',
    [tenant.id, severity],
  );
  return rows[0].n;
}

/** Returns a function that is true from the call after the first `calls` on. */
function trueAfter(calls: number): () => boolean {
  let asked = 0;
  return () => ++asked > calls;
}

test('every repository is evaluated once, and the progress only grows', { skip: onCitus }, async () => {
  await server.owner.query(`
    create table noted_progress (number serial, done int);
    create function note_progress() returns trigger security definer language plpgsql as $$
      begin insert into noted_progress (done) values ((new.progress->>'done')::int); return new; end $$;
    create trigger note_progress after update of progress on policy for each row when (new.progress is not null)
      execute function note_progress()`);
  await changePolicy('low');
  assert.equal(await evaluate(), 1);
  assert.equal(await countViolations('low'), repositories);
  const { rows } = await server.owner.query('select done from noted_progress order by number');
  const noted = rows.map(({ done }) => done as number);
  assert.equal(noted.length, groups);
  assert.deepEqual(
    noted,
    noted.toSorted((a, b) => a - b),
  );
  await server.owner.query(
    'drop trigger note_progress on policy; drop function note_progress; drop table noted_progress',
  );
});

test('a stop leaves the policy to the next round, unless every group was begun before', async () => {
  await changePolicy('medium');
  assert.equal(await evaluate(trueAfter(groups - 1)), 0);
  assert.equal(await countPending(), 1);
  const evaluated = await countViolations('medium');
  assert.ok(evaluated > 0 && evaluated < repositories, `${evaluated} repositories were evaluated`);
  assert.equal(await evaluate(trueAfter(groups)), 1);
  assert.equal(await countPending(), 0);
  assert.equal(await countViolations('medium'), repositories);
});

test('if both evaluations fail, both errors are thrown, and the policy stays pending', {
  skip: onCitus,
}, async () => {
  await server.owner.query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
    create trigger refuse before update on repository_evaluation for each row execute function refuse()`);
  await changePolicy('high');
  await assert.rejects(evaluate(), (error) => {
    assert.ok(error instanceof AggregateError);
    assert.deepEqual(error.errors.map(String), ['error: refused', 'error: refused']);
    return true;
  });
  assert.equal(await countPending(), 1);
  await server.owner.query('drop trigger refuse on repository_evaluation; drop function refuse');
  assert.equal(await evaluate(), 1);
  assert.equal(await countViolations('high'), repositories);
});
