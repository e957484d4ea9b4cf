/** The form that approves, refuses or withdraws an exception, with the facts that the decision needs. */
import { Alert, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { isApiError } from '../api/errors.ts';
import type { Exception } from '../api/exceptions.ts';
import { violationsChanged } from '../api/violations.ts';
import { useWorkspace } from '../api/workspaces.ts';
import { DialogForm } from './dialog-form.tsx';
import { ExceptionFacts } from './exception-facts.tsx';
import { notifyDone } from './notify.tsx';
import { ReasonField } from './reason-field.tsx';
import { TimeText } from './time-text.tsx';
import { useFormMutation } from './use-form-mutation.ts';

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
  const { form, error } = useFormMutation({
    mutationFn: () =>
      action === 'withdraw'
        ? api.withdrawException({
            path: { tenant_slug: slug, exception: exception.id },
            body: { reason: reason.trim() || undefined },
          })
        : api.reviewException({
            path: { tenant_slug: slug, exception: exception.id },
            body: { decision: action, reason: reason.trim() || undefined },
          }),
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
      {...form}
      error={isTheirOwn ? null : error}
      onCancel={onClose}
      fields={['reason']}
      color={action === 'refuse' ? 'red' : undefined}
    >
      <ExceptionFacts exception={exception} isApproving={action === 'approve'} />
      <Text size="sm">
        <Effect action={action} exception={exception} />
      </Text>
      <ReasonField
        description={
          action === 'refuse'
            ? 'Shown to the requester and recorded in the audit log.'
            : 'Recorded in the audit log.'
        }
        isOptional={action !== 'refuse'}
        hasFocus
        value={reason}
        onChange={setReason}
        error={error}
      />
      {isTheirOwn && (
        <Alert color="red" role="alert">
          Another administrator must approve a request by you or by one of your keys.
        </Alert>
      )}
    </DialogForm>
  );
}

function Effect({ action, exception }: { action: ExceptionAction; exception: Exception }) {
  const { mode, enforcement_mode: lower, until, violation_id: violation, status } = exception;
  const what =
    violation === null ? 'Every violation of the policy in the repository, now and later,' : 'The violation';
  if (action === 'refuse') return <>{what} is not changed. The requester may request it again.</>;
  if (action === 'withdraw') {
    return status === 'approved' ? (
      <>{what} is open again, with its old due date.</>
    ) : (
      <>The request is withdrawn. Violations still block.</>
    );
  }
  return (
    <>
      {what} {mode === 'exempt' ? 'is waived' : `is at most of mode ${lower ?? 'warn'}`}
      {until === null ? ' until somebody withdraws this.' : ' until '}
      {until !== null && (
        <>
          <TimeText value={until} as="end" />.
        </>
      )}{' '}
      Verdicts are updated at once.
    </>
  );
}
