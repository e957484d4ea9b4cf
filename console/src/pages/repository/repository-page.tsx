/** One repository: what is open, the trend, its references with their verdicts, its tools, its policies. */
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { repositoryCountsQuery, repositoryQuery } from '../../api/inventory.ts';
import { trendQuery } from '../../api/overview.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { StatusBadge } from '../../components/badges.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { OpenBySeverity } from '../../components/open-by-severity.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Trend } from '../../components/trend.tsx';
import { References } from './references.tsx';
import { RepositoryFacts } from './repository-facts.tsx';
import { RepositoryPolicies } from './repository-policies.tsx';
import { RepositorySeries } from './repository-series.tsx';
import { TrackedBranches } from './tracked-branches.tsx';
import './repository.css';

export function RepositoryPage() {
  const { slug } = useWorkspace();
  const { repo } = useParams({ from: '/w/$slug/repositories/$repo' });
  const repository = useQuery(repositoryQuery(slug, repo));
  const trend = useQuery(trendQuery(slug, repo));
  // A link may give the name, but counts are read by id.
  const id = repository.data?.id ?? repo;
  const counts = useQuery(repositoryCountsQuery(slug, [id]));
  const open = counts.data?.get(id);
  return (
    <>
      <PageHeader
        title={repository.data?.full_name ?? 'Repository'}
        back={
          <Link to="/w/$slug/repositories" params={{ slug }}>
            Repositories
          </Link>
        }
        aside={repository.data && <StatusBadge status={repository.data.scan_state} />}
      />
      <Loaded query={repository} what="the repository" lines={12}>
        {(data) => (
          <div className="repository">
            {open && <OpenBySeverity slug={slug} counts={open.by_severity} repo={data.full_name} />}
            <Loaded query={trend} what="the trend" lines={8}>
              {({ days }) => <Trend days={days} />}
            </Loaded>
            <References slug={slug} repository={data} />
            <div className="repository-pair">
              <RepositoryPolicies slug={slug} repository={data} />
              <RepositoryFacts slug={slug} repository={data} />
            </div>
            <TrackedBranches repository={data.id} />
            <RepositorySeries slug={slug} repo={data.id} />
          </div>
        )}
      </Loaded>
    </>
  );
}
