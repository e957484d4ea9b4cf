/** The dialog that creates a team, or changes its name, its members, its groups and its names in CODEOWNERS files. */
import { Modal, MultiSelect, TagsInput, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { fieldError } from '../../api/errors.ts';
import { membersQuery } from '../../api/members.ts';
import { type TeamFields, type TeamMember, teamQuery, teamsKey } from '../../api/teams.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { DialogForm } from '../../components/dialog-form.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { NameField } from '../../components/name-field.tsx';
import { SmallNote } from '../../components/note.tsx';
import { notifyDone } from '../../components/notify.tsx';
import { useFormMutation } from '../../components/use-form-mutation.ts';

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
        <Fields
          initial={{ name: '', owner_names: [], members: [], groups: [] }}
          byGroup={[]}
          onClose={onClose}
        />
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
    <Loaded query={query} noun="the team" lines={4}>
      {({ name, owner_names, members, groups }) => (
        <Fields
          initial={{
            name,
            owner_names,
            groups,
            members: members.filter(({ group }) => group === null).map(({ id }) => id),
          }}
          byGroup={members.filter(({ group }) => group !== null)}
          team={team}
          onClose={onClose}
        />
      )}
    </Loaded>
  );
}

// The server has the same limits.
const maxOwnerNames = 20;
const maxGroups = 20;
// People search among hundreds of members instead of reading the list.
const namesShown = 50;

interface FieldsProps {
  initial: TeamFields;
  byGroup: TeamMember[];
  team?: string;
  onClose: () => void;
}

function Fields({ initial, byGroup, team, onClose }: FieldsProps) {
  const { slug } = useWorkspace();
  const queryClient = useQueryClient();
  const [fields, setFields] = useState(initial);
  const change = (part: Partial<TeamFields>) => setFields({ ...fields, ...part });
  const members = useQuery(membersQuery(slug));
  const { form, error } = useFormMutation({
    mutationFn: () =>
      team === undefined
        ? api.createTeam({ path: { tenant_slug: slug }, body: fields })
        : api.changeTeam({ path: { tenant_slug: slug, team }, body: fields }),
    onSuccess: async ({ name }) => {
      await queryClient.invalidateQueries({ queryKey: teamsKey(slug) });
      onClose();
      notifyDone(team === undefined ? `The team ${name} is created.` : 'The team is saved.');
    },
  });
  return (
    <DialogForm
      action={team === undefined ? 'Create team' : 'Save'}
      {...form}
      onCancel={onClose}
      fields={['name', 'owner_names', 'members', 'groups']}
    >
      <NameField value={fields.name} onChange={(name) => change({ name })} error={error} />
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
        label="Groups of the identity provider"
        description="As the provider writes them. A person who has one of them is in the team from the next sign-in on. Press Enter after each."
        value={fields.groups}
        onChange={(groups) => change({ groups })}
        maxTags={maxGroups}
        // A group that differs only in case is another group.
        isDuplicate={(group, others) => others.includes(group)}
        clearable
        error={fieldError(error, 'groups')}
      />
      {byGroup.length > 0 && <MembersByGroup members={byGroup} />}
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

function MembersByGroup({ members }: { members: TeamMember[] }) {
  const shown = members.slice(0, namesShown);
  return (
    <section aria-labelledby="members-by-group">
      <Text id="members-by-group" size="sm" fw={500}>
        By the identity provider
      </Text>
      <SmallNote>
        They leave the team when they sign in without the group, or when the group is removed here. To keep
        one, choose the person as a member.
      </SmallNote>
      {shown.map(({ id, display_name: name, email, group }) => (
        <Text key={id} size="sm" className="break">
          {name} ({email}), {group}
        </Text>
      ))}
      {members.length > shown.length && (
        <Text size="sm">and {(members.length - shown.length).toLocaleString()} more</Text>
      )}
    </section>
  );
}
