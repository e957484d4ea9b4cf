/** The repositories of an application, ordered by name, with the open vulnerabilities in each. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ApplicationDetail } from '../../api/applications.ts';
import { repositoryCountsQuery } from '../../api/inventory.ts';
import { countOf } from '../../components/target-labels.ts';

// The server counts at most this many at once. Repositories beyond it are listed without numbers.
const countedAtOnce = 200;

interface ApplicationRepositoriesProps {
  slug: string;
  application: ApplicationDetail;
}

export function ApplicationRepositories({ slug, application }: ApplicationRepositoriesProps) {
  const { repositories } = application;
  const ids = repositories.slice(0, countedAtOnce).map(({ id }) => id);
  const { data: counts } = useQuery(repositoryCountsQuery(slug, ids));
  return (
    <section className="application-part">
      <h3>{countOf(repositories.length, 'repository', 'repositories')}</h3>
      {repositories.length === 0 ? (
        <p className="application-none">It has no repository yet.</p>
      ) : (
        <ul>
          {repositories.map(({ id, full_name }) => {
            const open = counts?.get(id)?.open;
            return (
              <li key={id}>
                <Link to="/w/$slug/repositories/$repo" params={{ slug, repo: id }} className="break">
                  {full_name}
                </Link>
                {open !== undefined && (
                  <Link
                    to="/w/$slug/vulnerabilities"
                    params={{ slug }}
                    search={{ state: 'open', repo: full_name }}
                    className="tabular"
                    style={{ whiteSpace: 'nowrap' }}
                    aria-label={`${open.toLocaleString()} open in ${full_name}`}
                  >
                    {open.toLocaleString()} open
                  </Link>
                )}
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}
