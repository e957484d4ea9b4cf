/** Turns locations into a vulnerability of their own, if the matching has joined two problems. */
import { Modal, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { split } from '../../../api/triage.ts';
import { vulnerabilitiesChanged } from '../../../api/vulnerabilities.ts';
import { useWorkspace } from '../../../api/workspaces.ts';
import { DialogForm } from '../../../components/dialog-form.tsx';
import { notifyDone } from '../../../components/notify.tsx';
import { ReasonField } from '../../../components/reason-field.tsx';
import { useFormMutation } from '../../../components/use-form-mutation.ts';

interface SplitDialogProps {
  opened: boolean;
  onClose: () => void;
  id: string;
  locations: string[];
  onShow: (id: string) => void;
}

export function SplitDialog(props: SplitDialogProps) {
  return (
    <Modal opened={props.opened} onClose={props.onClose} title="Split off">
      <SplitForm {...props} />
    </Modal>
  );
}

function SplitForm({ onClose, id, locations, onShow }: SplitDialogProps) {
  const { slug } = useWorkspace();
  const queryClient = useQueryClient();
  const [reason, setReason] = useState('');
  const { form, error } = useFormMutation({
    mutationFn: () => split(slug, id, locations, reason.trim()),
    onSuccess: ({ id: made }) => {
      onClose();
      notifyDone('Split off. The panel shows the new vulnerability.');
      onShow(made);
      return vulnerabilitiesChanged(queryClient, slug);
    },
  });
  return (
    <DialogForm action="Split off" {...form} onCancel={onClose} fields={['reason']}>
      <Text size="sm">
        {locations.length === 1
          ? 'The location becomes a separate vulnerability, together with the same location on other references.'
          : `The ${locations.length} locations become a separate vulnerability, together with the same locations on other references.`}{' '}
        Later reports keep this. It begins without a decision and without an assignee.
      </Text>
      <ReasonField
        description="Shown in the history of both."
        hasFocus
        value={reason}
        onChange={setReason}
        error={error}
      />
    </DialogForm>
  );
}
