/** The menu that chooses the columns of a table. */
import { Button, Menu } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import type { ChosenColumns } from './use-chosen-columns.ts';

export function ColumnMenu<Row>({ chosen }: { chosen: ChosenColumns<Row> }) {
  return (
    <Menu closeOnItemClick={false}>
      <Menu.Target>
        <Button size="compact-sm" variant="subtle" color="gray" leftSection={<IconColumns3 size={15} />}>
          Columns
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {chosen.choices.map(({ id, label, isShown }) => (
          <Menu.CheckboxItem key={id} checked={isShown} onChange={() => chosen.toggle(id)}>
            {label}
          </Menu.CheckboxItem>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={chosen.reset}>Reset columns</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
