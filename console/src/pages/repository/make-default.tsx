/**
 * The button that makes a branch the default one, for admins. It is needed when a report has guessed another branch.
 */
import { Button, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { changeDefaultBranch, type Reference, type RepositoryDetail } from '../../api/inventory.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { notifyDone, notifyError } from '../../components/notify.tsx';

interface MakeDefaultProps {
  repository: RepositoryDetail;
  reference: Reference;
}

export function MakeDefault({ repository, reference }: MakeDefaultProps) {
  const { slug, may } = useWorkspace();
  const queryClient = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: () => changeDefaultBranch(slug, repository.id, reference.ref),
    onSuccess: async () => {
      notifyDone(`${reference.ref} is the default branch now.`);
      // Status, numbers and verdicts depend on the default branch.
      await queryClient.invalidateQueries();
    },
    onError: notifyError,
  });
  if (!may('admin')) return null;
  const openConfirmation = () =>
    modals.openConfirmModal({
      title: 'Change the default branch',
      children: (
        <Text size="sm" className="break">
          {reference.ref} becomes the default branch of {repository.full_name}. Vulnerabilities that are open
          there count in the headlines, and those on {repository.default_branch.ref ?? 'another branch'} alone
          no longer count.
        </Text>
      ),
      labels: { confirm: 'Make it the default', cancel: 'Cancel' },
      onConfirm: () => mutate(),
    });
  return (
    <Button
      size="compact-xs"
      variant="subtle"
      loading={isPending}
      aria-label={`Make ${reference.ref} the default branch`}
      onClick={openConfirmation}
    >
      Make default
    </Button>
  );
}
