/** A setting of the workspace that is one of a few values. A choice is stored at once. */
import { NativeSelect } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
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
  const { mutate, error, isPending, variables } = useMutation({
    mutationFn: (chosen: string) => changeSettings(slug, { [setting]: chosen }),
    onSuccess: (settings) => {
      queryClient.setQueryData(settingsKey(slug), settings);
      notifyDone(done);
    },
  });
  return (
    <NativeSelect
      label={label}
      description={description}
      value={isPending ? variables : value}
      disabled={isPending}
      onChange={(event) => mutate(event.currentTarget.value)}
      data={choicesOf(choices)}
      error={error && errorText(error)}
    />
  );
}
