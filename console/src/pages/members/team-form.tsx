/** The dialog that creates a team, or changes its name, its members and its names in CODEOWNERS files. */
import { Modal, MultiSelect, TagsInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldError } from '../../api/errors.ts';
import { membersQuery } from '../../api/members.ts';
import { changeTeam, createTeam, type TeamFields, teamQuery, teamsKey } from '../../api/teams.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { DialogForm } from '../../components/dialog-form.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { notifyDone } from '../../components/notify.tsx';
import { RequiredText } from '../../components/required-text.tsx';

interface TeamFormProps {
  opened: boolean;
  onClose: () => void;
  /** The id of the team. Without it, the form creates a new one. */
  team?: string;
}

export function TeamForm({ opened, onClose, team }: TeamFormProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={team === undefined ? 'New team' : 'Change the team'}>
      {team === undefined ? (
        <Fields initial={{ name: '', owner_names: [], members: [] }} onClose={onClose} />
      ) : (
        <LoadedFields team={team} onClose={onClose} />
      )}
    </Modal>
  );
}

function LoadedFields({ team, onClose }: { team: string; onClose: () => void }) {
  const { slug } = useWorkspace();
  const query = useQuery(teamQuery(slug, team));
  return (
    <Loaded query={query} what="the team" lines={4}>
      {({ name, owner_names, members }) => (
        <Fields
          initial={{ name, owner_names, members: members.map(({ id }) => id) }}
          team={team}
          onClose={onClose}
        />
      )}
    </Loaded>
  );
}

// The server has the same limits.
const maxNameLength = 255;
const maxOwnerNames = 20;
// People search among hundreds of members instead of reading the list.
const namesShown = 50;

interface FieldsProps {
  initial: TeamFields;
  team?: string;
  onClose: () => void;
}

function Fields({ initial, team, onClose }: FieldsProps) {
  const { slug } = useWorkspace();
  const queryClient = useQueryClient();
  const [fields, setFields] = useState(initial);
  const change = (part: Partial<TeamFields>) => setFields({ ...fields, ...part });
  const members = useQuery(membersQuery(slug));
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => (team === undefined ? createTeam(slug, fields) : changeTeam(slug, team, fields)),
    onSuccess: async ({ name }) => {
      await queryClient.invalidateQueries({ queryKey: teamsKey(slug) });
      onClose();
      notifyDone(team === undefined ? `The team ${name} is created.` : 'The team is saved.');
    },
  });
  return (
    <DialogForm
      action={team === undefined ? 'Create team' : 'Save'}
      onSubmit={() => mutate()}
      onCancel={onClose}
      isPending={isPending}
      error={error}
      fields={['name', 'owner_names', 'members']}
    >
      <RequiredText
        label="Name"
        data-autofocus
        says="Enter a name."
        maxLength={maxNameLength}
        value={fields.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
        refusal={fieldError(error, 'name')}
      />
      <MultiSelect
        label="Members"
        data={(members.data?.items ?? []).map(({ id, name, email }) => ({
          value: id,
          label: `${name} (${email})`,
        }))}
        value={fields.members}
        onChange={(chosen) => change({ members: chosen })}
        searchable
        clearable
        limit={namesShown}
        nothingFoundMessage="No member has this name"
        error={fieldError(error, 'members')}
      />
      <TagsInput
        label="Names in CODEOWNERS files"
        description="Such as @acme/payments. Press Enter after each."
        value={fields.owner_names}
        onChange={(names) => change({ owner_names: names })}
        maxTags={maxOwnerNames}
        clearable
        error={fieldError(error, 'owner_names')}
      />
    </DialogForm>
  );
}
