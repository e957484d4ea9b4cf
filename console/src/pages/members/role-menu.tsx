/** A member's role as a menu. A dialog asks before a change is made. */
import { Button, Menu, Tooltip } from '@mantine/core';
import { IconCheck, IconChevronDown } from '@tabler/icons-react';
import { api } from '../../api/client.ts';
import { invitationsKey, type Member, membersKey } from '../../api/members.ts';
import { type Role, roleAtLeast, roles, useWorkspace, workspacesKey } from '../../api/workspaces.ts';
import { enumLabel } from '../../components/badges.tsx';
import { askFirst } from '../../components/confirmed-button.tsx';
import { MenuDropdown } from '../../components/menu-dropdown.tsx';
import { SmallNote } from '../../components/note.tsx';
import { useAction } from '../../components/use-action.ts';
import { asRole, lastAdminText, roleDescriptions } from './role-labels.ts';

interface RoleMenuProps {
  member: Member;
  isMe: boolean;
  isLastAdmin: boolean;
}

export function RoleMenu({ member, isMe, isLastAdmin }: RoleMenuProps) {
  const { slug } = useWorkspace();
  const { mutate, isPending } = useAction({
    act: (role: Role) => api.changeRole({ path: { tenant_slug: slug, user: member.id }, body: { role } }),
    done: ({ name, role }) => `${isMe ? 'You are' : `${name} is`} ${asRole(role)} now.`,
    changed: [membersKey(slug), invitationsKey(slug), ...(isMe ? [workspacesKey] : [])],
  });
  const openConfirmation = (role: Role) => {
    if (role === member.role) return;
    const who = isMe ? 'You are' : `${member.name} is`;
    askFirst(
      {
        title: 'Change the role',
        consequences: `${who} ${asRole(member.role)}, and will be ${asRole(role)} from the next click on. ${consequence(member.role, role, isMe)}`,
        confirm: `Make ${isMe ? 'me' : 'them'} ${asRole(role)}`,
        isRemoval: roleAtLeast(member.role, role),
      },
      () => mutate(role),
    );
  };
  const button = (
    <Button
      size="compact-sm"
      variant="default"
      fw={500}
      loading={isPending}
      {...(isLastAdmin ? { 'data-disabled': true } : {})}
      aria-disabled={isLastAdmin}
      aria-label={`Role of ${member.name}: ${enumLabel(member.role)}`}
      rightSection={isLastAdmin ? null : <IconChevronDown size={14} aria-hidden="true" />}
    >
      {enumLabel(member.role)}
    </Button>
  );
  if (isLastAdmin) return <Tooltip label={lastAdminText}>{button}</Tooltip>;
  return (
    <Menu position="bottom-start" width={300}>
      <Menu.Target>{button}</Menu.Target>
      <MenuDropdown>
        {roles.map((role) => (
          <Menu.Item
            key={role}
            onClick={() => openConfirmation(role)}
            rightSection={role === member.role ? <IconCheck size={15} aria-label="now" /> : undefined}
          >
            {enumLabel(role)}
            <SmallNote>{roleDescriptions[role]}</SmallNote>
          </Menu.Item>
        ))}
      </MenuDropdown>
    </Menu>
  );
}

function consequence(from: Role, to: Role, isMe: boolean): string {
  if (roleAtLeast(to, from)) return `${capital(asRole(to))} ${lowered(roleDescriptions[to])}`;
  const keys = `${isMe ? 'Your' : 'Their'} keys may do only what the role allows.`;
  const made = `Invitations that ${isMe ? 'you' : 'they'} have made become invalid.`;
  return from === 'admin' ? `${keys} ${made}` : keys;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function lowered(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
