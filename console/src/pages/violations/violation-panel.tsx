/** One violation in the side panel of the list. It has a page of its own too. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { violationQuery } from '../../api/violations.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { StatusBadge } from '../../components/badges.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { ReportText } from '../../components/report-text.tsx';
import { SidePanel } from '../../components/side-panel.tsx';
import { StateBadges, titleOf } from './columns.tsx';
import { ExceptionsOf } from './exceptions-of.tsx';
import { PolicyOf } from './policy-of.tsx';
import { TargetOf } from './target-of.tsx';
import { ViolationActions } from './violation-actions.tsx';
import { ViolationStatus } from './violation-status.tsx';

interface ViolationPanelProps {
  /** The violation that is open. */
  id: string | undefined;
  onClose: () => void;
}

export function ViolationPanel({ id, onClose }: ViolationPanelProps) {
  const { slug } = useWorkspace();
  const query = useQuery({ ...violationQuery(slug, id ?? ''), enabled: id !== undefined });
  const detail = id === undefined ? undefined : query.data;
  return (
    <SidePanel
      opened={id !== undefined}
      onClose={onClose}
      title={detail ? <ReportText>{titleOf(detail.violation)}</ReportText> : 'Violation'}
      toolbar={
        detail && (
          <>
            <StatusBadge status={detail.violation.status} />
            <StateBadges violation={detail.violation} />
            <ViolationActions detail={detail} />
          </>
        )
      }
    >
      {id !== undefined && (
        <Loaded query={query} noun="the violation">
          {(shown) => (
            <div className="violation-sections">
              <Link to="/w/$slug/violations/$violation" params={{ slug, violation: id }}>
                Open as a page
              </Link>
              <ViolationStatus detail={shown} />
              <ExceptionsOf violationId={shown.violation.id} />
              <PolicyOf detail={shown} />
              <TargetOf detail={shown} />
            </div>
          )}
        </Loaded>
      )}
    </SidePanel>
  );
}
