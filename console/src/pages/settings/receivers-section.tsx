/** The table of receivers that an admin makes, such as webhooks and issue trackers, and the actions that each has. */
import { Button, Menu } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Column } from '../../components/column.ts';
import { askFirst } from '../../components/confirmed-button.tsx';
import { ListTable } from '../../components/list-table.tsx';
import { MenuDropdown } from '../../components/menu-dropdown.tsx';
import { Note } from '../../components/note.tsx';
import { Section } from '../../components/section.tsx';
import { useAction } from '../../components/use-action.ts';

interface Receiver {
  id: string;
  name: string;
  enabled: boolean;
}

interface ReceiversSectionProps<Row extends Receiver> {
  title: string;
  description: string;
  /** The noun for one receiver, without an article. */
  one: string;
  newLabel: string;
  query: UseQueryResult<{ items: Row[] }>;
  columns: Column<Row>[];
  /** The dialog that creates a receiver. */
  create: (dialog: { opened: boolean; onClose: () => void }) => ReactNode;
}

export function ReceiversSection<Row extends Receiver>({
  title,
  description,
  one,
  newLabel,
  query,
  columns,
  create,
}: ReceiversSectionProps<Row>) {
  const [isCreating, setIsCreating] = useState(false);
  return (
    <Section
      title={title}
      description={description}
      actions={
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} />}
          onClick={() => setIsCreating(true)}
        >
          {newLabel}
        </Button>
      }
    >
      <ListTable
        query={query}
        noun={`the ${title.toLowerCase()}`}
        lines={2}
        none={<Note>There is no {one} yet.</Note>}
        label={title}
        fixedColumns
        columns={columns}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
      />
      {create({ opened: isCreating, onClose: () => setIsCreating(false) })}
    </Section>
  );
}

interface ReceiverActionsProps {
  receiver: Receiver;
  /** The noun for one receiver, without an article. */
  one: string;
  /** The key of the list that is read again after a change. */
  queryKey: readonly unknown[];
  setEnabled: (enabled: boolean) => Promise<Receiver>;
  /** The text after the notification that the receiver is enabled. */
  enabledNote?: string;
  remove: () => Promise<unknown>;
  /** The consequences of a deletion, for the confirmation. */
  removalNote: ReactNode;
  /** The menu items before those of all receivers. */
  children: ReactNode;
}

export function ReceiverActions(props: ReceiverActionsProps) {
  const { receiver, one, queryKey, setEnabled, enabledNote, remove, removalNote, children } = props;
  const changed = [queryKey];
  const enabling = useAction({
    act: () => setEnabled(!receiver.enabled),
    done: ({ name, enabled }) =>
      enabled ? [`${name} is enabled.`, enabledNote].filter(Boolean).join(' ') : `${name} is disabled.`,
    changed,
  });
  const removal = useAction({ act: remove, done: `The ${one} ${receiver.name} is deleted.`, changed });
  const askToRemove = () =>
    askFirst(
      { title: `Delete the ${one}`, consequences: removalNote, confirm: 'Delete', isRemoval: true },
      () => removal.mutate(),
    );
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          size="compact-xs"
          variant="default"
          aria-label={`Actions of ${receiver.name}`}
          loading={enabling.isPending || removal.isPending}
        >
          Actions
        </Button>
      </Menu.Target>
      <MenuDropdown>
        {children}
        <Menu.Item onClick={() => enabling.mutate()}>{receiver.enabled ? 'Disable' : 'Enable'}</Menu.Item>
        <Menu.Item color="red" onClick={askToRemove}>
          Delete
        </Menu.Item>
      </MenuDropdown>
    </Menu>
  );
}
