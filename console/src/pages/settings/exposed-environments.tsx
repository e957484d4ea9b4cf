/** The environments that people outside the company can reach. Each change is stored at once. */
import { TagsInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { errorText, fieldError } from '../../api/errors.ts';
import { mergeChoices } from '../../api/merge-choices.ts';
import { changeSettings, settingsQuery } from '../../api/settings.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { notifyDone } from '../../components/notify.tsx';

export function ExposedEnvironments({ names }: { names: string[] }) {
  const { slug } = useWorkspace();
  const queryClient = useQueryClient();
  const { mutate, error, isPending, variables } = useMutation({
    // Quick changes wait for each other, since each starts from the stored names.
    scope: { id: 'exposed-environments' },
    mutationFn: async ({ before, after }: { before: string[]; after: string[] }) => {
      // The stored names are read again, so that changes by other people are kept.
      const { workspace } = await queryClient.fetchQuery({ ...settingsQuery(slug), staleTime: 0 });
      const merged = mergeChoices(workspace.exposed_environments, before, after);
      return changeSettings(slug, { exposed_environments: merged });
    },
    onSuccess: async () => {
      notifyDone('The exposed environments are saved. Policies are evaluated in the next minutes.');
      await queryClient.invalidateQueries();
    },
  });
  const shown = isPending ? variables.after : names;
  return (
    <TagsInput
      label="Exposed environments"
      description="Names as reports give them. What is deployed there counts as exposed, as in a repository that is exposed."
      placeholder={shown.length === 0 ? 'production' : ''}
      maxTags={50}
      value={shown}
      onChange={(after) => mutate({ before: shown, after })}
      error={error && (fieldError(error, 'exposed_environments') ?? errorText(error))}
      // Without suggestions, the list would open empty.
      comboboxProps={{ disabled: true }}
    />
  );
}
