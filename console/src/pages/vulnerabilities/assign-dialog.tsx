/** The dialog that assigns vulnerabilities. The person types a name or moves to it, and Enter assigns. */
import { Alert, Combobox, Loader, Modal, Stack, Text, TextInput, useCombobox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { errorText } from '../../api/errors.ts';
import { membersQuery } from '../../api/members.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { ReportText } from '../../components/report-text.tsx';
import { ConflictAlert } from './conflict-alert.tsx';
import { vulnerabilityCount } from './labels.ts';
import { type Target, withVersions } from './targets.ts';
import { changedSince, isConflict, useAssign } from './use-acts.ts';

interface AssignDialogProps {
  /** Null means closed. */
  targets: Target[] | null;
  onClose: () => void;
  onDone: () => void;
}

export function AssignDialog({ targets, onClose, onDone }: AssignDialogProps) {
  const count = targets?.length ?? 0;
  return (
    <Modal
      opened={targets !== null}
      onClose={onClose}
      title={count === 1 ? 'Assign' : `Assign ${vulnerabilityCount(count)}`}
    >
      {targets && <Choosing targets={targets} onClose={onClose} onDone={onDone} />}
    </Modal>
  );
}

interface Option {
  value: string;
  label: string;
  note: string;
}

const fixedOptions: Option[] = [
  { value: 'me', label: 'Me', note: '' },
  { value: 'nobody', label: 'Nobody', note: '' },
];

// People search among hundreds of members instead of reading the list.
const namesShown = 50;

function Choosing({ targets: seen, onClose, onDone }: AssignDialogProps & { targets: Target[] }) {
  const { slug } = useWorkspace();
  const [targets, setTargets] = useState(seen);
  const [typed, setTyped] = useState('');
  const members = useQuery(membersQuery(slug));
  const { mutate, error, isPending } = useAssign(slug, onDone);
  const combobox = useCombobox({ opened: true, onDropdownClose: onClose });
  const wanted = typed.trim().toLowerCase();
  const people = (members.data?.items ?? []).map(({ id, name, email }) => ({
    value: id,
    label: name,
    note: email,
  }));
  const options = [...fixedOptions, ...people]
    .filter(({ label, note }) => `${label} ${note}`.toLowerCase().includes(wanted))
    .slice(0, namesShown);
  const { selectFirstOption } = combobox;
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever other options are shown
  useEffect(() => {
    selectFirstOption();
  }, [typed, people.length]);
  const choose = (value: string) =>
    mutate(
      { assignee: value === 'nobody' ? null : value, targets },
      { onError: (refused) => setTargets(withVersions(targets, changedSince(refused, targets))) },
    );
  return (
    <Stack gap="sm">
      {targets.length === 1 && (
        <Text size="sm" fw={600} className="break" lineClamp={3}>
          <ReportText>{targets[0]?.title ?? ''}</ReportText>
        </Text>
      )}
      {isConflict(error) && <ConflictAlert changed={changedSince(error, targets)} />}
      <ErrorAlert error={isConflict(error) ? null : error} />
      <Combobox store={combobox} onOptionSubmit={choose}>
        <Combobox.EventsTarget withExpandedAttribute>
          <TextInput
            data-autofocus
            role="combobox"
            aria-autocomplete="list"
            label="Assign to"
            placeholder="Name or e-mail"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            rightSection={isPending || members.isPending ? <Loader size={14} /> : null}
          />
        </Combobox.EventsTarget>
        <Combobox.Options className="vuln-people" aria-label="Members" mah={320}>
          {options.map(({ value, label, note }) => (
            <Combobox.Option key={value} value={value} disabled={isPending}>
              <ReportText>{label}</ReportText> {note !== '' && <span className="vuln-note">{note}</span>}
            </Combobox.Option>
          ))}
          {options.length === 0 && <Combobox.Empty>No member has this name</Combobox.Empty>}
        </Combobox.Options>
      </Combobox>
      {members.isError && (
        <Alert color="red" role="alert">
          The members did not load. {errorText(members.error)}
        </Alert>
      )}
    </Stack>
  );
}
