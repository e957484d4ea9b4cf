/** The state of a violation: its due date, the mode in force, its severity. */
import type { ViolationDetail } from '../../api/violations.ts';
import { SeverityBadge } from '../../components/badges.tsx';
import { DueText } from '../../components/due-text.tsx';
import { Fact } from '../../components/fact.tsx';
import { countOf } from '../../components/target-labels.ts';
import { TimeText } from '../../components/time-text.tsx';
import { isUnresolved } from './columns.tsx';
import { modeLabel } from './use-facets.ts';

export function ViolationStatus({ detail }: { detail: ViolationDetail }) {
  const { violation } = detail;
  const { metadata } = violation;
  return (
    <dl className="facts">
      <Fact name="Due">
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
      </Fact>
      {violation.snooze_count > 0 && (
        <Fact name="Snoozed">
          {violation.snoozed && (
            <>
              Until <TimeText value={violation.snoozed_until} as="end" />,{' '}
            </>
          )}
          {countOf(violation.snooze_count, 'time')} so far
        </Fact>
      )}
      <Fact name="Mode">{modeInForceLabel(detail)}</Fact>
      {metadata.severity && (
        <Fact name="Severity">
          <SeverityBadge severity={metadata.severity} />
          {scoreLabel(metadata)}
        </Fact>
      )}
      <Fact name="Seen">
        First <TimeText value={violation.first_seen_at} />, last <TimeText value={violation.last_seen_at} />
      </Fact>
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
