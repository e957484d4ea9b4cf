/** The form that approves, refuses or withdraws an exception, with the facts that the decision needs. */
import { Alert, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldError, isApiError } from '../api/errors.ts';
import { type Exception, reviewException, withdrawException } from '../api/exceptions.ts';
import { violationsChanged } from '../api/violations.ts';
import { useWorkspace } from '../api/workspaces.ts';
import { DialogForm } from './dialog-form.tsx';
import { ExceptionFacts } from './exception-facts.tsx';
import { notifyDone } from './notify.tsx';
import { ReasonField } from './reason-field.tsx';
import { TimeText } from './time-text.tsx';

export type ExceptionAction = 'approve' | 'refuse' | 'withdraw';

export const actionLabels: Record<ExceptionAction, { button: string; title: string; done: string }> = {
  approve: { button: 'Approve', title: 'Approve the exception', done: 'Approved.' },
  refuse: { button: 'Refuse', title: 'Refuse the exception', done: 'Refused.' },
  withdraw: { button: 'Withdraw', title: 'Withdraw the exception', done: 'Withdrawn.' },
};

interface ExceptionFormProps {
  action: ExceptionAction;
  exception: Exception;
  onClose: () => void;
}

export function ExceptionForm({ action, exception, onClose }: ExceptionFormProps) {
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
      notifyDone(actionLabels[action].done);
    },
  });
  const isTheirOwn = action === 'approve' && isApiError(error, 'TOKEN_ABILITY_DENIED');
  return (
    <DialogForm
      action={actionLabels[action].button}
      onSubmit={() => mutate()}
      onCancel={onClose}
      isPending={isPending}
      error={isTheirOwn ? null : error}
      fields={['reason']}
      color={action === 'refuse' ? 'red' : undefined}
    >
      <ExceptionFacts exception={exception} isApproving={action === 'approve'} />
      <Text size="sm">
        <Effect action={action} exception={exception} />
      </Text>
      <ReasonField
        description={
          action === 'refuse' ? 'For whoever has asked. Stands in the audit log.' : 'Stands in the audit log.'
        }
        isOptional={action !== 'refuse'}
        hasFocus
        value={reason}
        onChange={setReason}
        refusal={fieldError(error, 'reason')}
      />
      {isTheirOwn && (
        <Alert color="red" role="alert">
          Somebody else has to approve what you, or a key of yours, have asked for.
        </Alert>
      )}
    </DialogForm>
  );
}

function Effect({ action, exception }: { action: ExceptionAction; exception: Exception }) {
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
