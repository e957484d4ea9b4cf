/** Requests an exception of a policy in a repository. The person chooses both first, then the conditions. */
import { Autocomplete, Modal, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { isApiError } from '../../api/errors.ts';
import { policiesQuery } from '../../api/policies.ts';
import { repositoryNamesQuery } from '../../api/repository-names.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { DialogForm } from '../../components/dialog-form.tsx';
import { RequestExceptionForm } from '../../components/request-exception.tsx';
import { useFormMutation } from '../../components/use-form-mutation.ts';
import { useRequired } from '../../components/use-required.ts';

interface RequestForRepositoryProps {
  opened: boolean;
  onClose: () => void;
}

interface Chosen {
  policy: string;
  repo: string;
}

export function RequestForRepository({ opened, onClose }: RequestForRepositoryProps) {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [wasOpened, setWasOpened] = useState(opened);
  if (wasOpened !== opened) {
    setWasOpened(opened);
    // The answer about a repository may have come after the dialog was closed.
    if (opened) setChosen(null);
  }
  return (
    <Modal opened={opened} onClose={onClose} title="Request an exception">
      {chosen === null ? (
        <ChooseForm onClose={onClose} onChosen={setChosen} />
      ) : (
        <div ref={focusFirstField}>
          <RequestExceptionForm
            onClose={onClose}
            choices={[{ label: 'This policy in this repository', about: chosen }]}
          />
        </div>
      )}
    </Modal>
  );
}

/** The dialog focuses a field only as it opens. */
function focusFirstField(form: HTMLElement | null): void {
  form?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
}

// People narrow a longer list by typing instead of reading it.
const namesShown = 50;

function ChooseForm({ onClose, onChosen }: { onClose: () => void; onChosen: (chosen: Chosen) => void }) {
  const { slug } = useWorkspace();
  const { data: policies } = useQuery(policiesQuery(slug));
  const { data: names } = useQuery(repositoryNamesQuery(slug));
  const active = (policies?.items ?? []).filter(({ status }) => status === 'active');
  const [policy, setPolicy] = useState('');
  const [repo, setRepo] = useState('');
  const { form, error } = useFormMutation({
    mutationFn: () => api.getRepository({ path: { tenant_slug: slug, repo: repo.trim() } }),
    onSuccess: ({ id }) => onChosen({ policy, repo: id }),
  });
  const isUnknown = isApiError(error, 'RESOURCE_NOT_FOUND');
  const policyField = useRequired({ message: 'Choose a policy.', value: policy });
  const repoField = useRequired({
    message: 'Choose a repository.',
    refusal: isUnknown ? 'There is no repository of this name.' : null,
    value: repo,
  });
  return (
    <DialogForm action="Go on" {...form} error={isUnknown ? null : error} onCancel={onClose}>
      <NativeSelect
        label="Policy"
        data-autofocus
        {...policyField}
        value={policy}
        onChange={(event) => setPolicy(event.currentTarget.value)}
        data={[
          { value: '', label: 'Choose…' },
          ...active.map(({ key, name }) => ({ value: key, label: name })),
        ]}
      />
      <Autocomplete
        label="Repository"
        description="All violations of the policy there, now and later. For a single violation, request it on the violation."
        {...repoField}
        limit={namesShown}
        data={names ?? []}
        value={repo}
        onChange={setRepo}
      />
    </DialogForm>
  );
}
