/** Asks before a saved view is deleted. */
import { Modal, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { type SavedView, savedViewsChanged } from '../../api/saved-views.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { DialogForm } from '../../components/dialog-form.tsx';
import { notifyDone } from '../../components/notify.tsx';
import { useFormMutation } from '../../components/use-form-mutation.ts';

interface DeleteViewProps {
  view: SavedView;
  opened: boolean;
  onClose: () => void;
}

export function DeleteView({ view, opened, onClose }: DeleteViewProps) {
  const { slug } = useWorkspace();
  const queryClient = useQueryClient();
  const { form } = useFormMutation({
    mutationFn: () => api.deleteSavedView({ path: { tenant_slug: slug, view: view.id } }),
    onSuccess: async () => {
      onClose();
      notifyDone(`The view ${view.name} is deleted.`);
      await savedViewsChanged(queryClient, slug);
    },
  });
  return (
    <Modal opened={opened} onClose={onClose} title="Delete the view">
      <DialogForm action="Delete" color="red" {...form} onCancel={onClose}>
        <Text size="sm" className="break">
          {view.name} goes {view.shared ? 'for everybody in the workspace' : 'for ever'}. What it shows stays.
        </Text>
      </DialogForm>
    </Modal>
  );
}
