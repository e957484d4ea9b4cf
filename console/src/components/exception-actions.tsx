/** The buttons for an exception: approve or refuse another person's request, or withdraw one of your own. */
import { Button, Group, Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Exception } from '../api/exceptions.ts';
import { sessionQuery } from '../api/session.ts';
import { useWorkspace } from '../api/workspaces.ts';
import { actionLabels, type ExceptionAction, ExceptionForm } from './exception-form.tsx';
import { SmallNote } from './note.tsx';

/** Shows nothing to a person who may not act on it. */
export function ExceptionActions({ exception }: { exception: Exception }) {
  const { may } = useWorkspace();
  const { data: session } = useQuery(sessionQuery);
  const [action, setAction] = useState<ExceptionAction | null>(null);
  const isOwn = session?.signed_in === true && exception.requested_by?.id === session.user.id;
  const isWaiting = exception.status === 'requested';
  const mayReview = may('admin') && isWaiting && !isOwn;
  const mayWithdraw =
    (isOwn && isWaiting && may('member')) || (may('admin') && exception.status === 'approved');
  if (!mayReview && !mayWithdraw) return null;
  return (
    <>
      <Group gap={6}>
        {mayReview && (
          <>
            <Button size="compact-sm" onClick={() => setAction('approve')}>
              Approve
            </Button>
            <Button size="compact-sm" variant="default" onClick={() => setAction('refuse')}>
              Refuse
            </Button>
          </>
        )}
        {mayWithdraw && (
          <Button size="compact-sm" variant="default" onClick={() => setAction('withdraw')}>
            Withdraw
          </Button>
        )}
        {isOwn && isWaiting && (
          <SmallNote>
            Your own request: {may('admin') ? 'another administrator' : 'an administrator'} has to approve it.
          </SmallNote>
        )}
      </Group>
      <Modal
        opened={action !== null}
        onClose={() => setAction(null)}
        title={action && actionLabels[action].title}
      >
        {action && <ExceptionForm action={action} exception={exception} onClose={() => setAction(null)} />}
      </Modal>
    </>
  );
}
