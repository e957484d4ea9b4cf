/**
 * The button that marks a tracked branch as deleted, for admins. Vulnerabilities that are open there alone count as
 * fixed then.
 */
import { Button, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { endReference, type Reference } from '../../api/inventory.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { notifyDone, notifyError } from '../../components/notify.tsx';

export function EndReference({ reference }: { reference: Reference }) {
  const { slug, may } = useWorkspace();
  const queryClient = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: () => endReference(slug, reference.id),
    onSuccess: async () => {
      notifyDone(`${reference.ref} is marked as deleted.`);
      await queryClient.invalidateQueries();
    },
    onError: notifyError,
  });
  if (!may('admin') || reference.is_default || !reference.tracked || !reference.active) return null;
  const openConfirmation = () =>
    modals.openConfirmModal({
      title: 'The branch was deleted',
      children: (
        <Text size="sm" className="break">
          Vulnerabilities that are open on {reference.ref} alone count as fixed from now on. A later scan of
          the branch opens them again.
        </Text>
      ),
      labels: { confirm: 'Mark as deleted', cancel: 'Cancel' },
      onConfirm: () => mutate(),
    });
  return (
    <Button
      size="compact-xs"
      variant="subtle"
      loading={isPending}
      aria-label={`Mark ${reference.ref} as deleted`}
      onClick={openConfirmation}
    >
      Mark deleted
    </Button>
  );
}
