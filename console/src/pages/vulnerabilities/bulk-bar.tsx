/** The actions on all selected vulnerabilities, on this page of the list and on others. */
import { Button, Group, Menu, Text } from '@mantine/core';
import { IconChevronDown, IconGavel, IconUserPlus } from '@tabler/icons-react';
import { maxTargets, type TriageAction } from '../../api/triage.ts';
import { MenuDropdown } from '../../components/menu-dropdown.tsx';
import { actionLabels, triageActions } from './triage-labels.ts';

interface BulkBarProps {
  count: number;
  /** The number of rows on all pages of the list. */
  total: number;
  /** False if the signals of some are not loaded. */
  isLoaded: boolean;
  onSelectAll: () => void;
  isSelectingAll: boolean;
  onTriage: (action: TriageAction) => void;
  onAssign: () => void;
  onClear: () => void;
}

export function BulkBar(props: BulkBarProps) {
  const { count, total, isLoaded, onSelectAll, isSelectingAll, onTriage, onAssign, onClear } = props;
  const isTooMany = count > maxTargets;
  const most = Math.min(total, maxTargets);
  return (
    <Group gap="xs" role="group" aria-label="Selected vulnerabilities">
      <Text size="sm" fw={600} className="tabular" role="status">
        {count.toLocaleString()} selected
      </Text>
      {count < most && (
        <Button size="compact-sm" variant="subtle" onClick={onSelectAll} loading={isSelectingAll}>
          {most < total
            ? `Select the first ${most.toLocaleString()}`
            : `Select all ${total.toLocaleString()}`}
        </Button>
      )}
      <Menu position="bottom-start">
        <Menu.Target>
          <Button
            size="compact-sm"
            leftSection={<IconGavel size={15} />}
            rightSection={<IconChevronDown size={13} />}
            disabled={isTooMany || !isLoaded}
          >
            Triage
          </Button>
        </Menu.Target>
        <MenuDropdown>
          {triageActions.map((action) => (
            <Menu.Item key={action} onClick={() => onTriage(action)}>
              {actionLabels[action].label}
            </Menu.Item>
          ))}
        </MenuDropdown>
      </Menu>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconUserPlus size={15} />}
        onClick={onAssign}
        disabled={isTooMany || !isLoaded}
      >
        Assign
      </Button>
      <Button size="compact-sm" variant="subtle" color="gray" onClick={onClear}>
        Clear the selection
      </Button>
      {isTooMany && (
        <Text size="xs" c="var(--tone-warn-text)">
          {maxTargets.toLocaleString()} at most at once
        </Text>
      )}
      {!isLoaded && (
        <Text size="xs" c="var(--tone-warn-text)">
          The signals of some selected vulnerabilities are not loaded, so these cannot be triaged or assigned.
        </Text>
      )}
    </Group>
  );
}
