/**
 * One repository, with a tab for open vulnerabilities, one for its references with their verdicts, one for its
 * policies, and one for its tools.
 */
import { Button, Tabs } from '@mantine/core';
import { IconBug } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { type RepositoryDetail, repositoryCountsQuery, repositoryQuery } from '../../api/inventory.ts';
import { trendQuery } from '../../api/overview.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { StatusBadge } from '../../components/badges.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { OpenBySeverity } from '../../components/open-by-severity.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Trend } from '../../components/trend.tsx';
import { uploadCommand } from '../../components/upload-command.ts';
import { useAnySearch } from '../../use-any-search.ts';
import { CodeOwners } from './code-owners.tsx';
import { References } from './references.tsx';
import { RepositoryFacts } from './repository-facts.tsx';
import { RepositoryPolicies } from './repository-policies.tsx';
import { RepositorySeries } from './repository-series.tsx';
import { repositoryTabs } from './search.ts';
import { TrackedBranches } from './tracked-branches.tsx';
import './repository.css';

export function RepositoryPage() {
  const { slug } = useWorkspace();
  const { repo } = useParams({ from: '/w/$slug/repositories/$repo' });
  const repository = useQuery(repositoryQuery(slug, repo));
  const { tab = 'overview' } = useSearch({ from: '/w/$slug/repositories/$repo' });
  const { set } = useAnySearch();
  return (
    <>
      <PageHeader
        title={repository.data?.full_name ?? 'Repository'}
        back={{ to: '/w/$slug/repositories', label: 'Repositories' }}
        aside={repository.data && <StatusBadge status={repository.data.scan_state} />}
        actions={
          repository.data && (
            <Button
              variant="default"
              leftSection={<IconBug size={16} />}
              renderRoot={(props) => (
                <Link
                  to="/w/$slug/vulnerabilities"
                  params={{ slug }}
                  search={{ repo: repository.data.full_name }}
                  {...props}
                />
              )}
            >
              Vulnerabilities
            </Button>
          )
        }
      />
      <Loaded query={repository} noun="the repository" lines={12}>
        {(data) => (
          <Tabs
            value={tab}
            onChange={(to) => set({ tab: repositoryTabs.find((name) => name !== 'overview' && name === to) })}
            keepMounted={false}
          >
            <Tabs.List mb="md">
              <Tabs.Tab value="overview">Overview</Tabs.Tab>
              <Tabs.Tab value="references">References</Tabs.Tab>
              <Tabs.Tab value="policies">Policies</Tabs.Tab>
              <Tabs.Tab value="scans">Scans</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="overview" className="repository">
              <Overview slug={slug} repository={data} />
            </Tabs.Panel>
            <Tabs.Panel value="references" className="repository">
              <References slug={slug} repository={data} />
              <TrackedBranches repository={data.id} />
            </Tabs.Panel>
            <Tabs.Panel value="policies">
              <RepositoryPolicies slug={slug} repository={data} />
            </Tabs.Panel>
            <Tabs.Panel value="scans">
              <RepositorySeries slug={slug} repository={data} />
            </Tabs.Panel>
          </Tabs>
        )}
      </Loaded>
    </>
  );
}

function Overview({ slug, repository }: { slug: string; repository: RepositoryDetail }) {
  const { id, full_name: name, scan_state: state } = repository;
  const trend = useQuery(trendQuery(slug, id));
  const open = useQuery(repositoryCountsQuery(slug, [id])).data?.get(id);
  if (state === 'never') {
    return (
      <>
        <EmptyState title="It has not been scanned yet" command={uploadCommand(slug, { repo: name })} />
        <RepositoryFacts slug={slug} repository={repository} />
        <CodeOwners repository={id} />
      </>
    );
  }
  return (
    <>
      {open && <OpenBySeverity slug={slug} counts={open.by_severity} repo={name} />}
      <Loaded query={trend} noun="the trend" lines={8}>
        {(history) => <Trend history={history} />}
      </Loaded>
      <RepositoryFacts slug={slug} repository={repository} />
      <CodeOwners repository={id} />
    </>
  );
}
