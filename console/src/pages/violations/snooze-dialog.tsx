/**
 * The dialogs that snooze violations and end a snooze. If the policy blocks, a member requests an exception with it.
 */
import { Alert, Modal, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { policiesQuery } from '../../api/policies.ts';
import {
  type DecidedViolation,
  type Decision,
  decideViolations,
  undoDecision,
  type Violation,
  violationsChanged,
} from '../../api/violations.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { DialogForm } from '../../components/dialog-form.tsx';
import { dayIn, EndDate, endOf } from '../../components/end-date.tsx';
import { notifyDone, notifyUndo } from '../../components/notify.tsx';
import { ReasonField } from '../../components/reason-field.tsx';
import { countOf } from '../../components/target-labels.ts';
import { useFormMutation } from '../../components/use-form-mutation.ts';

/** The facts about a violation that a decision needs. */
export type Subject = Pick<Violation, 'id' | 'enforcement_mode' | 'snooze_count'> & {
  policy: { id: string; enforcement_mode: string };
};

export interface SnoozeDialogProps {
  action: Decision['action'] | null;
  subjects: Subject[];
  onClose: () => void;
  onDone: () => void;
}

export function SnoozeDialog(props: SnoozeDialogProps) {
  const { action, subjects, onClose } = props;
  const what = subjects.length > 1 ? countOf(subjects.length, 'violation') : 'the violation';
  return (
    <Modal
      opened={action !== null}
      onClose={onClose}
      title={action === 'wake' ? `Wake ${what}` : `Snooze ${what}`}
    >
      {action && <DecisionForm {...props} action={action} />}
    </Modal>
  );
}

// These are the highest values; a policy may set lower ones.
const maxDays = 90;
const maxCount = 3;
const usualDays = 7;

function DecisionForm({
  action,
  subjects,
  onClose,
  onDone,
}: SnoozeDialogProps & { action: Decision['action'] }) {
  const { slug, may } = useWorkspace();
  const queryClient = useQueryClient();
  const limits = useLimits(slug, subjects);
  const [reason, setReason] = useState('');
  const [day, setDay] = useState(() => dayIn(Math.min(usualDays, limits.days)));
  const { form, error } = useFormMutation({
    mutationFn: () => {
      const until = action === 'snooze' ? { until: endOf(day, limits.days) } : {};
      const ids = subjects.map(({ id }) => id);
      return decideViolations(slug, { action, reason: reason.trim(), ...until }, ids);
    },
    onSuccess: async (decided) => {
      await violationsChanged(queryClient, slug);
      onClose();
      onDone();
      // An exception that was requested instead is withdrawn, not undone.
      const undoable = decided.filter(({ exception }) => exception === null).map(({ id }) => id);
      if (undoable.length === 0) notifyDone(doneMessage(action, decided));
      else {
        notifyUndo(doneMessage(action, decided), async () => {
          await undoDecision(slug, undoable);
          await violationsChanged(queryClient, slug);
        });
      }
    },
  });
  const needsApproval = action === 'snooze' && !may('admin') && subjects.some(requiresApproval);
  return (
    <DialogForm
      action={action === 'wake' ? 'Wake' : needsApproval ? 'Snooze or request' : 'Snooze'}
      {...form}
      onCancel={onClose}
      fields={action === 'snooze' ? ['until', 'reason'] : ['reason']}
    >
      {action === 'wake' ? (
        <Text size="sm">
          It blocks and warns again as its policy says. Its time to fix continued meanwhile.
        </Text>
      ) : (
        <Text size="sm">
          Until then it does not block a merge; it still warns, and its time to fix goes on. At most{' '}
          {countOf(limits.days, 'day')} ahead and {countOf(limits.count, 'time')} each.
        </Text>
      )}
      {needsApproval && (
        <Alert color="yellow" role="note">
          If a policy blocks, this requests an exception instead. Nothing changes until an administrator
          approves it.
        </Alert>
      )}
      {action === 'snooze' && (
        <EndDate label="Until the end of" value={day} onChange={setDay} maxDays={limits.days} error={error} />
      )}
      <ReasonField
        description="Recorded in the audit log."
        hasFocus
        value={reason}
        onChange={setReason}
        error={error}
      />
    </DialogForm>
  );
}

/**
 * True if the policy blocks, or would block without an exception or rule. A member's decision then needs another
 * person's approval.
 */
function requiresApproval({ enforcement_mode, policy }: Subject): boolean {
  return enforcement_mode === 'block' || policy.enforcement_mode === 'block';
}

function useLimits(slug: string, subjects: Subject[]): { days: number; count: number } {
  const { data } = useQuery(policiesQuery(slug));
  const chosen = new Set(subjects.map(({ policy }) => policy.id));
  const configs = (data?.items ?? [])
    .filter(({ id }) => chosen.has(id))
    .map(({ config }) => config?.snooze as { max_days?: number; max_count?: number } | undefined);
  return {
    days: Math.min(maxDays, ...configs.map((snooze) => snooze?.max_days ?? maxDays)),
    count: Math.min(maxCount, ...configs.map((snooze) => snooze?.max_count ?? maxCount)),
  };
}

function doneMessage(action: Decision['action'], decided: DecidedViolation[]): string {
  if (action === 'wake') return `${countOf(decided.length, 'violation')} woken.`;
  const requested = decided.filter(({ exception }) => exception !== null).length;
  const snoozed = decided.length - requested;
  const parts = [
    ...(snoozed > 0 ? [`${countOf(snoozed, 'violation')} snoozed.`] : []),
    ...(requested > 0 ? [`${countOf(requested, 'exception')} requested: an administrator decides.`] : []),
  ];
  return parts.join(' ');
}
