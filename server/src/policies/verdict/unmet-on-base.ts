/**
 * The base of a reference may have a vulnerability where a policy does not apply, for example in the files of tests.
 * Then the violation is new on the reference, although the vulnerability is not.
 */

import type { Tx } from '../../db/database.ts';
import { batches } from '../../domain/batches.ts';
import type { PolicyId, ReferenceId } from '../../domain/ids.ts';
import type { TargetId } from '../../domain/policy-enums.ts';
import { isWarning, packedStatesWhere } from '../../domain/violation-state.ts';
import { type MatchQuery, type MatchRow, matchQuery } from '../definition/compile.ts';
import { clausesOf } from '../definition/condition.ts';
import { factsOfLocations, sourceAtLocations } from '../definition/fact-sources.ts';
import type { Policy } from '../definition/policy.ts';
import { listPolicies } from '../definition/store.ts';
import { batchesByClauses } from '../evaluation/evaluate.ts';
import { listOnReference, type ViolationOnReference } from '../evaluation/evaluate-store.ts';
import { baseSeries, seenOnBase } from './base-series.ts';

// A statement has some hundred kilobytes then, like that of an evaluation.
const batchSize = 4_000;

const openStates = packedStatesWhere((traits) => traits.targetType === 'vulnerability' && isWarning(traits));
const clearedStates = packedStatesWhere(
  (traits) => traits.targetType === 'vulnerability' && traits.status === 'resolved',
);

/**
 * Ids of the violations on the reference whose condition no location on the base meets at the moment `at`. Only
 * policies that test where a vulnerability is have such violations. With `isSuperseded` the cleared violations count
 * too, because they may have matched at an earlier commit. Facts may have changed since, so their condition must still
 * hold at a location of the reference.
 */
export async function listUnmetOnBase(
  tx: Tx,
  referenceId: ReferenceId,
  base: { referenceId: ReferenceId; at: Date; sha: string | null },
  isSuperseded: boolean,
): Promise<string[]> {
  const policies = (await listPolicies(tx)).filter(
    ({ status, targetType, condition }) =>
      status === 'active' &&
      targetType === 'vulnerability' &&
      clausesOf(condition).some(({ fact }) => factsOfLocations.includes(fact)),
  );
  if (policies.length === 0) return [];
  const rows = await listOnReference(
    tx,
    referenceId,
    policies.map((policy) => policy.id),
    isSuperseded ? [...openStates, ...clearedStates] : openStates,
  );
  const onBase = await listMet(tx, policies, rows, (add) => {
    const [id, at, sha] = [add(base.referenceId), add(base.at), add(base.sha ?? '')];
    const locations = `select l.path, bool_or(b.source = 'current') over () as is_current ${seenOnBase('v.id', id)}`;
    return {
      ...sourceAtLocations(`${add(referenceId)}::uuid`, locations),
      with: baseSeries(id, at, sha),
    };
  });
  const unmet = rows.filter((row) => !onBase.has(keyOf(row.policy_id, row.target_id)));
  if (!isSuperseded) return unmet.map((row) => row.id);
  const own = await listMet(tx, policies, unmet, (add) =>
    sourceAtLocations(`${add(referenceId)}::uuid`, ownLocations('v.id', add(referenceId))),
  );
  return unmet.filter((row) => own.has(keyOf(row.policy_id, row.target_id))).map((row) => row.id);
}

// SQL: all locations that the reference has ever had, in the current files and in the history. A condition that none of
// them meets fails for another reason than the location, such as a severity that has changed since.
const ownLocations = (vulnerability: string, reference: string): string =>
  `select l.path, c.is_current from vulnerability_location l cross join (values (true), (false)) c (is_current)
    where l.tenant_id = $1 and l.vulnerability_id = ${vulnerability} and l.reference_id = ${reference}`;

/** The keys of the policies and targets of these violations, in one repository, that match in the rows of `source`. */
async function listMet(
  tx: Tx,
  policies: Policy[],
  violations: ViolationOnReference[],
  source: NonNullable<MatchQuery['source']>,
): Promise<Set<string>> {
  const met = new Set<string>();
  const repositoryIds = [...new Set(violations.map((row) => row.repository_id))];
  for (const ids of batches([...new Set(violations.map((row) => row.target_id))], batchSize)) {
    for (const some of batchesByClauses(policies)) {
      const { sql, values } = matchQuery({
        tenantId: tx.tenantId,
        repositoryIds,
        target: 'vulnerability',
        conditions: some.map((policy) => policy.condition),
        ids,
        now: new Date(),
        source,
      });
      for (const row of await tx.query<MatchRow>(sql, values)) {
        for (const i of row.met) met.add(keyOf(some[i]?.id, row.target_id));
      }
    }
  }
  return met;
}

function keyOf(policyId: PolicyId | undefined, targetId: TargetId): string {
  return `${policyId} ${targetId}`;
}
