/** The state of a violation: its due date, the mode in force, its severity. */
import type { ViolationDetail } from '../../api/violations.ts';
import { SeverityBadge } from '../../components/badges.tsx';
import { DueText } from '../../components/due-text.tsx';
import { countOf } from '../../components/target-labels.ts';
import { TimeText } from '../../components/time-text.tsx';
import { isUnresolved } from './columns.tsx';
import { modeLabel } from './use-facets.ts';

export function ViolationStatus({ detail }: { detail: ViolationDetail }) {
  const { violation } = detail;
  const { metadata } = violation;
  return (
    <dl className="facts">
      <div>
        <dt>Due</dt>
        <dd>
          {violation.status === 'resolved' ? (
            <>
              Resolved <TimeText value={violation.resolved_at} as="datetime" />
            </>
          ) : (
            <>
              <DueText dueAt={violation.due_at} isResolved={!isUnresolved(violation)} />, on{' '}
              <TimeText value={violation.due_at} as="date" />
            </>
          )}
        </dd>
      </div>
      {violation.snooze_count > 0 && (
        <div>
          <dt>Snoozed</dt>
          <dd>
            {violation.snoozed && (
              <>
                Until <TimeText value={violation.snoozed_until} as="datetime" />,{' '}
              </>
            )}
            {countOf(violation.snooze_count, 'time')} so far
          </dd>
        </div>
      )}
      <div>
        <dt>Mode</dt>
        <dd>{modeInForceLabel(detail)}</dd>
      </div>
      {metadata.severity && (
        <div>
          <dt>Severity</dt>
          <dd>
            <SeverityBadge severity={metadata.severity} />
            {scoreLabel(metadata)}
          </dd>
        </div>
      )}
      <div>
        <dt>Seen</dt>
        <dd>
          First <TimeText value={violation.first_seen_at} />, last <TimeText value={violation.last_seen_at} />
        </dd>
      </div>
    </dl>
  );
}

/** Returns the mode in force, and why it differs from the policy's own. */
function modeInForceLabel({ violation, override, rule }: ViolationDetail): string {
  const inForce = modeLabel(violation.enforcement_mode);
  if (override !== null) return `${inForce}, by an exception`;
  if (rule?.enforcement_mode != null) return `${inForce}, by the rule that applies here`;
  return inForce;
}

function scoreLabel(metadata: ViolationDetail['violation']['metadata']): string {
  const scores = [
    ...(metadata.cvss_score == null ? [] : [`CVSS ${metadata.cvss_score}`]),
    ...(metadata.epss_score == null ? [] : [`EPSS ${metadata.epss_score}`]),
  ];
  return scores.length === 0 ? '' : ` ${scores.join(', ')}`;
}
