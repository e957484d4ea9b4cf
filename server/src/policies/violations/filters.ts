/** The filters of the violation lists: their query parameters, and what the reads need of them. */
import type { Tx } from '../../db/database.ts';
import { dueValues } from '../../domain/due.ts';
import { invalidFilterValue } from '../../domain/errors.ts';
import type { PolicyId, ReferenceId, RepositoryId } from '../../domain/ids.ts';
import { enforcementModes, targetTypes } from '../../domain/policy-enums.ts';
import { shortRef } from '../../domain/reference-name.ts';
import {
  isBlocking,
  isUnresolved,
  packedStatesWhere,
  type ViolationTraits,
  violationStatuses,
} from '../../domain/violation-state.ts';
import { listParameter } from '../../http/input.ts';
import {
  declareFilters,
  filterOn,
  type QueryOf,
  repositoryText,
  testsOf,
  textFilter,
} from '../../http/page.ts';
import { oneOf } from '../../http/schema.ts';
import { findNamedReference, getRepository } from '../../inventory/repositories/service.ts';
import { findPolicy } from '../definition/policy.ts';
import { listPolicies } from '../definition/store.ts';

type TraitTest = (traits: ViolationTraits) => boolean;

const filter = filterOn<ViolationTraits>();

function yesNo(description: string, has: TraitTest) {
  return filter(oneOf(['yes', 'no'], description), {
    test: (value) => (traits) => has(traits) === (value === 'yes'),
  });
}

/** The filters that the lists of a repository and of the workspace share. */
const shared = {
  status: filter(listParameter('Status.', { values: violationStatuses }), {
    test: (values) => (traits) => values.includes(traits.status),
  }),
  enforcement: filter(
    listParameter('Mode in force; none means that an exception exempts.', { values: enforcementModes }),
    { test: (values) => (traits) => values.includes(traits.enforcement) },
  ),
  policy: filter(listParameter('Policies: ids or keys.')),
  target_type: filter(listParameter('Type of the target.', { values: targetTypes }), {
    test: (values) => (traits) => values.includes(traits.targetType),
  }),
};

const ofRepository = {
  repo: filter(repositoryText, { required: true, echoed: false }),
  ref: filter(
    textFilter(
      255,
      'Only violations that match or matched on this reference, with their status on it. HEAD is the default branch.',
    ),
    { echoed: false },
  ),
  ...shared,
};

const ofWorkspace = {
  repo: filter(repositoryText),
  ...shared,
  due: filter(
    oneOf(
      dueValues,
      'Only violations that are open or in review: overdue, due within seven days, or due later.',
    ),
    // A resolved or waived violation is no longer due.
    { test: () => (traits) => isUnresolved(traits.status) },
  ),
  snoozed: yesNo('Snoozed by a person.', (traits) => traits.snoozed),
  blocking: yesNo('Blocks a merge.', isBlocking),
  q: filter(
    textFilter(
      500,
      'Only violations of vulnerabilities: words of the title and the package, of at least three characters each, or ids of advisories.',
    ),
    { echoed: false },
  ),
};

export const repositoryFilters = declareFilters(ofRepository);
export const workspaceFilters = declareFilters(ofWorkspace);
export type WorkspaceViolationQuery = QueryOf<typeof ofWorkspace>;

export type ViolationQuery = QueryOf<typeof ofRepository>;

export interface ViolationFilter {
  repository: { id: RepositoryId; full_name: string };
  /** The reference as the API shows it; null without a default branch. */
  reference: { ref: string; sha: string | null } | null;
  /** All violations of the repository, or those that match or have matched on a reference; null if it is unknown. */
  scope: { repositoryId: RepositoryId } | { referenceId: ReferenceId } | null;
  packedStates: number[];
  policyIds: PolicyId[] | null;
}

/** Throws 422 for impossible values and 404 for an unknown repository. */
export async function resolveViolationFilter(tx: Tx, query: ViolationQuery): Promise<ViolationFilter> {
  const isAsked = packedStateFilter(query);
  // 422 comes before 404.
  const policyIds = query.policy === undefined ? null : await findPolicies(tx, query.policy);
  const repository = await getRepository(tx, query.repo);
  const found = await findNamedReference(tx, repository, query.ref ?? 'HEAD');
  const reference = found ? { ref: shortRef(found.full_ref), sha: found.head_sha } : null;
  return {
    repository: { id: repository.id, full_name: repository.full_name },
    reference: reference ?? (query.ref === undefined ? null : { ref: query.ref, sha: null }),
    scope:
      query.ref === undefined ? { repositoryId: repository.id } : found ? { referenceId: found.id } : null,
    packedStates: packedStatesWhere(isAsked),
    policyIds,
  };
}

/** The filters by the traits of a packed state. */
export function packedStateFilter(query: WorkspaceViolationQuery): TraitTest {
  const tests = [
    ...testsOf<ViolationTraits, WorkspaceViolationQuery, keyof WorkspaceViolationQuery>(
      ofWorkspace,
      query,
    ).values(),
  ];
  return (traits) => tests.every((test) => test(traits));
}

/** Takes ids or keys of policies and returns their ids. Throws 422 if one of them is unknown. */
export async function findPolicies(tx: Tx, values: string[]): Promise<PolicyId[]> {
  const policies = await listPolicies(tx);
  const found = values.map((value) => findPolicy(policies, value)?.id);
  const unknown = values.filter((_, i) => found[i] === undefined);
  if (unknown.length > 0) throw invalidFilterValue(unknown);
  return found as PolicyId[];
}
