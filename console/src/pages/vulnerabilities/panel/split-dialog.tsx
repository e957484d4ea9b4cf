/** Makes places a vulnerability of their own, where the matching had taken two for one. */
import { Alert, Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText, fieldError } from '../../../api/errors.ts';
import { split } from '../../../api/triage.ts';
import { vulnerabilitiesChanged } from '../../../api/vulnerabilities.ts';
import { useWorkspace } from '../../../api/workspaces.ts';
import { notifyDone } from '../../../parts/notify.tsx';

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
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => split(slug, id, locations, reason.trim()),
    onSuccess: ({ id: made }) => {
      onClose();
      notifyDone('Split off. The panel shows the new vulnerability.');
      onShow(made);
      return vulnerabilitiesChanged(queryClient, slug);
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
        <Text size="sm">
          {locations.length === 1
            ? 'The place becomes a vulnerability of its own, with its like on other references.'
            : `The ${locations.length} places become a vulnerability of their own, with their like on other references.`}{' '}
          Later reports follow this. It begins without a decision and without an assignee.
        </Text>
        {error && (
          <Alert color="red" role="alert">
            {fieldError(error, 'locations') ?? errorText(error)}
          </Alert>
        )}
        <Textarea
          label="Reason"
          description="Stands in the history of both."
          data-autofocus
          autosize
          minRows={2}
          maxLength={2000}
          required
          withAsterisk={false}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isPending} disabled={reason.trim() === ''}>
            Split off
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
