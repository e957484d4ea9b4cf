/** The setting that says which repositories a report may create. A choice is saved at once. */
import { NativeSelect } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { errorText } from '../../api/errors.ts';
import { type NewRepositories, setNewRepositories, settingsKey } from '../../api/settings.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { notifyDone } from '../../components/notify.tsx';

const labels: Record<NewRepositories, string> = {
  any: 'A report may create any repository',
  known_organizations: 'A report may create repositories of known organizations',
  never: 'A report cannot create a repository',
};

export function NewRepositoriesField({ value }: { value: string }) {
  const { slug } = useWorkspace();
  const queryClient = useQueryClient();
  const { mutate, error, isPending, variables } = useMutation({
    mutationFn: (which: NewRepositories) => setNewRepositories(slug, which),
    onSuccess: (settings) => {
      queryClient.setQueryData(settingsKey(slug), settings);
      notifyDone('Saved.');
    },
  });
  return (
    <NativeSelect
      label="New repositories"
      description="What happens with a report about an unknown repository."
      value={isPending ? variables : value}
      disabled={isPending}
      onChange={(event) => mutate(event.currentTarget.value as NewRepositories)}
      data={Object.entries(labels).map(([which, label]) => ({ value: which, label }))}
      error={error && errorText(error)}
    />
  );
}
