/** The dialog that makes a workspace. */
import { Alert, Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { errorText, fieldError, isApiError } from '../../api/errors.ts';
import { createWorkspace, workspacesKey } from '../../api/workspaces.ts';
import { notifyDone } from '../../parts/notify.tsx';

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

// As the server takes them.
const maxSlugLength = 40;

function CreateForm({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [ownSlug, setOwnSlug] = useState<string | null>(null);
  const slug = ownSlug ?? slugOf(name);
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => createWorkspace(slug, name.trim()),
    onSuccess: async (made) => {
      await queryClient.invalidateQueries({ queryKey: workspacesKey });
      onClose();
      notifyDone(`The workspace ${made.workspace} is there.`);
      await navigate({ to: '/w/$slug', params: { slug: made.slug } });
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        mutate();
      }}
    >
      <Stack gap="md">
        {error && !isApiError(error, 'VALIDATION_FAILED') && (
          <Alert color="red" role="alert">
            {errorText(error)}
          </Alert>
        )}
        <TextInput
          label="Name"
          data-autofocus
          required
          withAsterisk={false}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={fieldError(error, 'name')}
        />
        <TextInput
          label="Slug"
          description="Lower-case letters, digits and hyphens. It stands in addresses and cannot be changed later."
          classNames={{ input: 'mono' }}
          required
          withAsterisk={false}
          maxLength={maxSlugLength}
          value={slug}
          onChange={(event) => setOwnSlug(event.currentTarget.value)}
          error={fieldError(error, 'slug')}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isPending}>
            Make the workspace
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function slugOf(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, maxSlugLength)
    .replace(/^-+|-+$/g, '');
}
