/** The events of a history in words: one text for each kind that the API names. */
import { dateTime } from '../../../components/date-time.ts';
import { shortRef } from '../../../reference-name.ts';
import { resolutionLabel } from '../labels.ts';

interface EventData {
  event: string;
  data: Record<string, unknown>;
}

const bySomethingElse: Record<string, string> = {
  vex: ', as a VEX document says',
  suppression: ', as an ignore file says',
};

/** `nameOf` maps the id of a user to a name. */
export function eventLabel({ event, data }: EventData, nameOf: (userId: string) => string): string {
  switch (event) {
    case 'opened':
      return 'Reported for the first time';
    case 'seen_on_reference':
      return `Seen on ${shortRef(textOf(data.ref))}`;
    case 'moved':
      return `Moved to ${textOf(data.path)}`;
    case 'fixed':
      return 'Fixed: no tool finds it any more';
    case 'reopened':
      return 'Found again';
    case 'accepted':
      return `Risk accepted${untilLabel(data.until)}${byLabel(data.by)}`;
    case 'ignored':
      return `Ignored${resolutionSuffix(data.resolution)}${byLabel(data.by)}`;
    case 'rejected':
      return `Rejected${resolutionSuffix(data.resolution)}${byLabel(data.by)}`;
    case 'confirmed':
      return 'Confirmed';
    case 'decision_removed':
      return `Decision removed${byLabel(data.by)}`;
    case 'acceptance_ended':
      return 'The acceptance has reached its end';
    case 'assigned':
      return `Assigned to ${nameOf(textOf(data.assignee))}`;
    case 'unassigned':
      return 'Unassigned';
    case 'severity_changed':
      return `Severity ${textOf(data.from)} → ${textOf(data.to)}`;
    case 'merged':
      return `Merged: ${textOf(data.merged)} is this one now`;
    case 'split':
      return data.into === undefined ? 'Split off from' : 'Split: locations became';
    case 'undone':
      return `Undone: ${undoneLabels[textOf(data.undone)] ?? 'what was done before'}`;
    default:
      return event;
  }
}

const undoneLabels: Record<string, string> = {
  accepted: 'the acceptance',
  ignored: 'the decision to ignore it',
  rejected: 'the rejection',
  confirmed: 'the confirmation',
  decision_removed: 'the removal of the decision',
  assigned: 'the assignment',
  unassigned: 'the removal of the assignment',
};

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function untilLabel(until: unknown): string {
  return typeof until === 'string' ? ` until ${dateTime(new Date(until), 'end')}` : '';
}

function resolutionSuffix(resolution: unknown): string {
  return typeof resolution === 'string' ? `: ${resolutionLabel(resolution).toLowerCase()}` : '';
}

function byLabel(by: unknown): string {
  return bySomethingElse[textOf(by)] ?? '';
}
