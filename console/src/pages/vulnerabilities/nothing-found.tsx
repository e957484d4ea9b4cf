/** Replaces an empty list. It says how to upload the first report, or that no row passes the filters. */

import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { vulnerabilitiesQuery } from '../../api/vulnerabilities.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { uploadCommand } from '../../components/upload-command.ts';
import { anyState, filtersOf, type VulnerabilitySearch, viewOf } from './search.ts';

export function NothingFound() {
  const { slug } = useWorkspace();
  // This query finds out whether the workspace has any vulnerability.
  const query = useQuery(vulnerabilitiesQuery(slug, { per_page: 1 }));
  return (
    <Loaded query={query} lines={2}>
      {({ summary }) =>
        summary.total === 0 ? <NoReport slug={slug} /> : <NoMatch total={summary.total} slug={slug} />
      }
    </Loaded>
  );
}

function NoReport({ slug }: { slug: string }) {
  const mayUpload = useWorkspace().may('member');
  if (!mayUpload) {
    return (
      <EmptyState title="There is no vulnerability yet">
        Findings appear here after the first report is uploaded.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="There is no vulnerability yet"
      command={uploadCommand(slug)}
      action={
        <Link to="/w/$slug/keys" params={{ slug }}>
          Create an API key
        </Link>
      }
    >
      Upload the report of a scanner, from your machine or from CI, with an API key that may upload scans. Its
      findings appear here shortly afterwards.
    </EmptyState>
  );
}

function NoMatch({ total, slug }: { total: number; slug: string }) {
  const search = useSearch({ from: '/w/$slug/vulnerabilities' });
  const { cursor: _, ...rest } = search;
  const { state, scope } = viewOf(search);
  const anywhere: VulnerabilitySearch = { ...rest, state: anyState, ...(scope && { scope: 'all' }) };
  const { data: others, isLoading } = useQuery({
    ...vulnerabilitiesQuery(slug, { ...filtersOf(anywhere), per_page: 1 }),
    enabled: state !== anyState || (scope !== undefined && scope !== 'all'),
  });
  if (isLoading) return <LoadingState lines={2} />;
  if (others && others.summary.total > 0) {
    const count = others.summary.total.toLocaleString();
    return (
      <EmptyState
        title="Nothing matches here"
        action={
          <LinkButton slug={slug} search={anywhere} label={`Show ${count} of any status, everywhere`} />
        }
      >
        {others.summary.total === 1 ? 'One matches' : `${count} match`} in another status, or on references
        that are not tracked.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="Nothing matches these filters"
      action={<LinkButton slug={slug} search={{ state: anyState, scope: 'all' }} label="Clear the filters" />}
    >
      The workspace has {total.toLocaleString()} in all, in any status.
    </EmptyState>
  );
}

interface LinkButtonProps {
  slug: string;
  search: VulnerabilitySearch;
  label: string;
}

function LinkButton({ slug, search, label: words }: LinkButtonProps) {
  return (
    <Button
      variant="default"
      renderRoot={(props) => (
        <Link to="/w/$slug/vulnerabilities" params={{ slug }} search={search} {...props} />
      )}
    >
      {words}
    </Button>
  );
}
