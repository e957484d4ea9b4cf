/** A setting of the workspace that is one of a few values. A choice is stored when it is saved. */
import { Button, Group, NativeSelect } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText } from '../../api/errors.ts';
import { type ChangedSettings, changeSettings, settingsKey } from '../../api/settings.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { choicesOf } from '../../components/choices.ts';
import { notifyDone } from '../../components/notify.tsx';

type Setting = 'new_repositories' | 'advisory_matching' | 'assign_owners';

interface SettingChoiceProps<Name extends Setting> {
  setting: Name;
  value: string;
  label: string;
  description: string;
  /** The text of each value. */
  choices: Record<NonNullable<ChangedSettings[Name]>, string>;
  /** The text of the notification. */
  done: string;
}

export function SettingChoice<Name extends Setting>(props: SettingChoiceProps<Name>) {
  const { setting, value, label, description, choices, done } = props;
  const { slug } = useWorkspace();
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState<string | null>(null);
  const chosen = draft ?? value;
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => changeSettings(slug, { [setting]: chosen }),
    onSuccess: (settings) => {
      queryClient.setQueryData(settingsKey(slug), settings);
      setDraft(null);
      notifyDone(done);
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        // A disabled button would lose the focus.
        if (!isPending) mutate();
      }}
    >
      <Group align="flex-end" gap="sm" wrap="nowrap">
        <NativeSelect
          flex={1}
          label={label}
          description={description}
          value={chosen}
          onChange={(event) => !isPending && setDraft(event.currentTarget.value)}
          data={choicesOf(choices)}
          error={error && errorText(error)}
        />
        <Button type="submit" variant={chosen === value ? 'default' : 'filled'} aria-label={`Save: ${label}`}>
          Save
        </Button>
      </Group>
    </form>
  );
}
