/** Merges another vulnerability of the same repository into this one, when both are the same problem. */
import { Modal, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { merge } from '../../../api/triage.ts';
import {
  type VulnerabilityDetail,
  vulnerabilitiesChanged,
  vulnerabilitiesQuery,
} from '../../../api/vulnerabilities.ts';
import { useWorkspace } from '../../../api/workspaces.ts';
import { DialogForm } from '../../../components/dialog-form.tsx';
import { notifyDone } from '../../../components/notify.tsx';
import { ReasonField } from '../../../components/reason-field.tsx';
import { useFormMutation } from '../../../components/use-form-mutation.ts';
import { searchableTerms, termsOf } from '../../../search-terms.ts';
import { chooseOne, MergeChoices } from './merge-choices.tsx';

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

// A list of this length shows that the search needs another word.
const choicesShown = 20;
// The search waits for a pause in typing, so that not every letter sends a request.
const pauseMs = 350;

function MergeForm({ onClose, into, onShow }: MergeDialogProps) {
  const { slug } = useWorkspace();
  const queryClient = useQueryClient();
  const [typed, setTyped] = useState('');
  const [searchText] = useDebouncedValue(typed.trim(), pauseMs);
  const [chosen, setChosen] = useState<string | null>(null);
  const [isMissing, setMissing] = useState(false);
  const [reason, setReason] = useState('');
  const found = useQuery(
    vulnerabilitiesQuery(slug, {
      repo: into.repository.id,
      type: [into.type],
      q: termsOf(searchText).length === 0 ? undefined : searchableTerms(searchText),
      sort: 'newest',
      per_page: choicesShown + 1,
    }),
  );
  const choices = (found.data?.items ?? []).filter(({ id }) => id !== into.id).slice(0, choicesShown);
  // A choice that another search hides is not merged.
  const other = choices.some(({ id }) => id === chosen) ? chosen : null;
  const { form, error } = useFormMutation({
    mutationFn: () => merge(slug, into.id, other === null ? [] : [other], reason.trim()),
    onSuccess: ({ id }) => {
      onClose();
      notifyDone('Merged: its locations, history and comments are here now.');
      onShow(id);
      return vulnerabilitiesChanged(queryClient, slug);
    },
  });
  return (
    <DialogForm
      action="Merge"
      {...form}
      onSubmit={() => (other === null ? setMissing(true) : form.onSubmit())}
      onCancel={onClose}
      fields={['reason']}
    >
      <Text size="sm">
        This vulnerability gets the locations, history and comments of the other one, and the other id leads
        here from now on. Later reports keep this.
      </Text>
      <TextInput
        type="search"
        data-autofocus
        label={`Find in ${into.repository.full_name}`}
        placeholder="Title, package or CVE"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <MergeChoices query={found} choices={choices} value={other} onChange={setChosen} />
      {isMissing && other === null && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert">
          {chooseOne}
        </Text>
      )}
      <ReasonField description="Shown in the history." value={reason} onChange={setReason} error={error} />
    </DialogForm>
  );
}
