/**
 * Facets give, for each value of a filter, the number of vulnerabilities that the list would find with it. They read
 * the same counters as the summary of the list, so that the list then shows the same number.
 */
import { type Static, Type } from 'typebox';
import type { Tx } from '../db/database.ts';
import { severities, sources, statuses, type Traits, types, unpackState } from '../domain/packed-state.ts';
import type { Principal } from '../http/principal.ts';
import { namedObject } from '../http/schema.ts';
import {
  allows,
  type FilterName,
  type FilterQuery,
  hasCandidates,
  type ListFilter,
  resolveFilter,
  shownStatus,
} from './filters.ts';
import { boundedSearch } from './list.ts';
import { countBothStates, countPackedStates } from './packed-state-counts.ts';
import type { PackedStateCount } from './schema.ts';
import { type ListScope, listScopes } from './scope.ts';

const YesNo = namedObject('YesNoCounts', { yes: Type.Integer(), no: Type.Integer() });

function numbers(values: readonly string[], note = '') {
  return Type.Record(Type.String(), Type.Integer(), { description: `${values.join(', ')}${note}` });
}

export const Facets = namedObject('VulnerabilityFacets', {
  scope: numbers(listScopes, '; each in place of `ref`, if the query has one.'),
  state: numbers(statuses),
  severity: numbers([...severities].reverse()),
  type: numbers(types),
  source: numbers(sources),
  confirmed: YesNo,
  triaged: YesNo,
  fix: YesNo,
  assignee: Type.Object({
    unassigned: Type.Integer(),
    assigned: Type.Integer(),
    me: Type.Integer({ description: 'Assigned to the caller; 0 for a workspace key.' }),
  }),
});

/** Counts each facet with all filters except its own. Throws 404 and 422 as the list does. */
export async function readFacets(
  tx: Tx,
  principal: Principal,
  query: FilterQuery,
): Promise<Static<typeof Facets>> {
  const filter = await resolveFilter(tx, principal, query);
  const { id: userId, kind } = principal.user;
  const count = countOnce(tx);
  const [found, ofAnybody, ofMe, scope] = await boundedSearch(tx, filter, () => {
    const ofAll = count({ ...filter, assigneeId: null });
    const found = filter.assigneeId === null ? ofAll : count(filter);
    const mine = async (): Promise<PackedStateCount[]> =>
      count({ ...filter, assigneeId: userId }, assignedOf(await ofAll));
    return Promise.all([
      found,
      ofAll,
      kind !== 'user' ? noStates : filter.assigneeId === userId ? found : mine(),
      countScopes(tx, principal, query, count),
    ]);
  });
  const numbersOf = (facet: FilterName, values: readonly string[], pick: (traits: Traits) => string) =>
    sumsOf(found, filter, facet, values, pick);
  const { assigned = 0, unassigned = 0 } = sumsOf(
    ofAnybody,
    filter,
    'assignee',
    ['unassigned', 'assigned'],
    (traits) => (traits.assigned ? 'assigned' : 'unassigned'),
  );
  return {
    scope,
    state: numbersOf('state', statuses, (traits) => shownStatus(traits, query.scope)),
    severity: numbersOf('severity', [...severities].reverse(), (traits) => traits.severity),
    type: numbersOf('type', types, (traits) => traits.type),
    source: numbersOf('source', sources, (traits) => traits.source),
    confirmed: yesNoOf(numbersOf('confirmed', [], (traits) => (traits.confirmed ? 'yes' : 'no'))),
    triaged: yesNoOf(numbersOf('triaged', [], (traits) => (traits.triaged ? 'yes' : 'no'))),
    fix: yesNoOf(numbersOf('fix', [], (traits) => (traits.fixKnown ? 'yes' : 'no'))),
    assignee: {
      unassigned,
      assigned,
      me: sumsOf(ofMe, filter, 'assignee', [], () => 'me').me ?? 0,
    },
  };
}

/** Counts the results of the list in each scope. A reference is a scope too, so the filter by reference is left out. */
async function countScopes(
  tx: Tx,
  principal: Principal,
  { ref: _, ...query }: FilterQuery,
  count: Count,
): Promise<Record<ListScope, number>> {
  const counts = await Promise.all(
    listScopes.map(async (scope) => {
      const filter = await resolveFilter(tx, principal, { ...query, scope });
      const found = await count(filter);
      const { all = 0 } = sumsOf(found, filter, undefined, [], () => 'all');
      return [scope, all] as const;
    }),
  );
  return Object.fromEntries(counts) as Record<ListScope, number>;
}

/** The packed states of assigned vulnerabilities among these. */
function assignedOf(counts: PackedStateCount[]): number[] {
  return counts.map((count) => count.packed_state).filter((packedState) => unpackState(packedState).assigned);
}

/** Counts the results of a filter by packed state; with `within` only those of these packed states. */
type Count = (filter: ListFilter, within?: number[]) => Promise<PackedStateCount[]>;

/** Two scopes of a list may share their counts and differ only in the tests of traits. Shared counts are read once. */
function countOnce(tx: Tx): Count {
  const counts = new Map<string, Promise<PackedStateCount[]>>();
  const both = new Map<string | null, ReturnType<typeof countBothStates>>();
  return (filter, within) => {
    const { scope, assigneeId } = filter;
    if (!scope || within?.length === 0) return noStates;
    const { kind } = scope;
    if (within === undefined && hasCandidates(filter) && (kind === 'tenant' || kind === 'default-branches')) {
      const known = both.get(assigneeId) ?? countBothStates(tx, filter);
      both.set(assigneeId, known);
      return known.then((states) => states[kind]);
    }
    const key = JSON.stringify([scope, assigneeId]);
    const known = counts.get(key) ?? countPackedStates(tx, scope, filter, within);
    counts.set(key, known);
    return known;
  };
}

const noStates: Promise<PackedStateCount[]> = Promise.resolve([]);

function yesNoOf({ yes = 0, no = 0 }: Record<string, number>): Static<typeof YesNo> {
  return { yes, no };
}

/** The answer always contains `values`, even with zero. */
function sumsOf(
  counts: PackedStateCount[],
  filter: ListFilter,
  facet: FilterName | undefined,
  values: readonly string[],
  pick: (traits: Traits) => string,
): Record<string, number> {
  const sums: Record<string, number> = Object.fromEntries(values.map((value) => [value, 0]));
  for (const { packed_state: packedState, n } of counts) {
    const traits = unpackState(packedState);
    if (!allows(filter, traits, facet)) continue;
    const value = pick(traits);
    sums[value] = (sums[value] ?? 0) + n;
  }
  return sums;
}
