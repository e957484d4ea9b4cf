/**
 * The overview of the workspace: open and due work, the trend, and the repositories with the highest risk. Each number
 * links to its list.
 */

import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { type Overview, overviewQuery, trendQuery } from '../../api/overview.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { OpenBySeverity } from '../../components/open-by-severity.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Trend } from '../../components/trend.tsx';
import { uploadCommand } from '../../components/upload-command.ts';
import { type Scope, scopeLabels, scopes } from '../../scopes.ts';
import { useAnySearch } from '../../use-any-search.ts';
import { FixTimes } from './fix-times.tsx';
import { KpiTiles } from './kpi-tiles.tsx';
import { RepositoriesByRisk } from './repositories-by-risk.tsx';
import './overview.css';

export function OverviewPage() {
  const { slug, workspace } = useWorkspace();
  const { scope = 'tracked' } = useSearch({ from: '/w/$slug/' });
  const overview = useQuery(overviewQuery(slug, scope));
  const trend = useQuery(trendQuery(slug));
  return (
    <>
      <PageHeader
        title="Overview"
        description={`${workspace}: open vulnerabilities and due violations`}
        actions={
          <>
            {overview.data && !hasNothing(overview.data) && (
              <Link to="/w/$slug/report" params={{ slug }}>
                Report
              </Link>
            )}
            <ScopeChoice scope={scope} />
          </>
        }
      />
      {overview.data && hasNothing(overview.data) ? (
        <FirstScan slug={slug} />
      ) : (
        <div className="overview">
          <Loaded query={overview} noun="the overview" lines={8}>
            {(data) => (
              <>
                <KpiTiles slug={slug} scope={scope} overview={data} />
                <OpenBySeverity slug={slug} scope={scope} counts={data.open.by_severity} />
              </>
            )}
          </Loaded>
          {/* The chart does not wait for the numbers above, because drawing it takes as long as loading them. */}
          <Loaded query={trend} noun="the trend" lines={8}>
            {(history) => <Trend history={history} />}
          </Loaded>
          {overview.data && (
            <div className="overview-pair">
              <RepositoriesByRisk slug={slug} scope={scope} repositories={overview.data.repositories} />
              <FixTimes slug={slug} times={overview.data.fix_time} />
            </div>
          )}
        </div>
      )}
    </>
  );
}

function ScopeChoice({ scope }: { scope: Scope }) {
  const { set } = useAnySearch();
  return (
    <SegmentedControl
      size="xs"
      maw="100%"
      classNames={{ label: 'overview-scope' }}
      aria-label="Scope of open vulnerabilities"
      value={scope}
      onChange={(value) => set({ scope: value === 'tracked' ? undefined : value })}
      data={scopes.map((value) => ({ value, label: scopeLabels[value] }))}
    />
  );
}

function hasNothing({ scans, open }: Overview): boolean {
  return scans.last_finished_at === null && open.total === 0;
}

function FirstScan({ slug }: { slug: string }) {
  const { may } = useWorkspace();
  const command = [
    'trivy fs --format json --output trivy.json .',
    uploadCommand(slug, { report: 'trivy.json' }),
  ].join('\n');
  if (!may('member')) {
    return (
      <EmptyState title="Nothing has been scanned yet" command={command}>
        A member of the workspace, or CI with an API key, uploads the first report of any scanner.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="Nothing has been scanned yet" command={command}>
      Create an{' '}
      <Link to="/w/$slug/keys" params={{ slug }}>
        API key
      </Link>{' '}
      with the preset CI, and upload the first report of any scanner. Or{' '}
      <Link to="/w/$slug/scans/upload" params={{ slug }}>
        upload one here
      </Link>
      .
    </EmptyState>
  );
}
