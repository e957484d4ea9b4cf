/** The columns of the list of packages. */
import { Link } from '@tanstack/react-router';
import type { Package } from '../../api/packages.ts';
import type { Column } from '../../components/column.ts';
import { Licenses } from './licenses.tsx';
import { OpenLink } from './open-link.tsx';
import { ecosystemName, fullName } from './package-name.ts';

export function packageColumns(slug: string): Column<Package>[] {
  return [
    {
      id: 'name',
      label: 'Package',
      cell: (row) => (
        <Link to="/w/$slug/packages/$package" params={{ slug, package: row.id }} className="break">
          {fullName(row)}
        </Link>
      ),
    },
    { id: 'ecosystem', label: 'Ecosystem', cell: (row) => ecosystemName(row) },
    {
      id: 'repositories',
      label: 'Repositories',
      align: 'right',
      cell: (row) => row.repositories.toLocaleString(),
    },
    { id: 'versions', label: 'Versions', align: 'right', cell: (row) => row.versions.toLocaleString() },
    {
      id: 'open',
      label: 'Open',
      width: 130,
      cell: (row) => <OpenLink slug={slug} purl={row.purl} counts={row} />,
    },
    {
      id: 'licenses',
      label: 'Licenses',
      wrap: true,
      cell: (row) => <Licenses slug={slug} names={row.licenses} />,
    },
    {
      id: 'purl',
      label: 'Package URL',
      hidden: true,
      cell: (row) => <code className="break">{row.purl}</code>,
    },
  ];
}
