/** The licenses of the packages in use, each with the number of packages, which links to the list of them. */
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { type License, licensesQuery } from '../../api/packages.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import type { Column } from '../../components/column.ts';
import { ListTable } from '../../components/list-table.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { visibleText } from '../../components/report-text.tsx';
import { NoPackage } from './no-package.tsx';

export function LicensesPage() {
  const { slug } = useWorkspace();
  const filters = useSearch({ from: '/w/$slug/packages/licenses' });
  const query = useQuery(licensesQuery(slug, filters));
  return (
    <>
      <PageHeader
        title="Licenses"
        description="Licenses as reports declare them. An expression such as “MIT OR Apache-2.0” counts as one license."
        back={{ to: '/w/$slug/packages', label: 'Packages' }}
      />
      <ListTable
        query={query}
        noun="the licenses"
        none={<NoPackage slug={slug} />}
        label="Licenses"
        columns={columnsOf(slug)}
        keyOf={(row) => row.name}
        nameOf={(row) => row.name}
        fixedColumns
      />
    </>
  );
}

function columnsOf(slug: string): Column<License>[] {
  return [
    {
      id: 'name',
      label: 'License',
      wrap: true,
      cell: (row) => (
        <Link to="/w/$slug/packages" params={{ slug }} search={{ license: row.name }} className="break">
          {visibleText(row.name)}
        </Link>
      ),
    },
    { id: 'packages', label: 'Packages', align: 'right', cell: (row) => row.packages.toLocaleString() },
  ];
}
