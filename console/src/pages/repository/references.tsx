/** The branches, tags and pull requests of the repository, with their open vulnerabilities and the gate's verdict. */

import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { type Reference, type RepositoryDetail, referencesQuery } from '../../api/inventory.ts';
import { enumLabel, ToneBadge, VerdictBadge } from '../../components/badges.tsx';
import type { Column } from '../../components/column.ts';
import { CursorPager } from '../../components/cursor-pager.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { CommitLink, ReferenceForgeLink } from '../../components/forge-link.tsx';
import { LoadedList } from '../../components/loaded.tsx';
import { NothingChecked } from '../../components/nothing-checked.tsx';
import { Section } from '../../components/section.tsx';
import { SeverityBar } from '../../components/severity-bar.tsx';
import { SeverityCounts } from '../../components/severity-counts.tsx';
import { TimeText } from '../../components/time-text.tsx';
import { uploadCommand } from '../../components/upload-command.ts';
import { referenceName } from '../../reference-name.ts';
import { EndReference } from './end-reference.tsx';
import { MakeDefault } from './make-default.tsx';

interface ReferencesProps {
  slug: string;
  repository: RepositoryDetail;
}

export function References({ slug, repository }: ReferencesProps) {
  const { cursor } = useSearch({ from: '/w/$slug/repositories/$repo' });
  const query = useQuery(referencesQuery(slug, repository.id, cursor));
  return (
    <Section title="References" description="The default branch first, then the newest scanned.">
      <LoadedList
        query={query}
        noun="the references"
        lines={4}
        none={
          <EmptyState
            title="It has not been scanned yet"
            command={uploadCommand(slug, { repo: repository.full_name })}
          />
        }
      >
        {({ items, next_cursor }) => (
          <>
            <NothingChecked />
            <DataTable
              label="References"
              columns={columnsOf(slug, repository, items)}
              rows={items}
              keyOf={(row) => row.id}
              nameOf={(row) => row.ref}
              stale={query.isPlaceholderData}
              fixedColumns
            />
            <CursorPager nextCursor={next_cursor} count={items.length} />
          </>
        )}
      </LoadedList>
    </Section>
  );
}

function ReferenceState({ reference: { tracked, active } }: { reference: Reference }) {
  if (tracked && active) {
    return (
      <ToneBadge tone="good" title="Vulnerabilities there stay open, however old the last scan is">
        Tracked
      </ToneBadge>
    );
  }
  return active ? (
    <ToneBadge tone="busy" title="Scanned recently">
      Active
    </ToneBadge>
  ) : (
    <ToneBadge tone="plain" title="Deleted, or not scanned for a long time: nothing there counts as open">
      Quiet
    </ToneBadge>
  );
}

function openOn(row: Reference): number {
  return Object.values(row.open_by_severity).reduce((sum, n) => sum + n, 0);
}

function columnsOf(slug: string, repository: RepositoryDetail, references: Reference[]): Column<Reference>[] {
  const others = references.filter((row) => row.active && row.last_scanned_at !== null && !row.is_default);
  const repo = repository.full_name;
  return [
    {
      id: 'ref',
      label: 'Reference',
      cell: (row) => (
        <>
          <Link
            to="/w/$slug/vulnerabilities"
            params={{ slug }}
            search={{ state: 'open', repo, ref: referenceName(row) }}
            className="break"
          >
            {row.ref}
          </Link>{' '}
          <ReferenceForgeLink repository={repository} reference={row} />{' '}
          {row.is_default && <ToneBadge tone="busy">Default</ToneBadge>}{' '}
          {row.type === 'branch' && !(row.is_default && row.active) && (
            <MakeDefault repository={repository} reference={row} />
          )}
        </>
      ),
    },
    { id: 'type', label: 'Type', cell: (row) => enumLabel(row.type) },
    { id: 'verdict', label: 'Verdict', cell: (row) => <VerdictBadge verdict={row.verdict} /> },
    { id: 'open', label: 'Open', align: 'right', cell: (row) => openOn(row).toLocaleString() },
    {
      id: 'severity',
      label: 'By severity',
      width: 170,
      cell: (row) =>
        openOn(row) > 0 && (
          <>
            <SeverityBar counts={row.open_by_severity} />
            <SeverityCounts counts={row.open_by_severity} />
          </>
        ),
    },
    { id: 'scanned', label: 'Last scanned', cell: (row) => <TimeText value={row.last_scanned_at} /> },
    {
      id: 'state',
      label: 'State',
      cell: (row) => (
        <>
          <ReferenceState reference={row} /> {/* The default branch ends last. */}
          {(!row.is_default || others.length === 0) && <EndReference reference={row} />}
        </>
      ),
    },
    {
      id: 'sha',
      label: 'Commit',
      cell: (row) => row.sha && <CommitLink repository={repository} sha={row.sha} length={10} />,
    },
  ];
}
