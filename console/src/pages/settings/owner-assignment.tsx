/** Whether new vulnerabilities are assigned to code owners. The choice is stored at once. */
import { NativeSelect } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { errorText } from '../../api/errors.ts';
import { type OwnerAssignment, setOwnerAssignment, settingsKey } from '../../api/settings.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { notifyDone } from '../../components/notify.tsx';

const labels: Record<OwnerAssignment, string> = {
  off: 'Leave new vulnerabilities unassigned',
  on: 'Assign new vulnerabilities to the code owner',
};

export function OwnerAssignmentField({ value }: { value: string }) {
  const { slug } = useWorkspace();
  const queryClient = useQueryClient();
  const { mutate, error, isPending, variables } = useMutation({
    mutationFn: (assigning: OwnerAssignment) => setOwnerAssignment(slug, assigning),
    onSuccess: (settings) => {
      queryClient.setQueryData(settingsKey(slug), settings);
      notifyDone('Saved. It holds for what the next reports open.');
    },
  });
  return (
    <NativeSelect
      label="Code owners"
      description="If the CODEOWNERS file of a repository names the e-mail address of a member for a file, what is new there is assigned to that member. Teams own code without it."
      value={isPending ? variables : value}
      disabled={isPending}
      onChange={(event) => mutate(event.currentTarget.value as OwnerAssignment)}
      data={Object.entries(labels).map(([which, label]) => ({ value: which, label }))}
      error={error && errorText(error)}
    />
  );
}
