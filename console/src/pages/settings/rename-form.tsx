/** The workspace's name. */
import { Button, Group } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldError } from '../../api/errors.ts';
import { changeSettings, settingsKey } from '../../api/settings.ts';
import { useWorkspace, workspacesKey } from '../../api/workspaces.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { notifyDone } from '../../components/notify.tsx';
import { RequiredText } from '../../components/required-text.tsx';

export function RenameForm({ name }: { name: string }) {
  const { slug } = useWorkspace();
  const queryClient = useQueryClient();
  const [typed, setTyped] = useState(name);
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => changeSettings(slug, { name: typed.trim() }),
    onSuccess: async (settings) => {
      notifyDone(`The workspace is now called ${settings.workspace.name}.`);
      queryClient.setQueryData(settingsKey(slug), settings);
      await queryClient.invalidateQueries({ queryKey: workspacesKey });
    },
  });
  const [isSame, setSame] = useState(false);
  const nameError = fieldError(error, 'name');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setSame(typed.trim() === name);
        if (typed.trim() !== name) mutate();
      }}
    >
      <ErrorAlert error={nameError ? null : error} mb="sm" />
      <Group align="flex-start" gap="sm" wrap="nowrap">
        <RequiredText
          flex={1}
          label="Name"
          message="Enter a name."
          maxLength={255}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          refusal={isSame && typed.trim() === name ? 'The workspace already has this name.' : nameError}
        />
        <Button type="submit" variant="default" mt={21} loading={isPending}>
          Rename
        </Button>
      </Group>
    </form>
  );
}
