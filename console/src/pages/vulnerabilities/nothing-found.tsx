/** Instead of an empty list: how to upload the first report, or that the filters leave nothing. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { vulnerabilitiesQuery } from '../../api/vulnerabilities.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { anyState } from './search.ts';

export function NothingFound() {
  const { slug } = useWorkspace();
  // Whether there is anything at all.
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
        What scanners find stands here once somebody has uploaded a report.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="There is no vulnerability yet"
      command={[
        `export MERLON_URL=${location.origin}`,
        `export MERLON_WORKSPACE=${slug}`,
        'export MERLON_TOKEN=mrl_…',
        'merlon scan upload report.json',
      ].join('\n')}
      action={
        <Link to="/w/$slug/keys" params={{ slug }}>
          Make an API key
        </Link>
      }
    >
      Upload the report of a scanner, from your machine or from CI, with an API key that may upload scans.
      What it finds stands here a moment later.
    </EmptyState>
  );
}

function NoMatch({ total, slug }: { total: number; slug: string }) {
  return (
    <EmptyState
      title="Nothing matches these filters"
      action={
        <Button
          variant="default"
          renderRoot={(props) => (
            <Link to="/w/$slug/vulnerabilities" params={{ slug }} search={{ state: anyState }} {...props} />
          )}
        >
          Clear the filters
        </Button>
      }
    >
      The workspace has {total.toLocaleString()} in all, in any status.
    </EmptyState>
  );
}
