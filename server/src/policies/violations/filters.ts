/** Turns the query parameters of the violation list into the filters that the reads need. */
import type { Tx } from '../../db/database.ts';
import { invalidFilterValue } from '../../domain/errors.ts';
import { parseId } from '../../domain/ids.ts';
import { enforcementModes, targetTypes } from '../../domain/policy-enums.ts';
import { shortRef } from '../../domain/reference-name.ts';
import { packedStatesWhere, type ViolationTraits, violationStatuses } from '../../domain/violation-state.ts';
import { findNamedReference, getRepository } from '../../inventory/repositories/service.ts';
import { listPolicies } from '../definition/policy.ts';

export interface PackedStateQuery {
  status?: string[];
  enforcement?: string[];
  target_type?: string[];
}

export interface ListQuery extends PackedStateQuery {
  repo: string;
  ref?: string;
  policy?: string[];
}

export interface ListFilter {
  repository: { id: string; full_name: string };
  /** The reference as the API shows it; null without a default branch. */
  reference: { ref: string; sha: string | null } | null;
  /** All violations of the repository, or those that match or have matched on a reference; null if it is unknown. */
  scope: { repositoryId: string } | { referenceId: string } | null;
  packedStates: number[];
  policyIds: string[] | null;
}

/** Throws 422 for impossible values and 404 for an unknown repository. */
export async function resolveFilter(tx: Tx, query: ListQuery): Promise<ListFilter> {
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

/** The filter by the traits of a packed state. Throws 422 for impossible values. */
export function packedStateFilter(query: PackedStateQuery): (traits: ViolationTraits) => boolean {
  const statuses = checkedSet(query.status, violationStatuses);
  const modes = checkedSet(query.enforcement, enforcementModes);
  const types = checkedSet(query.target_type, targetTypes);
  return ({ status, enforcement, targetType }) =>
    (statuses === null || statuses.has(status)) &&
    (modes === null || modes.has(enforcement)) &&
    (types === null || types.has(targetType));
}

function checkedSet<T extends string>(values: string[] | undefined, known: readonly T[]): Set<T> | null {
  if (values === undefined) return null;
  const unknown = values.filter((value) => !(known as readonly string[]).includes(value));
  if (unknown.length > 0) throw invalidFilterValue([...new Set(unknown)]);
  return new Set(values as T[]);
}

/** Takes ids or keys of policies and returns their ids. Throws 422 if one of them is unknown. */
export async function findPolicies(tx: Tx, values: string[]): Promise<string[]> {
  const policies = await listPolicies(tx);
  const found = values.map((value) => {
    const id = parseId('policy', value);
    return policies.find((policy) => policy.id === id || policy.key === value)?.id;
  });
  const unknown = values.filter((_, i) => found[i] === undefined);
  if (unknown.length > 0) throw invalidFilterValue([...new Set(unknown)]);
  return found as string[];
}
