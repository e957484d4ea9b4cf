/** The violations behind a verdict: each with its policy, its fix, its due date, its owner, and a link to its page. */
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Gate, GateViolation } from '../../api/violations.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { SeverityBadge, StatusBadge, ToneBadge } from '../../components/badges.tsx';
import { DueText } from '../../components/due-text.tsx';
import { ReportText } from '../../components/report-text.tsx';
import { choicesFor, RequestException } from '../../components/request-exception.tsx';
import { TimeText } from '../../components/time-text.tsx';

interface VerdictViolationsProps {
  label: string;
  gate: Gate;
  violations: GateViolation[];
  /** Counts those too that the server does not send. */
  total: number;
  /** Maximum number of violations to list. A link leads to the others. */
  shown: number;
}

export function VerdictViolations({ label, gate, violations, total, shown }: VerdictViolationsProps) {
  const { slug } = useWorkspace();
  if (total === 0) return null;
  const listed = violations.slice(0, shown);
  return (
    <>
      <h3 className="verdict-title">
        {label} <span className="verdict-count">{total.toLocaleString()}</span>
      </h3>
      <ul className="verdict-violations" aria-label={label}>
        {listed.map((violation) => (
          <ViolationRow
            key={violation.id}
            violation={violation}
            gate={gate}
            mayAsk={violation.blocking && listed.length > 1}
          />
        ))}
      </ul>
      {total > listed.length && (
        <p className="verdict-note">
          And {(total - listed.length).toLocaleString()} more:{' '}
          <Link
            to="/w/$slug/violations"
            params={{ slug }}
            search={{ repo: gate.repository.full_name, blocking: label === 'Blocking' ? 'yes' : 'no' }}
          >
            all of the repository
          </Link>
        </p>
      )}
    </>
  );
}

interface ViolationRowProps {
  violation: GateViolation;
  gate: Gate;
  mayAsk: boolean;
}

function ViolationRow({ violation, gate: { repository, superseded }, mayAsk }: ViolationRowProps) {
  const { slug, may } = useWorkspace();
  const [isRequesting, setIsRequesting] = useState(false);
  const { id, title, severity, policy, status, snoozed_until: snoozed, owner } = violation;
  return (
    <li>
      <div className="verdict-violation">
        <div className="verdict-violation-title">
          {severity !== null && <SeverityBadge severity={severity} />}
          <Link to="/w/$slug/violations/$violation" params={{ slug, violation: id }} className="break">
            <ReportText>{title}</ReportText>
          </Link>
          {status === 'pending_review' && <StatusBadge status={status} label="Exception requested" />}
          {snoozed !== null && (
            <ToneBadge tone="plain">
              Snoozed until <TimeText value={snoozed} as="end" />
            </ToneBadge>
          )}
        </div>
        <p className="verdict-fix break">
          <Fix violation={violation} />
        </p>
        <p className="verdict-detail break">
          <Link to="/w/$slug/policies/$policy" params={{ slug, policy: policy.id }}>
            {policy.name}
          </Link>
          {' · '}
          <DueText dueAt={violation.due_at} />
          {' · '}
          {owner === null ? 'No owner' : <ReportText>{`Owner ${owner.display_name}`}</ReportText>}
        </p>
      </div>
      {mayAsk && may('member') && !superseded && status === 'open' && (
        <>
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`Request an exception: ${title}`}
            onClick={() => setIsRequesting(true)}
          >
            Request an exception
          </Button>
          <RequestException
            opened={isRequesting}
            onClose={() => setIsRequesting(false)}
            choices={choicesFor(violation, { id: repository.id, name: repository.full_name })}
          />
        </>
      )}
    </li>
  );
}

/** Returns `minimist 1.2.5 → 1.2.6, package-lock.json:12`, as far as it is known. */
function Fix({
  violation: { package: used, fix_version: fix, location, target },
}: {
  violation: GateViolation;
}) {
  const isVulnerability = !Array.isArray(target) && target.type === 'vulnerability';
  const path = location && `${location.path}${location.line === null ? '' : `:${location.line}`}`;
  return (
    <>
      {used !== null && (
        <>
          <ReportText>{[used.name, used.versions.join(', ')].join(' ').trim()}</ReportText>
          {fix !== null ? (
            <>
              {', fixed in '}
              <ReportText className="verdict-version">{fix}</ReportText>
            </>
          ) : (
            isVulnerability && ', no version fixes it'
          )}
        </>
      )}
      {used !== null && path !== null && ' · '}
      {path !== null && <ReportText className="mono">{path}</ReportText>}
    </>
  );
}
