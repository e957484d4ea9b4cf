/** The menu of the saved views of this page: it opens one, and saves the current address. */
import { Button, Menu } from '@mantine/core';
import { IconBookmark, IconCheck, IconChevronDown } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment, useState } from 'react';
import { type SavedView, savedViewsQuery } from '../../api/saved-views.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { MenuDropdown } from '../../components/menu-dropdown.tsx';
import { parseSearch, stringifySearch } from '../../search.ts';
import { DeleteView } from './delete-view.tsx';
import { SaveView } from './save-view.tsx';
import { type VulnerabilitySearch, vulnerabilitySearch } from './search.ts';

type Dialog = 'save' | 'change' | 'delete';

export function SavedViews({ search }: { search: VulnerabilitySearch }) {
  const { slug, may } = useWorkspace();
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const { data } = useQuery(savedViewsQuery(slug));
  const views = data?.items.filter(({ page }) => page === 'vulnerabilities') ?? [];
  const query = queryOf(search);
  const shown = views.filter((view) => queryOf(searchOfView(view)) === query);
  const current = shown.find(({ own }) => own) ?? shown[0];
  const mayDelete = current !== undefined && (current.own || may('admin'));
  const groups = [
    { label: 'Your views', views: views.filter(({ own }) => own) },
    { label: 'Shared by others', views: views.filter(({ own }) => !own) },
  ];
  const close = () => setDialog(null);
  return (
    <>
      <Menu position="bottom-end" width={300}>
        <Menu.Target>
          <Button
            variant="default"
            className="vuln-views"
            leftSection={<IconBookmark size={16} />}
            rightSection={<IconChevronDown size={16} />}
          >
            {current ? `View: ${current.name}` : 'Views'}
          </Button>
        </Menu.Target>
        <MenuDropdown className="vuln-views-menu">
          {groups.map(
            (group) =>
              group.views.length > 0 && (
                <Fragment key={group.label}>
                  <Menu.Label>{group.label}</Menu.Label>
                  {group.views.map((view) => (
                    <ViewItem key={view.id} view={view} slug={slug} isCurrent={view.id === current?.id} />
                  ))}
                </Fragment>
              ),
          )}
          {views.length > 0 && <Menu.Divider />}
          <Menu.Item onClick={() => setDialog('save')}>Save as a view…</Menu.Item>
          {current?.own && (
            <Menu.Item onClick={() => setDialog('change')}>Rename or share this view…</Menu.Item>
          )}
          {mayDelete && <Menu.Item onClick={() => setDialog('delete')}>Delete this view…</Menu.Item>}
        </MenuDropdown>
      </Menu>
      <SaveView opened={dialog === 'save'} onClose={close} query={query} views={views} />
      {current && (
        <SaveView opened={dialog === 'change'} onClose={close} query={query} views={views} view={current} />
      )}
      {current && <DeleteView view={current} opened={dialog === 'delete'} onClose={close} />}
    </>
  );
}

function ViewItem({ view, slug, isCurrent }: { view: SavedView; slug: string; isCurrent: boolean }) {
  return (
    <Menu.Item
      renderRoot={(props) => (
        <Link to="/w/$slug/vulnerabilities" params={{ slug }} search={searchOfView(view)} {...props} />
      )}
      {...(isCurrent ? { 'aria-current': 'true' as const } : {})}
      leftSection={isCurrent ? <IconCheck size={14} /> : <span className="vuln-view-unchecked" />}
      rightSection={
        <span className="vuln-view-owner">{view.own ? view.shared && 'Shared' : view.owner.name}</span>
      }
    >
      <span className="break">{view.name}</span>
    </Menu.Item>
  );
}

/** A view has the filters and the order of a list, but no page and no panel. */
function filtersAndOrder({ cursor: _cursor, v: _v, tab: _tab, ...rest }: VulnerabilitySearch) {
  return rest;
}

/** Only parameters that the page knows are read from the text that a person has saved. */
function searchOfView({ query }: SavedView) {
  return filtersAndOrder(vulnerabilitySearch(parseSearch(query)));
}

function queryOf(search: VulnerabilitySearch): string {
  return stringifySearch(filtersAndOrder(vulnerabilitySearch(search))).slice(1);
}
