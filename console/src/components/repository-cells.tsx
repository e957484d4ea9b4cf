/** The first two cells of a repository in a plain table: its name, and its bar by severity. */
import { Link } from '@tanstack/react-router';
import type { Overview } from '../api/overview.ts';
import { SeverityBar } from './severity-bar.tsx';
import { severityCountsLabel } from './severity-counts.tsx';

interface RepositoryCellsProps {
  slug: string;
  repository: Overview['repositories'][number];
  /** The number that fills a bar, of all rows, so that they compare. */
  most: number;
}

export function RepositoryCells({ slug, repository, most }: RepositoryCellsProps) {
  const { id, full_name, by_severity } = repository;
  return (
    <>
      <th scope="row">
        <Link to="/w/$slug/repositories/$repo" params={{ slug, repo: id }} className="break">
          {full_name}
        </Link>
      </th>
      <td className="plain-table-bar" title={severityCountsLabel(by_severity)}>
        <SeverityBar counts={by_severity} of={most} />
      </td>
    </>
  );
}
