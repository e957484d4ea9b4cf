/** Whether packages are matched with the loaded advisories. The choice is stored at once. */
import { NativeSelect } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { errorText } from '../../api/errors.ts';
import { type AdvisoryMatching, setAdvisoryMatching, settingsKey } from '../../api/settings.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { notifyDone } from '../../components/notify.tsx';

const labels: Record<AdvisoryMatching, string> = {
  on: 'Match packages with the loaded advisories',
  off: 'Show only what reports say',
};

export function AdvisoryMatchingField({ value }: { value: string }) {
  const { slug } = useWorkspace();
  const queryClient = useQueryClient();
  const { mutate, error, isPending, variables } = useMutation({
    mutationFn: (matching: AdvisoryMatching) => setAdvisoryMatching(slug, matching),
    onSuccess: (settings) => {
      queryClient.setQueryData(settingsKey(slug), settings);
      notifyDone('Saved. It takes effect within a minute.');
    },
  });
  return (
    <NativeSelect
      label="Advisories"
      description="A new advisory opens vulnerabilities in packages that SBOMs and reports have listed, without a scan. Off closes what it has opened."
      value={isPending ? variables : value}
      disabled={isPending}
      onChange={(event) => mutate(event.currentTarget.value as AdvisoryMatching)}
      data={Object.entries(labels).map(([which, label]) => ({ value: which, label }))}
      error={error && errorText(error)}
    />
  );
}
