/** The names of tracked branches: those of the workspace, or of one repository. */
import { Button, Group, TagsInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldError } from '../api/errors.ts';
import { ErrorAlert } from './error-alert.tsx';
import { notifyDone } from './notify.tsx';

interface TrackedBranchesFormProps {
  names: string[];
  save: (names: string[]) => Promise<unknown>;
  /** Shown beside the button. */
  children?: React.ReactNode;
}

export function TrackedBranchesForm({ names, save, children }: TrackedBranchesFormProps) {
  const queryClient = useQueryClient();
  const [typed, setTyped] = useState(names);
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => save(typed),
    onSuccess: async () => {
      notifyDone('The tracked branches are saved. Numbers are updated within a minute.');
      // Status, numbers and verdicts depend on them.
      await queryClient.invalidateQueries();
    },
  });
  const refusal = fieldError(error, 'tracked_branches') ?? fieldError(error, 'own');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        mutate();
      }}
    >
      <ErrorAlert error={refusal ? null : error} mb="sm" />
      <TagsInput
        label="Tracked branches"
        description="Names, with * for any characters. Vulnerabilities that are open there count in the headlines. The default branch is always tracked."
        placeholder={typed.length === 0 ? 'release/*' : ''}
        maxTags={50}
        value={typed}
        onChange={setTyped}
        error={refusal}
        // Without suggestions, the list would open empty.
        comboboxProps={{ disabled: true }}
      />
      <Group gap="sm" mt="sm">
        <Button type="submit" variant="default" loading={isPending}>
          Save
        </Button>
        {children}
      </Group>
    </form>
  );
}
