/** Shows the workspace of the page, and switches to another one: to the same page there. */
import { Menu, UnstyledButton } from '@mantine/core';
import { IconCheck, IconSelector } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps, useMatches, useParams } from '@tanstack/react-router';
import { workspacesQuery } from '../api/workspaces.ts';
import './workspace-switcher.css';

export function WorkspaceSwitcher() {
  const { slug } = useParams({ strict: false });
  const { data } = useQuery(workspacesQuery);
  const to = useSamePage();
  const current = data?.items.find((item) => item.slug === slug);
  if (!data || !current) return null;
  return (
    <Menu position="bottom-start" width={280}>
      <Menu.Target>
        <UnstyledButton className="switcher" aria-label={`Workspace ${current.workspace}: change`}>
          <span className="switcher-name">{current.workspace}</span>
          <IconSelector size={15} aria-hidden="true" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown mah={400} className="switcher-list">
        <Menu.Label>Workspaces</Menu.Label>
        {data.items.map((item) => (
          <Menu.Item
            key={item.id}
            renderRoot={(props) => (
              <Link {...({ to, params: { slug: item.slug } } as LinkProps)} {...props} />
            )}
            rightSection={item.slug === slug ? <IconCheck size={15} aria-label="shown now" /> : undefined}
          >
            {item.workspace}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item renderRoot={(props) => <Link to="/" {...props} />}>All workspaces</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/**
 * The path of this page in another workspace. A page about one object does not exist there, so its list is shown
 * instead.
 */
export function useSamePage(): string {
  return useMatches({
    select: (matches) => {
      const path = matches.at(-1)?.fullPath ?? '/';
      const [, w = '', , page = ''] = path.split('/');
      return w === 'w' && page !== '' ? `/w/$slug/${page}` : '/w/$slug';
    },
  });
}
