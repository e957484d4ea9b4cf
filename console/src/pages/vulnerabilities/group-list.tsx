/**
 * The groups of the list, those with the most severe vulnerabilities first: packages with the upgrade that fixes most,
 * rules, or repositories.
 */
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { groupsQuery, type VulnerabilityGroup } from '../../api/vulnerabilities.ts';
import type { Column } from '../../components/column.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { ReportText } from '../../components/report-text.tsx';
import { SeverityBar } from '../../components/severity-bar.tsx';
import { SeverityCounts, severityCountsLabel } from '../../components/severity-counts.tsx';
import { ruleLabel, vulnerabilityCount } from './labels.ts';
import { GroupSelect } from './list-controls.tsx';
import { NothingFound } from './nothing-found.tsx';
import { filtersOf, type Grouping, type VulnerabilitySearch } from './search.ts';

interface GroupListProps {
  slug: string;
  search: VulnerabilitySearch;
  by: Grouping;
}

const plurals: Record<Grouping, string> = {
  package: 'packages',
  rule: 'rules',
  repository: 'repositories',
};

/** The parameter of the address that lists one group. */
const parameters = { package: 'package', rule: 'rule', repository: 'repo' } as const;

export function GroupList({ slug, search, by }: GroupListProps) {
  const query = useQuery(groupsQuery(slug, by, filtersOf(search)));
  return (
    <Loaded query={query} noun="the groups" lines={10}>
      {({ items, total }) => (
        <>
          <DataTable
            label={`Vulnerabilities by ${by}`}
            columns={columnsOf(slug, search, by, Math.max(...items.map((group) => group.total)))}
            rows={items}
            keyOf={({ key }) => key}
            nameOf={({ name }) => name}
            stale={query.isPlaceholderData}
            fixedColumns
            isCards
            toolbar={
              <>
                <Text size="sm" fw={600} className="tabular" role="status">
                  {items.length < total
                    ? `The worst ${items.length.toLocaleString()} of ${total.toLocaleString()} ${plurals[by]}`
                    : `${total.toLocaleString()} ${total === 1 ? by : plurals[by]}`}
                </Text>
                <GroupSelect group={by} />
              </>
            }
          />
          {total === 0 && <NothingFound />}
        </>
      )}
    </Loaded>
  );
}

/** The bar of the group with the most vulnerabilities, `largest`, is full, so that the bars compare. */
function columnsOf(
  slug: string,
  search: VulnerabilitySearch,
  by: Grouping,
  largest: number,
): Column<VulnerabilityGroup>[] {
  const { group: _, cursor: _cursor, ...rest } = search;
  return [
    {
      id: 'name',
      label: by.replace(/^./, (first) => first.toUpperCase()),
      cell: ({ key, name }) => (
        <Link
          to="/w/$slug/vulnerabilities"
          params={{ slug }}
          search={{ ...rest, [parameters[by]]: key }}
          className="vuln-name"
        >
          <ReportText title={key}>{by === 'rule' ? ruleLabel(name) : name}</ReportText>
        </Link>
      ),
    },
    {
      id: 'upgrade',
      label: 'Upgrade',
      hidden: by !== 'package',
      cell: ({ upgrade, total }) =>
        upgrade ? (
          <>
            To <ReportText className="mono vuln-fixed">{upgrade.version}</ReportText> clears{' '}
            {upgrade.clears === total ? `all ${total.toLocaleString()}` : upgrade.clears.toLocaleString()}
          </>
        ) : (
          <span className="vuln-none">No fix is known</span>
        ),
    },
    {
      id: 'severities',
      label: 'Severities',
      cell: ({ by_severity: counts }) => (
        <div className="vuln-group-bar" title={severityCountsLabel(counts)}>
          <SeverityBar counts={counts} of={largest} height={10} />
          <SeverityCounts counts={counts} />
        </div>
      ),
    },
    {
      id: 'total',
      label: 'Vulnerabilities',
      align: 'right',
      cell: ({ total }) => <span title={vulnerabilityCount(total)}>{total.toLocaleString()}</span>,
    },
    {
      id: 'repositories',
      label: 'Repositories',
      hidden: by === 'repository',
      align: 'right',
      cell: ({ repositories }) => repositories.toLocaleString(),
    },
  ];
}
