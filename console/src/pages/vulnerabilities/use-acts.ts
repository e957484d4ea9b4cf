/**
 * Decides and assigns: sends the request, reports the result with a way to undo it, and loads the data again. A change
 * by somebody else is reported in the dialog, and the data is loaded again too.
 */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { isApiError } from '../../api/errors.ts';
import { assign, type Decided, type Decision, decide, type NamedVersion, undo } from '../../api/triage.ts';
import { vulnerabilitiesChanged } from '../../api/vulnerabilities.ts';
import { notifyDone, notifyFailed, notifyUndo } from '../../components/notify.tsx';
import { vulnerabilityCount } from './labels.ts';
import { namedVersions, type Target } from './targets.ts';
import { assignedText, decidedText } from './triage-labels.ts';

export interface DecideRequest {
  decision: Decision;
  targets: Target[];
}

export interface AssignRequest {
  assignee: string | null;
  targets: Target[];
}

export function useDecide(slug: string, onDone: (decided: Decided[]) => void) {
  const queryClient = useQueryClient();
  const takeBack = useTakeBack(slug);
  return useMutation({
    mutationFn: ({ decision, targets }: DecideRequest) => decide(slug, decision, namedVersions(targets)),
    onSuccess: ({ items: decided, stoppedBy }, { decision, targets }) => {
      onDone(decided);
      tell(decidedText(decision.action, decided), decided, takeBack);
      tellOfRest(stoppedBy, targets.length - decided.length);
      return vulnerabilitiesChanged(queryClient, slug);
    },
    onError: (error) => {
      if (isConflict(error)) vulnerabilitiesChanged(queryClient, slug);
    },
  });
}

export function useAssign(slug: string, onDone: () => void) {
  const queryClient = useQueryClient();
  const takeBack = useTakeBack(slug);
  return useMutation({
    mutationFn: ({ assignee, targets }: AssignRequest) => assign(slug, assignee, namedVersions(targets)),
    onSuccess: ({ items: assigned, stoppedBy }, { targets }) => {
      onDone();
      tell(assignedText(assigned), assigned, takeBack);
      tellOfRest(stoppedBy, targets.length - assigned.length);
      return vulnerabilitiesChanged(queryClient, slug);
    },
    onError: (error) => {
      if (isConflict(error)) vulnerabilitiesChanged(queryClient, slug);
    },
  });
}

function tell(
  message: string,
  acted: { id: string; status_version: string; changed: boolean }[],
  takeBack: (acted: Required<NamedVersion>[]) => Promise<void>,
): void {
  const changed = acted.filter((one) => one.changed);
  if (changed.length === 0) notifyDone(message);
  else notifyUndo(message, () => takeBack(changed));
}

function tellOfRest(stoppedBy: unknown, left: number): void {
  if (stoppedBy !== undefined) notifyFailed(`Not done for ${vulnerabilityCount(left)}`, stoppedBy);
}

function useTakeBack(slug: string): (acted: Required<NamedVersion>[]) => Promise<void> {
  const queryClient = useQueryClient();
  return async (acted) => {
    try {
      await undo(slug, acted);
    } finally {
      vulnerabilitiesChanged(queryClient, slug);
    }
  };
}

export function isConflict(error: unknown): boolean {
  return isApiError(error, 'STATUS_VERSION_CONFLICT');
}

/** For a conflict: returns the targets that have changed, with their present versions. */
export function changedSince(error: unknown, targets: Target[]): Target[] {
  const current = isApiError(error) && isConflict(error) ? error.details.current : null;
  if (typeof current !== 'object' || current === null) return [];
  const versions = new Map(Object.entries(current));
  return targets
    .filter(({ id }) => versions.has(id))
    .map((target) => ({ ...target, version: versions.get(target.id) }));
}
