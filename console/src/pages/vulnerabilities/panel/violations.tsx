/** The policy violations of the vulnerability, the active ones first. */
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Violation, violationsOfQuery } from '../../../api/vulnerabilities.ts';
import { useWorkspace } from '../../../api/workspaces.ts';
import { enumLabel, StatusBadge, ToneBadge } from '../../../components/badges.tsx';
import { DueText } from '../../../components/due-text.tsx';
import { Loaded } from '../../../components/loaded.tsx';
import { Note } from '../../../components/note.tsx';
import { ReportText } from '../../../components/report-text.tsx';
import { TimeText } from '../../../components/time-text.tsx';
import { PanelSection } from './panel-section.tsx';

export function Violations({ id }: { id: string }) {
  const { slug } = useWorkspace();
  const query = useQuery(violationsOfQuery(slug, id));
  return (
    <PanelSection title="Policy violations">
      <Loaded query={query} noun="its policy violations" lines={1}>
        {({ items }) =>
          items.length === 0 ? (
            <Note>It violates no policy.</Note>
          ) : (
            <ul className="vuln-violations">
              {items.map((violation) => (
                <li key={violation.id}>
                  <ViolationLine violation={violation} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </PanelSection>
  );
}

function ViolationLine({ violation }: { violation: Violation }) {
  const { slug } = useWorkspace();
  const {
    id,
    policy,
    status,
    enforcement_mode: mode,
    blocking,
    due_at: due,
    resolved_at: resolved,
  } = violation;
  const isUnresolved = status === 'open' || status === 'pending_review';
  return (
    <>
      <span className="vuln-violation-name break">
        <Link to="/w/$slug/violations" params={{ slug }} search={{ v: id, status: ['any'] }} preload={false}>
          <ReportText>{policy.name}</ReportText>
        </Link>
        <span className="vuln-violation-when">
          {isUnresolved && <DueText dueAt={due} />}
          {resolved !== null && (
            <>
              Resolved <TimeText value={resolved} />
            </>
          )}
          {violation.snoozed_until !== null && (
            <>
              {' · '}snoozed until <TimeText value={violation.snoozed_until} as="end" />
            </>
          )}
          {status === 'pending_review' && ' · an exception is requested and waits for approval'}
        </span>
      </span>
      <span className="vuln-violation-badges">
        {blocking ? (
          <ToneBadge tone="bad" icon={IconX}>
            Blocks
          </ToneBadge>
        ) : (
          <ToneBadge tone="plain">{mode === null ? 'Exempted' : enumLabel(mode)}</ToneBadge>
        )}
        <StatusBadge status={status} />
      </span>
    </>
  );
}
