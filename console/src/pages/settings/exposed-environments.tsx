/** The environments that people outside the company can reach. Each change is stored at once. */
import { TagsInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { errorText, fieldError } from '../../api/errors.ts';
import { changeSettings } from '../../api/settings.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { notifyDone } from '../../components/notify.tsx';

export function ExposedEnvironments({ names }: { names: string[] }) {
  const { slug } = useWorkspace();
  const queryClient = useQueryClient();
  const { mutate, error, isPending, variables } = useMutation({
    mutationFn: (changed: string[]) => changeSettings(slug, { exposed_environments: changed }),
    onSuccess: async () => {
      notifyDone('The exposed environments are saved. Policies are evaluated in the next minutes.');
      await queryClient.invalidateQueries();
    },
  });
  const shown = isPending ? variables : names;
  return (
    <TagsInput
      label="Exposed environments"
      description="Names as reports give them. What is deployed there counts as exposed, as in a repository that is exposed."
      placeholder={shown.length === 0 ? 'production' : ''}
      maxTags={50}
      value={shown}
      onChange={mutate}
      error={error && (fieldError(error, 'exposed_environments') ?? errorText(error))}
      // Without suggestions, the list would open empty.
      comboboxProps={{ disabled: true }}
    />
  );
}
