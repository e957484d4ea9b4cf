/** The types of events for people, by what they are about. */
import type { EventType } from '../../../api/webhooks.ts';
import { choicesOf } from '../../../components/choices.ts';

const labels: Record<EventType, string> = {
  'vulnerability.opened': 'Vulnerability opened',
  'vulnerability.fixed': 'Vulnerability fixed',
  'vulnerability.reopened': 'Vulnerability reopened',
  'vulnerability.status_changed': 'Vulnerability changed status',
  'vulnerability.assigned': 'Vulnerability assigned',
  'violation.opened': 'Violation opened',
  'violation.due_soon': 'Violation due within three days',
  'violation.overdue': 'Violation overdue',
  'violation.resolved': 'Violation resolved',
  'violation.snoozed': 'Violation snoozed',
  'exception.requested': 'Exception requested',
  'exception.approved': 'Exception approved',
  'exception.refused': 'Exception refused',
  'exception.expiring': 'Exception expires soon',
  'scan.completed': 'Scan completed',
  'scan.failed': 'Scan failed',
  'scan.closing_held': 'Closure held for review',
  'key.created': 'Key created',
  'key.expiring': 'Key expires soon',
  'key.expired': 'Key expired',
  'key.revoked': 'Key revoked',
  'advisory.matched': 'Advisory matched',
};

/** A newer server may have other types, which are shown as they are. */
export function eventLabel(type: string): string {
  return (labels as Record<string, string>)[type] ?? type;
}

export const eventChoices = choicesOf(labels);
