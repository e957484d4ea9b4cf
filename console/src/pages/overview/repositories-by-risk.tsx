/** The repositories with the highest risk: the number of open vulnerabilities, weighted by severity. */
import { Link } from '@tanstack/react-router';
import type { Overview } from '../../api/overview.ts';
import { PlainTable } from '../../components/plain-table.tsx';
import { RepositoryCells } from '../../components/repository-cells.tsx';
import { Section } from '../../components/section.tsx';
import { severityCountsLabel } from '../../components/severity-counts.tsx';
import type { Scope } from '../../scopes.ts';

interface RepositoriesByRiskProps {
  slug: string;
  scope: Scope;
  repositories: Overview['repositories'];
}

export function RepositoriesByRisk({ slug, scope, repositories }: RepositoriesByRiskProps) {
  const most = Math.max(1, ...repositories.map(({ open }) => open));
  return (
    <Section
      title="Repositories by risk"
      actions={
        <Link to="/w/$slug/repositories" params={{ slug }}>
          All repositories
        </Link>
      }
    >
      <PlainTable
        none="No repository has open vulnerabilities."
        headings={['Repository', { label: 'By severity', className: 'plain-table-bar' }, 'Open']}
        rows={repositories}
      >
        {(repository) => (
          <tr key={repository.id}>
            <RepositoryCells slug={slug} repository={repository} most={most} />
            <td>
              <Link
                to="/w/$slug/vulnerabilities"
                params={{ slug }}
                search={{ state: 'open', scope, repo: repository.full_name }}
                aria-label={labelOf(repository)}
              >
                {repository.open.toLocaleString()}
              </Link>
            </td>
          </tr>
        )}
      </PlainTable>
    </Section>
  );
}

function labelOf({ full_name, open, by_severity }: Overview['repositories'][number]): string {
  return `${open.toLocaleString()} open in ${full_name}: ${severityCountsLabel(by_severity)}`;
}
