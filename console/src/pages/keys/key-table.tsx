/** The list of keys, with the filter by status. A row opens the key in the panel. */
import { Button, Text } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ApiKey, keyStatuses } from '../../api/keys.ts';
import { enumLabel, StatusBadge, ToneBadge } from '../../components/badges.tsx';
import type { Column } from '../../components/column.ts';
import { DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { hasWords } from '../../components/has-words.ts';
import { SmallNote } from '../../components/note.tsx';
import { TimeText, useNow } from '../../components/time-text.tsx';
import { expiresSoon, maskedValue, workspacesText } from './key-labels.ts';

const route = getRouteApi('/w/$slug/keys');

interface KeyTableProps {
  items: ApiKey[];
  openKey: string | undefined;
  onRevoke: (key: ApiKey) => void;
}

export function KeyTable({ items, openKey, onRevoke }: KeyTableProps) {
  const { status: wanted, q } = route.useSearch();
  const found = items.filter((key) =>
    hasWords(q, [key.name, makerOf(key), workspacesText(key), ...key.scopes]),
  );
  const rows = wanted ? found.filter(({ status }) => wanted.includes(status)) : found;
  const revoke: Column<ApiKey> = {
    id: 'revoke',
    label: 'Action',
    cell: (key) =>
      key.status === 'Disabled' ? null : (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={`Revoke ${key.name}`}
          onClick={() => onRevoke(key)}
        >
          Revoke
        </Button>
      ),
  };
  return (
    <>
      <FilterBar
        searchField={{ label: 'Name, scope or person' }}
        facets={[
          {
            parameter: 'status',
            label: 'Status',
            multiple: true,
            options: keyStatuses.map((status) => ({
              value: status,
              label: status,
              count: found.filter((key) => key.status === status).length,
            })),
          },
        ]}
      />
      {rows.length === 0 ? (
        <EmptyState title="No key matches">Search for something else, or clear the filter.</EmptyState>
      ) : (
        <div className="keys-table">
          <DataTable
            label="API keys"
            columns={[...columns, revoke]}
            rows={rows}
            keyOf={(key) => key.id}
            nameOf={(key) => key.name}
            openKey={openKey}
          />
        </div>
      )}
    </>
  );
}

const columns: Column<ApiKey>[] = [
  {
    id: 'name',
    label: 'Name',
    cell: (key) => (
      <>
        <Link
          from="/w/$slug/keys"
          to="."
          search={(now) => ({ ...now, key: key.id })}
          className="two-lines"
          resetScroll={false}
        >
          {key.name}
        </Link>
        <SmallNote>
          {enumLabel(key.kind)} <span className="mono">{maskedValue(key)}</span>
        </SmallNote>
      </>
    ),
  },
  { id: 'status', label: 'Status', cell: (key) => <KeyStatus apiKey={key} /> },
  { id: 'scopes', label: 'Scopes', wrap: true, cell: (key) => <Scopes scopes={key.scopes} /> },
  {
    id: 'workspaces',
    label: 'Workspaces',
    wrap: true,
    cell: (key) =>
      key.role === null ? (
        workspacesText(key)
      ) : (
        <>
          {workspacesText(key)} <span style={{ whiteSpace: 'nowrap' }}>as {key.role}</span>
        </>
      ),
  },
  { id: 'used', label: 'Last used', cell: (key) => <TimeText value={key.last_used_at} /> },
  { id: 'expires', label: 'Expires', cell: (key) => <Expires apiKey={key} /> },
  {
    id: 'created',
    label: 'Created',
    cell: (key) => (
      <>
        <TimeText value={key.created_at} as="date" />
        <Text size="xs" c="dimmed" truncate maw={112}>
          by {makerOf(key)}
        </Text>
      </>
    ),
  },
];

/** Only a revocation disables a key. */
export function KeyStatus({ apiKey: { status } }: { apiKey: ApiKey }) {
  return (
    <>
      <StatusBadge status={status} />
      {status === 'Disabled' && <SmallNote>Revoked</SmallNote>}
    </>
  );
}

export function makerOf({ created_by }: ApiKey): string {
  return created_by?.name ?? 'the operator';
}

// This many fit on two lines; the panel shows all.
const shownScopes = 2;

function Scopes({ scopes }: { scopes: string[] }) {
  const more = scopes.length - shownScopes;
  return (
    <ul className="scope-names">
      {scopes.slice(0, more === 1 ? shownScopes + 1 : shownScopes).map((scope) => (
        <li key={scope} className="mono">
          {scope}
        </li>
      ))}
      {more > 1 && <li>and {more} more</li>}
    </ul>
  );
}

/** A revoked key shows no future end. */
export function Expires({ apiKey }: { apiKey: ApiKey }) {
  const now = useNow();
  if (apiKey.status === 'Disabled') return <>–</>;
  const time = <TimeText value={apiKey.expires_at} />;
  return expiresSoon(apiKey, now) ? <ToneBadge tone="warn">{time}</ToneBadge> : time;
}
