/** The dialog that saves the address as a view, or renames and shares a view. */
import { Checkbox, Modal } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { type SavedView, savedViewsChanged } from '../../api/saved-views.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { DialogForm } from '../../components/dialog-form.tsx';
import { NameField } from '../../components/name-field.tsx';
import { notifyDone } from '../../components/notify.tsx';
import { useFormMutation } from '../../components/use-form-mutation.ts';

interface SaveViewProps {
  opened: boolean;
  onClose: () => void;
  /** The query of the current address. */
  query: string;
  /** All views, to replace the person's own view of the same name. */
  views: SavedView[];
  /** The view that changes. Without this, the form saves a new one. */
  view?: SavedView;
}

export function SaveView(props: SaveViewProps) {
  return (
    <Modal
      opened={props.opened}
      onClose={props.onClose}
      title={props.view ? 'Rename or share the view' : 'Save as a view'}
    >
      <Fields {...props} />
    </Modal>
  );
}

// The server has the same limit.
const maxNameLength = 100;

function Fields({ onClose, query, views, view }: SaveViewProps) {
  const { slug, may } = useWorkspace();
  const queryClient = useQueryClient();
  const [name, setName] = useState(view?.name ?? '');
  const [chosen, setChosen] = useState<boolean | null>(null);
  const typed = name.trim().toLowerCase();
  const replaced = view ? undefined : views.find((one) => one.own && one.name.toLowerCase() === typed);
  const changed = view ?? replaced;
  const isShared = changed?.shared ?? false;
  const { form, error } = useFormMutation({
    mutationFn: () => {
      const fields = { name: name.trim(), query, ...(chosen === null ? {} : { shared: chosen }) };
      return changed
        ? api.changeSavedView({ path: { tenant_slug: slug, view: changed.id }, body: fields })
        : api.createSavedView({ path: { tenant_slug: slug }, body: { ...fields, page: 'vulnerabilities' } });
    },
    onSuccess: async (saved) => {
      await savedViewsChanged(queryClient, slug);
      onClose();
      notifyDone(`The view ${saved.name} is saved.`);
    },
  });
  return (
    <DialogForm action={replaced ? 'Replace' : 'Save'} {...form} onCancel={onClose} fields={['name']}>
      <NameField
        description={replaced && 'You already have a view with this name. Saving replaces it.'}
        maxLength={maxNameLength}
        value={name}
        onChange={setName}
        error={error}
      />
      {/* A viewer may not share, and can only end the sharing of an own view. */}
      {(may('member') || isShared) && (
        <Checkbox
          label="Share it with everybody in the workspace"
          checked={chosen ?? isShared}
          onChange={(event) => setChosen(event.currentTarget.checked)}
        />
      )}
    </DialogForm>
  );
}
