/** The actions on all selected vulnerabilities, on this page of the list and on others. */
import { Button, Group, Menu, Text } from '@mantine/core';
import { IconChevronDown, IconGavel, IconUserPlus } from '@tabler/icons-react';
import { maxAtOnce, type TriageAction, triageActions } from '../../api/triage.ts';
import { actionLabels } from './triage-labels.ts';

interface BulkBarProps {
  count: number;
  onTriage: (action: TriageAction) => void;
  onAssign: () => void;
  onClear: () => void;
}

export function BulkBar({ count, onTriage, onAssign, onClear }: BulkBarProps) {
  const isTooMany = count > maxAtOnce;
  return (
    <Group gap="xs" role="group" aria-label="Selected vulnerabilities">
      <Text size="sm" fw={600} className="tabular" role="status">
        {count.toLocaleString()} selected
      </Text>
      <Menu position="bottom-start">
        <Menu.Target>
          <Button
            size="compact-sm"
            leftSection={<IconGavel size={15} />}
            rightSection={<IconChevronDown size={13} />}
            disabled={isTooMany}
          >
            Triage
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {triageActions.map((action) => (
            <Menu.Item key={action} onClick={() => onTriage(action)}>
              {actionLabels[action].label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconUserPlus size={15} />}
        onClick={onAssign}
        disabled={isTooMany}
      >
        Assign
      </Button>
      <Button size="compact-sm" variant="subtle" color="gray" onClick={onClear}>
        Clear the selection
      </Button>
      {isTooMany && (
        <Text size="xs" c="var(--tone-warn-text)">
          {maxAtOnce} at most at once
        </Text>
      )}
    </Group>
  );
}
