/**
 * The dialog that chooses the repositories of an application. The person searches by name, ticks, and saves all at
 * once.
 */
import { Checkbox, Modal, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import {
  type ApplicationDetail,
  applicationQuery,
  applicationsChanged,
  groupRepositories,
} from '../../api/applications.ts';
import { mergeChoices } from '../../api/merge-choices.ts';
import type { NamedRepository } from '../../api/repository-names.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { DialogForm } from '../../components/dialog-form.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Note } from '../../components/note.tsx';
import { notifyDone } from '../../components/notify.tsx';
import { countOf } from '../../components/target-labels.ts';
import { useFormMutation } from '../../components/use-form-mutation.ts';
import { useRepositoryChoices } from './use-repository-choices.ts';

interface GroupRepositoriesProps {
  application: ApplicationDetail;
  opened: boolean;
  onClose: () => void;
}

export function GroupRepositories(props: GroupRepositoriesProps) {
  return (
    <Modal
      opened={props.opened}
      onClose={props.onClose}
      size="lg"
      title={<span className="break">Repositories of {props.application.name}</span>}
    >
      <Choosing {...props} />
    </Modal>
  );
}

function Choosing({ application, onClose }: GroupRepositoriesProps) {
  const { slug } = useWorkspace();
  const queryClient = useQueryClient();
  const [before] = useState(() => application.repositories.map(({ id }) => id));
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(before));
  const [typed, setTyped] = useState('');
  // A repository that was found by its full name stays in sight.
  const [added, setAdded] = useState<NamedRepository[]>([]);
  const first = useMemo(() => [...application.repositories, ...added], [application.repositories, added]);
  const choices = useRepositoryChoices(slug, first, typed);
  const { form } = useFormMutation({
    mutationFn: async () => {
      // The stored list is read again, so that changes by other people are kept.
      const stored = await queryClient.fetchQuery({
        ...applicationQuery(slug, application.id),
        staleTime: 0,
      });
      const ids = stored.repositories.map(({ id }) => id);
      return groupRepositories(slug, application.id, mergeChoices(ids, before, chosen));
    },
    onSuccess: async ({ repositories }) => {
      await applicationsChanged(queryClient, slug);
      onClose();
      notifyDone(
        `${application.name} groups ${countOf(repositories.length, 'repository', 'repositories')}. Policies are evaluated again in the next minutes.`,
      );
    },
  });
  const choose = (repository: NamedRepository, isOn: boolean) => {
    const next = new Set(chosen);
    if (isOn) next.add(repository.id);
    else next.delete(repository.id);
    setChosen(next);
    const isListed = [...first, ...(choices.query.data?.items ?? [])].some(({ id }) => id === repository.id);
    if (!isListed) setAdded([...added, { id: repository.id, full_name: repository.full_name }]);
  };
  return (
    <DialogForm action="Save" {...form} onCancel={onClose}>
      <TextInput
        type="search"
        label="Find repositories"
        description={
          choices.isComplete ? undefined : 'Type the full name of a repository that the list does not show.'
        }
        data-autofocus
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        // Enter searches; only the button saves.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      <Loaded query={choices.query} noun="the repositories">
        {() => <Choices {...choices} chosen={chosen} onChoose={choose} />}
      </Loaded>
      <Text size="sm" c="dimmed" role="status">
        {countOf(chosen.size, 'repository', 'repositories')} chosen
      </Text>
    </DialogForm>
  );
}

interface ChoicesProps {
  found: NamedRepository[];
  /** The number of matches, with those that are not shown. */
  total: number;
  isLooking: boolean;
  chosen: ReadonlySet<string>;
  onChoose: (repository: NamedRepository, isOn: boolean) => void;
}

function Choices({ found, total, isLooking, chosen, onChoose }: ChoicesProps) {
  return (
    <fieldset className="application-choices" aria-label="Repositories">
      {found.map((repository) => (
        <Checkbox
          key={repository.id}
          size="sm"
          label={<span className="break">{repository.full_name}</span>}
          checked={chosen.has(repository.id)}
          onChange={(event) => onChoose(repository, event.currentTarget.checked)}
        />
      ))}
      {found.length === 0 && <Note>{isLooking ? 'Searching…' : 'No repository has this name'}</Note>}
      {total > found.length && (
        <Note>{(total - found.length).toLocaleString()} more: write a part of their name.</Note>
      )}
    </fieldset>
  );
}
