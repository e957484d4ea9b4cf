/** The menu of the signed-in person: account, colours, signing out. */
import { Avatar, Menu, Text, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { IconDevices, IconLogout, IconUserCircle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { SignedIn } from '../api/session.ts';
import { initials } from '../components/initials.ts';
import { useSignOut } from './use-sign-out.ts';

const schemes = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'auto', label: 'Same as the system' },
] as const;

export function UserMenu({ session }: { session: SignedIn }) {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { leave, leaveEverywhere } = useSignOut();
  return (
    <Menu width={260} closeOnItemClick>
      <Menu.Target>
        <UnstyledButton aria-label={`Account of ${session.user.name}`}>
          <Avatar size={30} radius="xl" color="petrol" variant="filled" aria-hidden="true">
            {initials(session.user.name)}
          </Avatar>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} c="var(--mantine-color-text)" truncate>
            {session.user.name}
          </Text>
          <Text size="xs" truncate>
            {session.user.email}
          </Text>
        </Menu.Label>
        <Menu.Item
          leftSection={<IconUserCircle size={16} />}
          renderRoot={(props) => <Link to="/account" {...props} />}
        >
          Account
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Colours</Menu.Label>
        <Menu.RadioGroup
          value={colorScheme}
          onChange={(value) => setColorScheme(value as typeof colorScheme)}
        >
          {schemes.map(({ value, label }) => (
            <Menu.RadioItem key={value} value={value}>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={leave}>
          Sign out
        </Menu.Item>
        <Menu.Item leftSection={<IconDevices size={16} />} onClick={leaveEverywhere}>
          Sign out everywhere
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
