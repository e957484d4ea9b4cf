/** The facts that the inventory has about a repository. */
import { Link } from '@tanstack/react-router';
import type { RepositoryDetail } from '../../api/inventory.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { Section } from '../../components/section.tsx';
import { sources } from '../../components/source-labels.ts';
import { TimeText } from '../../components/time-text.tsx';
import { Exposure } from './exposure.tsx';

interface RepositoryFactsProps {
  slug: string;
  repository: RepositoryDetail;
}

export function RepositoryFacts({ slug, repository }: RepositoryFactsProps) {
  const { org, default_branch } = repository;
  const yesNo = (value: boolean): string => (value ? 'Yes' : 'No');
  return (
    <Section title="Facts">
      <dl className="facts">
        <div>
          <dt>Organization</dt>
          <dd>
            <Link
              to="/w/$slug/repositories"
              params={{ slug }}
              search={{ org: org.full_path }}
              className="break"
            >
              {org.full_path}
            </Link>
          </dd>
        </div>
        <div>
          <dt>Default branch</dt>
          <dd className="break">{default_branch.ref ?? 'Not known yet'}</dd>
        </div>
        <div>
          <dt>Source</dt>
          <dd>{sources[repository.source] ?? repository.source}</dd>
        </div>
        <div>
          <dt>External id</dt>
          <dd className="mono break">{repository.external_id}</dd>
        </div>
        <div>
          <dt>Private</dt>
          <dd>{yesNo(repository.is_private)}</dd>
        </div>
        <div>
          <dt>Archived</dt>
          <dd>{yesNo(repository.is_archived)}</dd>
        </div>
        <div>
          <dt>Monorepo</dt>
          <dd>{yesNo(repository.is_monorepo)}</dd>
        </div>
        <div>
          <dt>Exposed</dt>
          <dd>
            <Exposure slug={slug} repository={repository} />
          </dd>
        </div>
        <div>
          <dt>Added</dt>
          <dd>
            <TimeText value={repository.created_at} as="date" />
          </dd>
        </div>
        <div>
          <dt>Id</dt>
          <dd>
            <span className="mono break">{repository.id}</span>{' '}
            <CopyButton value={repository.id} label="Copy the id" size="xs" />
          </dd>
        </div>
      </dl>
    </Section>
  );
}
