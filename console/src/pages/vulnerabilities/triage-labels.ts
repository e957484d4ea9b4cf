/** Triage in words: the name of each decision, its meaning, and its result. */
import type { Assigned, Decided, Resolution, TriageAction } from '../../api/triage.ts';
import { vulnerabilityCount } from './labels.ts';

interface ActionLabels {
  /** The text on the button. */
  label: string;
  /** Explains the decision to the person who chooses. */
  meaning: string;
  /** The result: `3 vulnerabilities accepted`. */
  done: string;
  needsReason: boolean;
  /** The API's resolutions of this decision, the usual one first. It is empty if there is no choice. */
  resolutions: Resolution[];
}

export const actionLabels: Record<TriageAction, ActionLabels> = {
  accept: {
    label: 'Accept risk',
    meaning: 'It is real, and the risk is accepted: until a date, or permanently.',
    done: 'accepted',
    needsReason: true,
    resolutions: [],
  },
  ignore: {
    label: 'Ignore',
    meaning: 'It is real, and will not be fixed.',
    done: 'ignored',
    needsReason: true,
    resolutions: ['wont_fix', 'test_code'],
  },
  reject: {
    label: 'Reject',
    meaning: 'It is not a problem here.',
    done: 'rejected',
    needsReason: true,
    resolutions: ['false_positive', 'not_affected'],
  },
  confirm: {
    label: 'Confirm',
    meaning: 'Somebody has checked it: it is real.',
    done: 'confirmed',
    needsReason: false,
    resolutions: [],
  },
  reopen: {
    label: 'Reopen',
    meaning: 'Remove the decision. It is open again where it is still found.',
    done: 'opened again',
    needsReason: false,
    resolutions: [],
  },
};

export const triageActions = Object.keys(actionLabels) as TriageAction[];

/** Describes the result of a decision. Policies may have turned some decisions into requests. */
export function decidedText(action: TriageAction, decided: Decided[]): string {
  const changed = decided.filter((one) => one.changed).length;
  const requested = decided.filter((one) => one.exceptions.length > 0).length;
  const unchanged = decided.length - changed - requested;
  const { done } = actionLabels[action];
  return [
    changed > 0 && `${vulnerabilityCount(changed)} ${done}.`,
    requested > 0 && requestedText(requested, decided.length),
    unchanged > 0 && (changed + requested > 0 ? `${unchanged} did not change.` : 'Nothing has changed.'),
  ]
    .filter(Boolean)
    .join(' ');
}

function requestedText(requested: number, all: number): string {
  const where =
    requested === all ? 'A policy blocks here' : `For ${requested.toLocaleString()} of them a policy blocks`;
  return `${where}: an exception is requested instead and waits for another administrator’s approval.`;
}

export function assignedText(assigned: Assigned[]): string {
  const changed = assigned.filter((one) => one.changed);
  if (changed.length === 0) return 'Nothing has changed.';
  const to = changed[0]?.assignee;
  return `${vulnerabilityCount(changed.length)} ${to ? `assigned to ${to.display_name}` : 'unassigned'}.`;
}
