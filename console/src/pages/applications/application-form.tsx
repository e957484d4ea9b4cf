/** The dialog that creates an application or changes it. */
import { Checkbox, Modal, Select, Textarea } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type ApplicationDetail, applicationsChanged } from '../../api/applications.ts';
import { api } from '../../api/client.ts';
import { fieldError } from '../../api/errors.ts';
import { type Member, membersQuery } from '../../api/members.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { DialogForm } from '../../components/dialog-form.tsx';
import { NameField } from '../../components/name-field.tsx';
import { notifyDone } from '../../components/notify.tsx';
import { useFormMutation } from '../../components/use-form-mutation.ts';

interface ApplicationFormProps {
  opened: boolean;
  onClose: () => void;
  /** Without this, the form creates a new application. */
  application?: ApplicationDetail;
  onCreated?: (id: string) => void;
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

// The server has the same limit.
const maxDescriptionLength = 2_000;
// People search among hundreds of members instead of reading the list.
const namesShown = 50;

function Fields({ application, onClose, onCreated }: ApplicationFormProps) {
  const { slug } = useWorkspace();
  const queryClient = useQueryClient();
  const [name, setName] = useState(application?.name ?? '');
  const [description, setDescription] = useState(application?.description ?? '');
  const [owner, setOwner] = useState(application?.owner?.id ?? null);
  const [isProduct, setIsProduct] = useState(application?.is_product ?? false);
  const members = useQuery(membersQuery(slug));
  const fields = {
    name: name.trim(),
    description: description.trim() === '' ? null : description,
    owner,
    product: isProduct,
  };
  const [before] = useState(fields);
  const { form, error } = useFormMutation({
    mutationFn: () =>
      application
        ? api.changeApplication({
            path: { tenant_slug: slug, application: application.id },
            body: changedFields(before, fields),
          })
        : api.createApplication({ path: { tenant_slug: slug }, body: fields }),
    onSuccess: async (made) => {
      await applicationsChanged(queryClient, slug);
      onClose();
      notifyDone(application ? 'The application is saved.' : `The application ${made.name} is created.`);
      onCreated?.(made.id);
    },
  });
  return (
    <DialogForm
      action={application ? 'Save' : 'Create application'}
      {...form}
      onCancel={onClose}
      fields={['name', 'description', 'owner']}
    >
      <NameField
        description={application && 'Policies that test its name are evaluated again in the next minutes.'}
        value={name}
        onChange={setName}
        error={error}
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
      <Select
        label="Owner"
        description="The member who is responsible for it."
        placeholder="Nobody"
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'No owner' }}
        limit={namesShown}
        nothingFoundMessage="No member has this name"
        value={owner}
        onChange={setOwner}
        data={ownersOf(members.data?.items ?? [], application?.owner ?? null)}
        error={fieldError(error, 'owner')}
      />
      <Checkbox
        label="It is a product that we make available in the European Union"
        description="Its actively exploited vulnerabilities are listed under CRA notifications, with the time for each report."
        checked={isProduct}
        onChange={(event) => setIsProduct(event.currentTarget.checked)}
      />
    </DialogForm>
  );
}

/** Only these are sent, so that what somebody else has changed meanwhile stays. */
function changedFields<Fields extends object>(before: Fields, after: Fields): Partial<Fields> {
  const isChanged = ([name, value]: [string, unknown]) => value !== before[name as keyof Fields];
  return Object.fromEntries(Object.entries(after).filter(isChanged)) as Partial<Fields>;
}

/** The present owner is there before the members are loaded. */
function ownersOf(members: Member[], owner: ApplicationDetail['owner']) {
  const options = members.map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` }));
  if (owner === null || options.some(({ value }) => value === owner.id)) return options;
  return [{ value: owner.id, label: `${owner.display_name} (${owner.email})` }, ...options];
}
