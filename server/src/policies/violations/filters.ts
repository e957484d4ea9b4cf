/** The filters of the violation lists: their query parameters, and what the reads need of them. */
import { type Static, Type } from 'typebox';
import type { Tx } from '../../db/database.ts';
import { invalidFilterValue } from '../../domain/errors.ts';
import { parseId } from '../../domain/ids.ts';
import { enforcementModes, targetTypes } from '../../domain/policy-enums.ts';
import { shortRef } from '../../domain/reference-name.ts';
import { packedStatesWhere, type ViolationTraits, violationStatuses } from '../../domain/violation-state.ts';
import { listParameter } from '../../http/input.ts';
import { findNamedReference, getRepository } from '../../inventory/repositories/service.ts';
import { listPolicies } from '../definition/policy.ts';

const texts = Type.Array(Type.String());

/** The filters that the lists of a repository and of the workspace share, as query parameters. */
export const sharedParameters = {
  status: Type.Optional(listParameter(`${violationStatuses.join(', ')}.`, { values: violationStatuses })),
  enforcement: Type.Optional(
    listParameter(`In force: ${[...enforcementModes].reverse().join(', ')}.`, { values: enforcementModes }),
  ),
  policy: Type.Optional(listParameter('Policies: ids or keys.')),
  target_type: Type.Optional(listParameter(`${targetTypes.join(', ')}.`, { values: targetTypes })),
};
export type SharedQuery = Static<ReturnType<typeof Type.Object<typeof sharedParameters>>>;

/** The schema of the shared filters as a list shows them again. */
export const sharedEcho = { status: texts, enforcement: texts, policy: texts, target_type: texts };

/** Returns the shared filters with the texts sent, or an empty list. */
export function echoShared({ status = [], enforcement = [], policy = [], target_type = [] }: SharedQuery) {
  return { status, enforcement, policy, target_type };
}

export interface ListQuery extends SharedQuery {
  repo: string;
  ref?: string;
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

/** The filter by the traits of a packed state. */
export function packedStateFilter({
  status,
  enforcement,
  target_type,
}: SharedQuery): (traits: ViolationTraits) => boolean {
  return (traits) =>
    (status === undefined || status.includes(traits.status)) &&
    (enforcement === undefined || enforcement.includes(traits.enforcement)) &&
    (target_type === undefined || target_type.includes(traits.targetType));
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
