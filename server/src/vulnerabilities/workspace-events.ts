/**
 * The events of vulnerabilities. They come from the state before and after a change, so that who follows them has the
 * status, severity, traits and assignee of each; the history says why.
 */
import {
  formatId,
  formatIdOrNull,
  type RepositoryId,
  type UserId,
  type VulnerabilityId,
} from '../domain/ids.ts';
import { unpackState } from '../domain/packed-state.ts';
import type { WorkspaceEvent, WorkspaceEventType } from '../domain/workspace-event.ts';
import type { Cause, VulnerabilityEvent } from './events.ts';

interface KnownState {
  packed_state: number;
  resolution?: string | null;
  assignee_id?: UserId | null;
}

/** The fields of a vulnerability that its events say, as the API shows them. */
export interface EventState {
  status: string;
  severity: string;
  type: string;
  confirmed: boolean;
  triaged: boolean;
  resolution: string | null;
  assignee: string | null;
}

function stateOf({
  packed_state: packedState,
  resolution = null,
  assignee_id: assignee = null,
}: KnownState): EventState {
  const { status, severity, type, confirmed, triaged } = unpackState(packedState);
  return {
    status,
    severity,
    type,
    confirmed,
    triaged,
    resolution,
    assignee: formatIdOrNull('user', assignee),
  };
}

type Subject = KnownState & { id: VulnerabilityId; repository_id: RepositoryId };

function eventOf(
  type: WorkspaceEventType,
  { id, repository_id: repositoryId }: Subject,
  { scanId, actorId, at }: Cause,
  data: Record<string, unknown>,
): WorkspaceEvent {
  return { type, objectId: id, repositoryId, scanId, actorId, at, data };
}

export function openedEvent(row: Subject, cause: Cause): WorkspaceEvent {
  return eventOf('vulnerability.opened', row, cause, { ...stateOf(row) });
}

/** A known package matches an advisory, and no scanner has reported it before. */
export function matchedEvent(row: Subject & { advisory: string | null }, cause: Cause): WorkspaceEvent {
  return eventOf('advisory.matched', row, cause, { ...stateOf(row), advisory: row.advisory });
}

/** The id leads to another vulnerability from now on. */
export function mergedEvent(
  row: Subject,
  into: VulnerabilityId,
  cause: Cause,
  reason: string,
): WorkspaceEvent {
  return eventOf('vulnerability.status_changed', row, cause, {
    ...stateOf(row),
    change: 'merged',
    reason,
    merged_into: formatId('vulnerability', into),
  });
}

type HistoryEvent = Omit<VulnerabilityEvent, 'vulnerabilityId'>;

/** One event of the status and one of the assignee at most. Other changes of a row, such as of its title, are none. */
export function changeEvents(
  before: Subject,
  after: KnownState,
  history: readonly HistoryEvent[],
  cause: Cause,
): WorkspaceEvent[] {
  const [was, now] = [stateOf(before), stateOf(after)];
  const fields = Object.keys(now) as (keyof EventState)[];
  const changed = fields.filter((field) => was[field] !== now[field]);
  const previous = Object.fromEntries(changed.map((field) => [field, was[field]]));
  const from = history.find(({ kind, data }) => kind === 'split' && data?.from !== undefined)?.data?.from;
  if (from !== undefined)
    return [eventOf('vulnerability.opened', before, cause, { ...now, split_from: from })];
  const [act] = history;
  const changeAndReason = {
    ...(act === undefined ? {} : { change: act.kind }),
    ...(act?.reason ? { reason: act.reason } : {}),
  };
  const events: WorkspaceEvent[] = [];
  if (changed.some((field) => field !== 'assignee')) {
    const type =
      was.status === now.status
        ? 'vulnerability.status_changed'
        : now.status === 'fixed'
          ? 'vulnerability.fixed'
          : was.status === 'fixed' && now.status === 'open'
            ? 'vulnerability.reopened'
            : 'vulnerability.status_changed';
    events.push(eventOf(type, before, cause, { ...now, previous, ...changeAndReason }));
  }
  if (changed.includes('assignee')) {
    events.push(eventOf('vulnerability.assigned', before, cause, { ...now, previous, ...changeAndReason }));
  }
  return events;
}
