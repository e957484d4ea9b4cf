/** The form of a new key. */
import { Radio, Select, Stack } from '@mantine/core';
import { useState } from 'react';
import { fieldError } from '../../api/errors.ts';
import { type CreatedKey, type KeyChoices, type KeyKind, keysKey } from '../../api/keys.ts';
import { type Role, roles, useWorkspace } from '../../api/workspaces.ts';
import { enumLabel } from '../../components/badges.tsx';
import { DialogForm } from '../../components/dialog-form.tsx';
import { RequiredText } from '../../components/required-text.tsx';
import { type CreationCallbacks, useCreation } from '../../components/shown-once.tsx';
import { createKey, emptyDraft, givenScopes, missing, reachOf } from './draft.ts';
import { ExpiryFields } from './expiry-fields.tsx';
import { Presets } from './presets.tsx';
import { ScopeFields } from './scope-fields.tsx';
import { useMyWorkspaces, WorkspaceFields } from './workspace-fields.tsx';

interface CreateKeyFormProps extends CreationCallbacks<CreatedKey> {
  choices: KeyChoices;
  kind: KeyKind;
}

export function CreateKeyForm({ choices, kind, ...creation }: CreateKeyFormProps) {
  const { slug, role, may } = useWorkspace();
  const workspaces = useMyWorkspaces();
  const [draft, setDraft] = useState(() => emptyDraft(kind, slug, choices));
  const { make, isCreating, error } = useCreation(creation, keysKey);
  const [gaps, setGaps] = useState<Record<string, string>>({});
  const change = (part: Partial<typeof draft>) => setDraft((before) => ({ ...before, ...part }));
  const reach = reachOf(draft, workspaces);
  const errorOf = (field: string) => gaps[field] ?? fieldError(error, field);

  const submit = () => {
    const scopes = givenScopes(draft, choices, reach);
    const found = missing(draft, scopes);
    setGaps(found);
    if (Object.keys(found).length === 0) make(() => createKey(slug, draft, scopes));
  };
  return (
    <DialogForm
      action="Create key"
      onSubmit={submit}
      onCancel={creation.onClose}
      isPending={isCreating}
      error={error}
      fields={['name', 'scopes', 'expires', draft.kind === 'workspace' ? 'role' : 'workspaces']}
      mustStay
    >
      <Presets
        choices={choices}
        draft={draft}
        workspace={{ slug, role }}
        most={draft.kind === 'workspace' ? role : reach}
        change={change}
      />
      {may('admin') && (
        <Radio.Group label="Kind" value={draft.kind} onChange={(to) => change({ kind: to as KeyKind })}>
          <Stack gap={8} mt={6}>
            <Radio
              value="personal"
              label="Personal"
              description="Acts as you, and ends with your membership."
            />
            <Radio
              value="workspace"
              label="Workspace"
              description="Belongs to this workspace, and stays valid when you leave. For CI."
            />
          </Stack>
        </Radio.Group>
      )}
      <RequiredText
        label="Name"
        description="The script or system that uses it, so that others know what stops when it is revoked."
        data-autofocus
        // The scopes may load after the dialog has chosen its focus.
        autoFocus
        autoComplete="off"
        message="Enter a name."
        maxLength={255}
        value={draft.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
        refusal={errorOf('name')}
      />
      {draft.kind === 'workspace' && (
        <Select
          label="Role"
          description="The upper limit of what the key may do."
          data={roles.map((value) => ({ value, label: enumLabel(value) }))}
          allowDeselect={false}
          value={draft.role}
          onChange={(to) => change({ role: (to ?? 'viewer') as Role })}
          error={errorOf('role')}
        />
      )}
      {draft.kind === 'personal' && (
        <WorkspaceFields
          workspaces={workspaces}
          draft={draft}
          change={change}
          error={errorOf('workspaces')}
        />
      )}
      <ScopeFields choices={choices} draft={draft} reach={reach} change={change} error={errorOf('scopes')} />
      <ExpiryFields choices={choices} draft={draft} change={change} error={errorOf('expires')} />
    </DialogForm>
  );
}
