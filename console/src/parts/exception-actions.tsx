/** What one may do about an exception: approve or refuse what others have asked for, withdraw one's own. */

import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText, fieldError, isApiError } from '../api/errors.ts';
import { type Exception, reviewException, withdrawException } from '../api/exceptions.ts';
import { sessionQuery } from '../api/session.ts';
import { violationsChanged } from '../api/violations.ts';
import { useWorkspace } from '../api/workspaces.ts';
import { DialogActions } from './dialog-actions.tsx';
import { ExceptionGives } from './exception-words.tsx';
import { Fact } from './fact.tsx';
import { notifyDone } from './notify.tsx';
import { ReasonField } from './reason-field.tsx';
import { visibleText } from './report-text.tsx';
import { targetTitle } from './target-words.ts';
import { TimeText } from './time-text.tsx';
import './section.css';

type Action = 'approve' | 'refuse' | 'withdraw';

const actionWords: Record<Action, { button: string; title: string; done: string }> = {
  approve: { button: 'Approve', title: 'Approve the exception', done: 'Approved.' },
  refuse: { button: 'Refuse', title: 'Refuse the exception', done: 'Refused.' },
  withdraw: { button: 'Withdraw', title: 'Withdraw the exception', done: 'Withdrawn.' },
};

/** Nothing for who may do nothing about it. */
export function ExceptionActions({ exception }: { exception: Exception }) {
  const { may } = useWorkspace();
  const { data: session } = useQuery(sessionQuery);
  const [action, setAction] = useState<Action | null>(null);
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
          <Text size="xs" c="dimmed">
            Your own request: {may('admin') ? 'another administrator' : 'an administrator'} has to approve it.
          </Text>
        )}
      </Group>
      <Modal
        opened={action !== null}
        onClose={() => setAction(null)}
        title={action && actionWords[action].title}
      >
        {action && <ActionForm action={action} exception={exception} onClose={() => setAction(null)} />}
      </Modal>
    </>
  );
}

interface ActionFormProps {
  action: Action;
  exception: Exception;
  onClose: () => void;
}

function ActionForm({ action, exception, onClose }: ActionFormProps) {
  const { slug } = useWorkspace();
  const queryClient = useQueryClient();
  const [reason, setReason] = useState('');
  const { mutate, error, isPending } = useMutation({
    mutationFn: () =>
      action === 'withdraw'
        ? withdrawException(slug, exception.id, reason.trim())
        : reviewException(slug, exception.id, action, reason.trim()),
    onSuccess: async () => {
      await violationsChanged(queryClient, slug);
      onClose();
      notifyDone(actionWords[action].done);
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        mutate();
      }}
    >
      <Stack gap="md">
        {error && (
          <Alert color="red" role="alert">
            {action === 'approve' && isApiError(error, 'TOKEN_ABILITY_DENIED')
              ? 'Somebody else has to approve what you, or a key of yours, have asked for.'
              : errorText(error)}
          </Alert>
        )}
        <Asked exception={exception} />
        <Text size="sm">
          <Effect action={action} exception={exception} />
        </Text>
        <ReasonField
          description={
            action === 'refuse'
              ? 'For whoever has asked. Stands in the audit log.'
              : 'Stands in the audit log.'
          }
          isOptional={action !== 'refuse'}
          hasFocus
          value={reason}
          onChange={setReason}
          refusal={fieldError(error, 'reason')}
        />
        <DialogActions
          onCancel={onClose}
          isPending={isPending}
          {...(action === 'refuse' ? { color: 'red' } : {})}
        >
          {actionWords[action].button}
        </DialogActions>
      </Stack>
    </form>
  );
}

/** Who asks, for what, until when and why: what one must know to decide. */
function Asked({ exception }: { exception: Exception }) {
  const { policy, repository, target, violation_id: violation, until, reason } = exception;
  return (
    <dl className="facts">
      <Fact name="Asked by">
        {exception.requested_by?.display_name ?? 'Somebody who is gone'},{' '}
        <TimeText value={exception.requested_at} />
      </Fact>
      <Fact name="For">
        {violation === null
          ? 'All that the policy finds in the repository'
          : target === null
            ? 'What is there no more'
            : targetTitle(target, repository.full_name)}
      </Fact>
      <Fact name="Policy">
        {policy.name} in {repository.full_name}
      </Fact>
      <Fact name="Gives">
        <ExceptionGives exception={exception} />
      </Fact>
      <Fact name="Until">{until === null ? 'No end' : <TimeText value={until} as="datetime" />}</Fact>
      <Fact name="Their reason">{visibleText(reason)}</Fact>
    </dl>
  );
}

function Effect({ action, exception }: { action: Action; exception: Exception }) {
  const { mode, enforcement_mode: lower, until, violation_id: violation, status } = exception;
  const what =
    violation === null ? 'All that the policy finds in the repository, later too,' : 'The violation';
  if (action === 'refuse') return <>{what} stands as before. Whoever has asked may ask again.</>;
  if (action === 'withdraw') {
    return status === 'approved' ? (
      <>{what} stands again, with its due date as it was.</>
    ) : (
      <>The request is taken back. What blocks goes on blocking.</>
    );
  }
  return (
    <>
      {what} {mode === 'exempt' ? 'is waived' : `is at most of mode ${lower ?? 'warn'}`}
      {until === null ? ' until somebody withdraws this.' : ' until '}
      {until !== null && (
        <>
          <TimeText value={until} as="datetime" />.
        </>
      )}{' '}
      Verdicts follow at once.
    </>
  );
}
