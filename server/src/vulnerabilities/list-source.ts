/** The table that holds the rows of a scope, and the parameters of a statement about it that is built in parts. */
import { separate } from '../db/planner-hints.ts';
import { counterKeys, idsOf, type Scope } from './scope.ts';

/** Collects the parameters of a statement. */
export class Parameters {
  readonly values: unknown[] = [];

  add(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

export interface ListSource {
  table: 'vulnerability' | 'vulnerability_reference';
  /** Column with the vulnerability's id. */
  id: string;
  /** Column with the packed state in the scope. */
  state: 'packed_state' | 'default_branch_state';
  /** The condition of the scope on the rows l; empty for the whole workspace. */
  where: string;
}

/** `scopeId`: SQL of one repository or reference, if the scope has several. Without it, all of them are meant. */
export function sourceOf(scope: Scope, parameters: Parameters, scopeId?: string): ListSource {
  const own = { table: 'vulnerability', id: 'id', state: 'packed_state' } as const;
  const onReference = { ...own, table: 'vulnerability_reference', id: 'vulnerability_id' } as const;
  const among = (ids: string[]): string => scopeId ?? `any(${parameters.add(ids)}::uuid[])`;
  switch (scope.kind) {
    case 'tenant':
      return { ...own, where: '' };
    case 'repository':
      return { ...own, where: `l.repository_id = ${parameters.add(scope.repositoryId)}` };
    case 'repositories':
      return { ...own, where: `l.repository_id = ${among(scope.repositoryIds)}` };
    case 'reference':
      return { ...onReference, where: `l.reference_id = ${parameters.add(scope.referenceId)}` };
    case 'references':
      return { ...onReference, where: `l.reference_id = ${among(scope.referenceIds)}` };
    case 'ref-name':
      return { ...onReference, where: `l.full_ref = ${parameters.add(scope.fullRef)}` };
    case 'default-branches':
      return { ...own, state: 'default_branch_state', where: 'l.default_branch_state is not null' };
  }
}

/**
 * SQL of the ranges b. In a scope of several repositories or references, each has its own ranges, with its id as
 * `scope_id`, if the counters have a vulnerability there.
 */
export function rangesOf(scope: Scope, packedStates: string, tenant: string, parameters: Parameters): string {
  if (idsOf(scope) === null) return packedStates;
  const { scope: counted, keys } = counterKeys(scope);
  return `${separate(`select b.*, c.key::uuid as scope_id from ${packedStates}
         join vulnerability_count c on c.tenant_id = ${tenant} and c.scope = ${parameters.add(counted)}
          and c.key = any(${parameters.add(keys)}::text[]) and c.packed_state = b.packed_state and c.count > 0`)} b`;
}

/** SQL of the WITH clause of these named queries. */
export function withClause(queries: string[]): string {
  return queries.length === 0 ? '' : `with ${queries.join(',\n    ')}`;
}
