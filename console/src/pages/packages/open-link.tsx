/** The number of open vulnerabilities of a package, which leads to the list of them. */
import { Link } from '@tanstack/react-router';
import { SeverityBar } from '../../components/severity-bar.tsx';
import { SeverityCounts } from '../../components/severity-counts.tsx';

interface OpenLinkProps {
  slug: string;
  /** The package URL, or without it the number alone. */
  purl?: string;
  repo?: string;
  counts: { open: number; open_by_severity: Record<string, number> };
}

export function OpenLink({ slug, purl, repo, counts }: OpenLinkProps) {
  if (counts.open === 0) return <span className="dimmed">0</span>;
  const number = counts.open.toLocaleString();
  return (
    <>
      {purl === undefined ? (
        number
      ) : (
        <Link
          to="/w/$slug/vulnerabilities"
          params={{ slug }}
          search={{ state: 'open', package: purl, ...(repo === undefined ? {} : { repo }) }}
          aria-label={`${number} open`}
        >
          {number}
        </Link>
      )}
      <SeverityBar counts={counts.open_by_severity} />
      <SeverityCounts counts={counts.open_by_severity} />
    </>
  );
}
