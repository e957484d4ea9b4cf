/** The dialog that creates an application, or changes its name and description. */
import { Modal, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type ApplicationDetail,
  applicationsChanged,
  changeApplication,
  createApplication,
} from '../../api/applications.ts';
import { fieldError } from '../../api/errors.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { DialogForm } from '../../components/dialog-form.tsx';
import { notifyDone } from '../../components/notify.tsx';
import { RequiredText } from '../../components/required-text.tsx';

interface ApplicationFormProps {
  opened: boolean;
  onClose: () => void;
  /** Without this, the form creates a new application. */
  application?: ApplicationDetail;
  onMade?: (id: string) => void;
}

export function ApplicationForm(props: ApplicationFormProps) {
  return (
    <Modal
      opened={props.opened}
      onClose={props.onClose}
      title={props.application ? 'Edit the application' : 'New application'}
    >
      <Fields {...props} />
    </Modal>
  );
}

// The server has the same limits.
const maxNameLength = 255;
const maxDescriptionLength = 2_000;

function Fields({ application, onClose, onMade }: ApplicationFormProps) {
  const { slug } = useWorkspace();
  const queryClient = useQueryClient();
  const [name, setName] = useState(application?.name ?? '');
  const [description, setDescription] = useState(application?.description ?? '');
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => {
      const fields = { name: name.trim(), description: description.trim() === '' ? null : description };
      return application ? changeApplication(slug, application.id, fields) : createApplication(slug, fields);
    },
    onSuccess: async (made) => {
      await applicationsChanged(queryClient, slug);
      onClose();
      notifyDone(application ? 'The application is changed.' : `The application ${made.name} is there.`);
      onMade?.(made.id);
    },
  });
  return (
    <DialogForm
      action={application ? 'Save' : 'Make the application'}
      onSubmit={() => mutate()}
      onCancel={onClose}
      isPending={isPending}
      error={error}
      fields={['name', 'description']}
    >
      <RequiredText
        label="Name"
        description={
          application && 'Policies that ask for the application by its name follow within a minute.'
        }
        data-autofocus
        says="Write a name."
        maxLength={maxNameLength}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        refusal={fieldError(error, 'name')}
      />
      <Textarea
        label="Description"
        autosize
        minRows={3}
        maxRows={12}
        maxLength={maxDescriptionLength}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
        error={fieldError(error, 'description')}
      />
    </DialogForm>
  );
}
