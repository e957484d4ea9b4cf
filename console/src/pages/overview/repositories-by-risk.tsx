/** The repositories with the highest risk: the number of open vulnerabilities, weighted by severity. */
import { Link } from '@tanstack/react-router';
import type { Overview } from '../../api/overview.ts';
import { RepositoryCells } from '../../components/repository-cells.tsx';
import { Section } from '../../components/section.tsx';
import { severityCountsLabel } from '../../components/severity-counts.tsx';
import type { Scope } from '../../scopes.ts';
import '../../components/plain-table.css';

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
      {repositories.length === 0 ? (
        <p className="plain-table-none">No repository has open vulnerabilities.</p>
      ) : (
        <table className="plain-table">
          <thead>
            <tr>
              <th scope="col">Repository</th>
              <th scope="col" className="plain-table-bar">
                By severity
              </th>
              <th scope="col">Open</th>
            </tr>
          </thead>
          <tbody>
            {repositories.map((repository) => (
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
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}

function labelOf({ full_name, open, by_severity }: Overview['repositories'][number]): string {
  return `${open.toLocaleString()} open in ${full_name}: ${severityCountsLabel(by_severity)}`;
}
