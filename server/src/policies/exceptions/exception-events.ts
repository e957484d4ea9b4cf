/** The events of exceptions. */
import { type ExceptionId, formatId, formatIdOrNull, type UserId } from '../../domain/ids.ts';
import type { EnforcementMode } from '../../domain/policy-enums.ts';
import type { WorkspaceEvent, WorkspaceEventType } from '../../domain/workspace-event.ts';
import type { ExceptionMode, ExceptionSubject } from './exception-store.ts';

/** The fields of an exception that its events say. */
export interface EventException extends ExceptionSubject {
  id: ExceptionId;
  status: string;
  mode: ExceptionMode;
  enforcementMode: EnforcementMode | null;
  endsAt: Date | null;
  requestedBy: UserId;
  /** The reason of the request, or of its review. */
  reason: string | null;
}

export function exceptionEvent(
  type: WorkspaceEventType & `exception.${string}`,
  exception: EventException,
  { actorId, at }: { actorId: UserId | null; at: Date },
): WorkspaceEvent {
  return {
    type,
    objectId: exception.id,
    repositoryId: exception.repositoryId,
    scanId: null,
    actorId,
    at,
    data: {
      status: exception.status,
      mode: exception.mode,
      enforcement_mode: exception.enforcementMode,
      until: exception.endsAt?.toISOString() ?? null,
      policy: formatId('policy', exception.policyId),
      violation: formatIdOrNull('violation', exception.violationId),
      requested_by: formatId('user', exception.requestedBy),
      reason: exception.reason,
    },
  };
}
