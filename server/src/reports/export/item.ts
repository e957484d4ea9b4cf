/** A vulnerability as all forms of an export show it: its schema, and the function that builds it from a row. */
import { type Static, Type } from 'typebox';
import { reaches, unpackState } from '../../domain/packed-state.ts';
import { shortRef } from '../../domain/reference-name.ts';
import {
  extendedObject,
  NullableTimestamp,
  oneOf,
  Timestamp,
  timestamp,
  timestampOrNull,
} from '../../http/schema.ts';
import {
  type FullRow,
  VulnerabilityFullItem,
  vulnerabilityFullItem,
} from '../../vulnerabilities/vulnerability-fields.ts';
import { maxReferences, type StatusRow, type ToolRow } from './store.ts';

export const ExportItem = extendedObject('ExportedVulnerability', VulnerabilityFullItem, {
  reach: oneOf(
    reaches,
    'tracked: has been on a tracked reference. branches: has been on other references only. elsewhere: fixed on the tracked ones, live on another.',
  ),
  references: Type.Array(
    Type.Object({
      ref: Type.String(),
      type: Type.String(),
      active: Type.Boolean({
        description: 'False: the branch was deleted or had no scan for long, so its status no longer counts.',
      }),
      status: Type.String(),
      first_seen_at: Timestamp,
      fixed_at: NullableTimestamp,
    }),
    {
      description: `At most ${maxReferences}: the default branch, tracked ones, active ones, and then the newest.`,
    },
  ),
  tools: Type.Array(
    Type.Object({
      tool: Type.String(),
      live: Type.Boolean({ description: 'True: the tool reports it now on an active reference.' }),
    }),
  ),
});
export type ExportItem = Static<typeof ExportItem>;
export type ItemWithoutReferences = Omit<ExportItem, 'references'>;

export function itemWithoutReferences(row: FullRow, tools: ToolRow[]): ItemWithoutReferences {
  const { reach } = unpackState(row.packed_state);
  return { ...vulnerabilityFullItem(row), reach, tools: tools.map(({ tool, live }) => ({ tool, live })) };
}

export function exportItem(row: FullRow, statuses: StatusRow[], tools: ToolRow[]): ExportItem {
  return {
    ...itemWithoutReferences(row, tools),
    references: statuses.map((status) => ({
      ref: shortRef(status.full_ref),
      type: status.type,
      active: status.active,
      status: unpackState(status.packed_state).status,
      first_seen_at: timestamp(status.first_seen_at),
      fixed_at: timestampOrNull(status.fixed_at),
    })),
  };
}
