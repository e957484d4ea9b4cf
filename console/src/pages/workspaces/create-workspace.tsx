/** The dialog that creates a workspace. */
import { Modal } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { fieldError } from '../../api/errors.ts';
import { workspacesKey } from '../../api/workspaces.ts';
import { DialogForm } from '../../components/dialog-form.tsx';
import { NameField } from '../../components/name-field.tsx';
import { notifyDone } from '../../components/notify.tsx';
import { RequiredText } from '../../components/required-text.tsx';
import { slugOf } from '../../components/slug.ts';
import { useFormMutation } from '../../components/use-form-mutation.ts';

interface CreateWorkspaceProps {
  opened: boolean;
  onClose: () => void;
}

export function CreateWorkspace({ opened, onClose }: CreateWorkspaceProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="New workspace">
      <CreateForm onClose={onClose} />
    </Modal>
  );
}

// The server has the same limits.
const maxSlugLength = 40;

function CreateForm({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [ownSlug, setOwnSlug] = useState<string | null>(null);
  const slug = ownSlug ?? slugOf(name, maxSlugLength);
  const { form, error } = useFormMutation({
    mutationFn: () => api.createWorkspace({ body: { slug, name: name.trim() } }),
    onSuccess: async (made) => {
      await queryClient.invalidateQueries({ queryKey: workspacesKey });
      onClose();
      notifyDone(`The workspace ${made.workspace} is created.`);
      await navigate({ to: '/w/$slug', params: { slug: made.slug } });
    },
  });
  return (
    <DialogForm action="Create workspace" {...form} onCancel={onClose} fields={['name', 'slug']}>
      <NameField value={name} onChange={setName} error={error} />
      <RequiredText
        label="Slug"
        description="Lower-case letters, digits and hyphens. It is part of addresses and cannot be changed later."
        classNames={{ input: 'mono' }}
        message="Enter a slug."
        maxLength={maxSlugLength}
        value={slug}
        onChange={(event) => setOwnSlug(event.currentTarget.value)}
        refusal={fieldError(error, 'slug')}
      />
    </DialogForm>
  );
}
