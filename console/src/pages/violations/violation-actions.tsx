/** The buttons to snooze it, wake it and request an exception. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ViolationDetail } from '../../api/violations.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { choicesFor, RequestException } from '../../components/request-exception.tsx';
import { isUnresolved } from './columns.tsx';
import { SnoozeDialog } from './snooze-dialog.tsx';
import { useRepositoryName } from './use-repository-name.ts';

/** Shows no button to a person who may not act on the violation. */
export function ViolationActions({ detail: { violation, scope, override } }: { detail: ViolationDetail }) {
  const { may } = useWorkspace();
  const [deciding, setDeciding] = useState<'snooze' | 'wake' | null>(null);
  const [isRequesting, setIsRequesting] = useState(false);
  const repository = useRepositoryName(scope);
  if (!may('member') || !isUnresolved(violation)) return null;
  return (
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
        <Button size="compact-sm" variant="default" onClick={() => setIsRequesting(true)}>
          Request an exception
        </Button>
      )}
      <SnoozeDialog
        action={deciding}
        subjects={[violation]}
        onClose={() => setDeciding(null)}
        onDone={() => setDeciding(null)}
      />
      <RequestException
        opened={isRequesting}
        onClose={() => setIsRequesting(false)}
        choices={choicesFor(violation, { id: scope.id, name: repository })}
      />
    </>
  );
}
