/** Deletes an application after the person has typed its name. Its repositories stay. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ApplicationDetail, applicationsChanged } from '../../api/applications.ts';
import { api } from '../../api/client.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { ConfirmTyped } from '../../components/confirm-typed.tsx';
import { notifyDone, notifyError } from '../../components/notify.tsx';

interface DeleteApplicationProps {
  application: ApplicationDetail;
  opened: boolean;
  onClose: () => void;
  onDone: () => void;
}

export function DeleteApplication({ application, opened, onClose, onDone }: DeleteApplicationProps) {
  const { slug } = useWorkspace();
  const queryClient = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.deleteApplication({ path: { tenant_slug: slug, application: application.id } }),
    onSuccess: async () => {
      onClose();
      onDone();
      notifyDone(`The application ${application.name} is deleted.`);
      await applicationsChanged(queryClient, slug);
    },
    onError: notifyError,
  });
  return (
    <ConfirmTyped
      opened={opened}
      onClose={onClose}
      title="Delete the application"
      name={application.name}
      action="Delete permanently"
      pending={isPending}
      onConfirm={() => mutate()}
    >
      Its repositories and their vulnerabilities stay. Policies that test the application are evaluated again
      in the next minutes. A policy with a rule for it must be changed first.
    </ConfirmTyped>
  );
}
