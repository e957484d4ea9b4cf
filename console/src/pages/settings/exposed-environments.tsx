/** The environments that people outside the company can reach, because policies may allow less time there. */
import { Button, TagsInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText, fieldError } from '../../api/errors.ts';
import { setExposedEnvironments } from '../../api/settings.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { notifyDone } from '../../components/notify.tsx';

export function ExposedEnvironments({ names }: { names: string[] }) {
  const { slug } = useWorkspace();
  const queryClient = useQueryClient();
  const [typed, setTyped] = useState(names);
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => setExposedEnvironments(slug, typed),
    onSuccess: async () => {
      notifyDone('The exposed environments are saved. Policies are evaluated within a minute.');
      await queryClient.invalidateQueries();
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        mutate();
      }}
    >
      <TagsInput
        label="Exposed environments"
        description="Names as reports give them. What is deployed there counts as exposed, as in a repository that is exposed."
        placeholder={typed.length === 0 ? 'production' : ''}
        maxTags={50}
        value={typed}
        onChange={setTyped}
        error={error && (fieldError(error, 'exposed_environments') ?? errorText(error))}
        // Without suggestions, the list would open empty.
        comboboxProps={{ disabled: true }}
      />
      <Button type="submit" variant="default" mt="sm" loading={isPending}>
        Save
      </Button>
    </form>
  );
}
