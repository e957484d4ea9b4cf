/** The actions of a member on the vulnerability. An admin also corrects wrong matches. */
import { ActionIcon, Button, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconArrowMerge, IconDots, IconUserPlus } from '@tabler/icons-react';
import type { TriageAction } from '../../../api/triage.ts';
import type { VulnerabilityDetail } from '../../../api/vulnerabilities.ts';
import { useWorkspace } from '../../../api/workspaces.ts';
import { MenuDropdown } from '../../../components/menu-dropdown.tsx';
import { actionLabels } from '../triage-labels.ts';
import { MergeDialog } from './merge-dialog.tsx';

interface PanelActionsProps {
  /** Undefined means that it is not loaded yet; until then no action is possible. */
  detail: VulnerabilityDetail | undefined;
  onTriage: (action: TriageAction) => void;
  onAssign: () => void;
  onShow: (id: string) => void;
}

export function PanelActions({ detail, onTriage, onAssign, onShow }: PanelActionsProps) {
  const workspace = useWorkspace();
  const [isMerging, merging] = useDisclosure(false);
  const isDecided = detail !== undefined && !['open', 'fixed'].includes(detail.status);
  const first: TriageAction[] = isDecided ? ['reopen'] : ['accept', 'ignore', 'reject'];
  const more: TriageAction[] = isDecided ? ['accept', 'ignore', 'reject', 'confirm'] : ['confirm'];
  return (
    <>
      {/* No button is primary, since the best action, the fix, is not among them. */}
      {first.map((action) => (
        <Button
          key={action}
          size="compact-sm"
          variant="default"
          disabled={!detail}
          onClick={() => onTriage(action)}
        >
          {actionLabels[action].label}
        </Button>
      ))}
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconUserPlus size={15} />}
        disabled={!detail}
        onClick={onAssign}
      >
        Assign
      </Button>
      <Menu position="bottom-start">
        <Menu.Target>
          <ActionIcon variant="default" size={26} aria-label="More actions" disabled={!detail}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <MenuDropdown>
          {more.map((action) => (
            <Menu.Item key={action} onClick={() => onTriage(action)}>
              {actionLabels[action].label}
            </Menu.Item>
          ))}
          {workspace.may('admin') && (
            <>
              <Menu.Divider />
              <Menu.Item leftSection={<IconArrowMerge size={15} />} onClick={merging.open}>
                Merge another into this
              </Menu.Item>
            </>
          )}
        </MenuDropdown>
      </Menu>
      {detail && <MergeDialog opened={isMerging} onClose={merging.close} into={detail} onShow={onShow} />}
    </>
  );
}
