/**
 * The policies that apply to the repository: the rule behind each, its mode, and its active and blocking violations.
 */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import {
  type RepositoryDetail,
  type RepositoryPolicy,
  repositoryPoliciesQuery,
} from '../../api/inventory.ts';
import { enumLabel, ToneBadge } from '../../components/badges.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PlainTable, PlainTableRegion } from '../../components/plain-table.tsx';
import { Section } from '../../components/section.tsx';

interface RepositoryPoliciesProps {
  slug: string;
  repository: RepositoryDetail;
}

export function RepositoryPolicies({ slug, repository }: RepositoryPoliciesProps) {
  const query = useQuery(repositoryPoliciesQuery(slug, repository.id));
  return (
    <Section
      title="Policies"
      description="The active policies that apply here."
      actions={
        <Link to="/w/$slug/violations" params={{ slug }} search={{ repo: repository.full_name }}>
          All violations here
        </Link>
      }
    >
      <Loaded query={query} noun="the policies" lines={4}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="plain-table-none">
              No active policy applies here.{' '}
              <Link to="/w/$slug/policies" params={{ slug }}>
                All policies
              </Link>
            </p>
          ) : (
            <PlainTableRegion label="Policies that apply here">
              <PlainTable
                headings={[
                  'Policy',
                  { label: 'In force', className: 'plain-table-left' },
                  'Unresolved',
                  'Blocking',
                ]}
                rows={items}
              >
                {(item) => (
                  <PolicyRow key={item.policy.id} slug={slug} repo={repository.full_name} item={item} />
                )}
              </PlainTable>
            </PlainTableRegion>
          )
        }
      </Loaded>
    </Section>
  );
}

interface PolicyRowProps {
  slug: string;
  repo: string;
  item: RepositoryPolicy;
}

function PolicyRow({
  slug,
  repo,
  item: { policy, enforcement_mode: mode, rule, ...counts },
}: PolicyRowProps) {
  const { unresolved, blocking } = counts;
  const search = { repo, policy: [policy.key] };
  return (
    <tr>
      <th scope="row">
        <Link to="/w/$slug/policies/$policy" params={{ slug, policy: policy.id }} className="break">
          {policy.name}
        </Link>
        <div className="repository-note break">{ruleLabel(rule)}</div>
      </th>
      <td className="plain-table-left">
        <ToneBadge tone={tones[mode] ?? 'plain'}>{enumLabel(mode)}</ToneBadge>
      </td>
      <td>
        <Link
          to="/w/$slug/violations"
          params={{ slug }}
          search={search}
          aria-label={`${unresolved.toLocaleString()} unresolved of ${policy.name}`}
        >
          {unresolved.toLocaleString()}
        </Link>
      </td>
      <td>
        <Link
          to="/w/$slug/violations"
          params={{ slug }}
          search={{ ...search, blocking: 'yes' }}
          aria-label={`${blocking.toLocaleString()} blocking of ${policy.name}`}
        >
          {blocking.toLocaleString()}
        </Link>
      </td>
    </tr>
  );
}

const tones: Record<string, 'bad' | 'warn'> = { block: 'bad', warn: 'warn' };

const scopes: Record<string, string> = {
  org: 'organization',
  application: 'application',
  repo: 'repository',
};

function ruleLabel(rule: RepositoryPolicy['rule']): string {
  if (rule === null) return 'applies everywhere';
  const scope = scopes[rule.type];
  if (scope === undefined) return 'by its rule for the workspace';
  return `by its rule for the ${scope} ${rule.name ?? ''}`.trimEnd();
}
