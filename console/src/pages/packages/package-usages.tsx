/** The usages of a package: repository, reference and manifest, with the version. */
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { type PackageDetail, type PackageUsage, packageUsagesQuery } from '../../api/packages.ts';
import { ToneBadge } from '../../components/badges.tsx';
import type { Column } from '../../components/column.ts';
import { CursorPager } from '../../components/cursor-pager.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Section } from '../../components/section.tsx';
import { shortRef } from '../../reference-name.ts';
import { OpenLink } from './open-link.tsx';
import { versionName } from './package-versions.tsx';

export function PackageUsages({ slug, detail }: { slug: string; detail: PackageDetail }) {
  const search = useSearch({ from: '/w/$slug/packages/$package' });
  const query = useQuery(packageUsagesQuery(slug, detail.id, search));
  const version = detail.used_versions.find(({ id }) => id === search.version);
  return (
    <Section
      title="Where it is used"
      description={
        search.version === undefined ? (
          'On active references, by version.'
        ) : (
          <>
            {version ? `Only version ${versionName(version)}.` : 'Only one version.'}{' '}
            <Link to="." search={{}} resetScroll={false}>
              Show all versions
            </Link>
          </>
        )
      }
    >
      <Loaded query={query} noun="where it is used" lines={4}>
        {({ items, next_cursor }) => (
          <>
            <DataTable
              label="Where it is used"
              columns={columnsOf(slug, detail)}
              rows={items}
              keyOf={(row) => [row.reference.id, row.version_id, row.manifest].join(' ')}
              nameOf={(row) => row.repository.full_name}
              stale={query.isPlaceholderData}
              fixedColumns
            />
            <CursorPager nextCursor={next_cursor} count={items.length} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

function columnsOf(slug: string, { purl }: PackageDetail): Column<PackageUsage>[] {
  return [
    {
      id: 'repository',
      label: 'Repository',
      cell: ({ repository }) => (
        <Link to="/w/$slug/repositories/$repo" params={{ slug, repo: repository.id }} className="break">
          {repository.full_name}
        </Link>
      ),
    },
    { id: 'version', label: 'Version', cell: (row) => <span className="break">{versionName(row)}</span> },
    {
      id: 'reference',
      label: 'Reference',
      cell: ({ reference }) => (
        <>
          <span className="break">{shortRef(reference.full_ref)}</span>{' '}
          {reference.is_default && <ToneBadge tone="busy">Default</ToneBadge>}
        </>
      ),
    },
    {
      id: 'manifest',
      label: 'Listed in',
      wrap: true,
      cell: (row) => <span className="break">{row.manifest}</span>,
    },
    { id: 'direct', label: 'Dependency', cell: (row) => directLabel(row.direct) },
    {
      id: 'open',
      label: 'Open in repository',
      width: 150,
      cell: (row) => <OpenLink slug={slug} purl={purl} repo={row.repository.full_name} counts={row} />,
    },
  ];
}

function directLabel(direct: boolean | null): string {
  if (direct === null) return 'Not known';
  return direct ? 'Direct' : 'Transitive';
}
