/** The facts that the inventory has about a repository. */
import { Link } from '@tanstack/react-router';
import type { RepositoryDetail } from '../../api/inventory.ts';
import { CopiedFact, Fact } from '../../components/fact.tsx';
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
        <Fact name="Organization">
          <Link
            to="/w/$slug/repositories"
            params={{ slug }}
            search={{ org: org.full_path }}
            className="break"
          >
            {org.full_path}
          </Link>
        </Fact>
        <Fact name="Default branch">{default_branch.ref ?? 'Not known yet'}</Fact>
        <Fact name="Source">{sources[repository.source] ?? repository.source}</Fact>
        {/* A fact of fixed-width text alone is lower than others. */}
        <div>
          <dt>External id</dt>
          <dd className="mono break">{repository.external_id}</dd>
        </div>
        <Fact name="Private">{yesNo(repository.is_private)}</Fact>
        <Fact name="Archived">{yesNo(repository.is_archived)}</Fact>
        <Fact name="Monorepo">{yesNo(repository.is_monorepo)}</Fact>
        <Fact name="Exposed">
          <Exposure slug={slug} repository={repository} />
        </Fact>
        <Fact name="Added">
          <TimeText value={repository.created_at} as="date" />
        </Fact>
        <CopiedFact name="Id" value={repository.id} noun="the id" />
      </dl>
    </Section>
  );
}
