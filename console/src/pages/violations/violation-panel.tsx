/**
 * One violation in the side panel: its state, its policy, its target, its locations, and who has asked for an
 * exception.
 */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type ViolationDetail, violationQuery } from '../../api/violations.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { AskException } from '../../components/ask-exception.tsx';
import { StatusBadge } from '../../components/badges.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { SidePanel } from '../../components/side-panel.tsx';
import { isUnresolved, StateBadges, titleOf } from './columns.tsx';
import { ExceptionsOf } from './exceptions-of.tsx';
import { PolicyOf } from './policy-of.tsx';
import { SnoozeDialog } from './snooze-dialog.tsx';
import { TargetOf } from './target-of.tsx';
import { useRepositoryName } from './use-repository-name.ts';
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
      title={detail ? titleOf(detail.violation) : 'Violation'}
      toolbar={detail && <Toolbar detail={detail} />}
    >
      {id !== undefined && (
        <Loaded query={query} what="the violation">
          {(shown) => (
            <div className="violation-sections">
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

function Toolbar({ detail: { violation, scope, override } }: { detail: ViolationDetail }) {
  const { may } = useWorkspace();
  const [deciding, setDeciding] = useState<'snooze' | 'wake' | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  const repository = useRepositoryName(scope);
  const mayDecide = may('member') && isUnresolved(violation);
  return (
    <>
      <StatusBadge status={violation.status} />
      <StateBadges violation={violation} />
      {mayDecide && (
        <>
          {violation.snoozed ? (
            <Button size="compact-sm" variant="default" onClick={() => setDeciding('wake')}>
              Wake
            </Button>
          ) : (
            <Button size="compact-sm" variant="default" onClick={() => setDeciding('snooze')}>
              Snooze
            </Button>
          )}
          {/* The server accepts no second exception beside an approved one. */}
          {override === null && (
            <Button size="compact-sm" variant="default" onClick={() => setIsAsking(true)}>
              Ask for an exception
            </Button>
          )}
        </>
      )}
      <SnoozeDialog
        action={deciding}
        subjects={[violation]}
        onClose={() => setDeciding(null)}
        onDone={() => setDeciding(null)}
      />
      <AskException
        opened={isAsking}
        onClose={() => setIsAsking(false)}
        choices={[
          { label: 'This violation', about: { violations: [violation.id] } },
          {
            label: `All that “${violation.policy.name}” finds in ${repository}, later too`,
            about: { policy: violation.policy.id, repo: scope.id },
          },
        ]}
      />
    </>
  );
}
