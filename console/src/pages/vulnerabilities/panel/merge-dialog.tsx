/** Merges another vulnerability of the same repository into this one, where two were taken for what is one. */
import { Alert, Button, Group, Modal, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText, fieldError } from '../../../api/errors.ts';
import { merge } from '../../../api/triage.ts';
import {
  type VulnerabilityDetail,
  vulnerabilitiesChanged,
  vulnerabilitiesQuery,
} from '../../../api/vulnerabilities.ts';
import { useWorkspace } from '../../../api/workspaces.ts';
import { notifyDone } from '../../../parts/notify.tsx';
import { minWordLength } from '../search.ts';
import { MergeChoices } from './merge-choices.tsx';

interface MergeDialogProps {
  opened: boolean;
  onClose: () => void;
  into: VulnerabilityDetail;
  onShow: (id: string) => void;
}

export function MergeDialog(props: MergeDialogProps) {
  return (
    <Modal opened={props.opened} onClose={props.onClose} title="Merge another into this" size="lg">
      <MergeForm {...props} />
    </Modal>
  );
}

// Enough to see that a word more is needed.
const choicesShown = 20;
// A pause in typing, so that not every letter asks the server.
const pauseMs = 350;

function MergeForm({ onClose, into, onShow }: MergeDialogProps) {
  const { slug } = useWorkspace();
  const queryClient = useQueryClient();
  const [typed, setTyped] = useState('');
  const [words] = useDebouncedValue(typed.trim(), pauseMs);
  const [other, setOther] = useState<string | null>(null);
  const [reason, setReason] = useState('');
  const found = useQuery(
    vulnerabilitiesQuery(slug, {
      repo: into.repository.id,
      type: [into.type],
      q: words.length < minWordLength ? undefined : words,
      sort: 'newest',
      per_page: choicesShown + 1,
    }),
  );
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => merge(slug, into.id, other === null ? [] : [other], reason.trim()),
    onSuccess: ({ id }) => {
      onClose();
      notifyDone('Merged: its places, history and comments stand here now.');
      onShow(id);
      return vulnerabilitiesChanged(queryClient, slug);
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (other !== null) mutate();
      }}
    >
      <Stack gap="md">
        <Text size="sm">
          The other’s places, history and comments come here, and its id answers with this one from now on.
          Later reports follow this.
        </Text>
        {error && (
          <Alert color="red" role="alert">
            {fieldError(error, 'others') ?? errorText(error)}
          </Alert>
        )}
        <TextInput
          type="search"
          data-autofocus
          label={`Find in ${into.repository.full_name}`}
          placeholder="Words of the title"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <MergeChoices query={found} except={into.id} max={choicesShown} value={other} onChange={setOther} />
        <Textarea
          label="Reason"
          description="Stands in the history."
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
          <Button type="submit" loading={isPending} disabled={other === null || reason.trim() === ''}>
            Merge
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
