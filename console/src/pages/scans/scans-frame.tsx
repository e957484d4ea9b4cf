/** The header of the views of scans: all scans, held closures, stale series, replaced series if there are any. */
import { Button } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useMatch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { seriesQuery } from '../../api/series.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { PageHeader } from '../../components/page-header.tsx';
import './scans.css';

interface ScansFrameProps {
  title: string;
  description: ReactNode;
  children: ReactNode;
}

export function ScansFrame({ title, description, children }: ScansFrameProps) {
  const { slug, may } = useWorkspace();
  const params = { slug };
  return (
    <>
      <PageHeader
        title={title}
        description={description}
        actions={
          may('member') && (
            <Button
              leftSection={<IconUpload size={16} />}
              renderRoot={(props) => <Link to="/w/$slug/scans/upload" params={params} {...props} />}
            >
              Upload reports
            </Button>
          )
        }
      />
      <nav className="scan-views" aria-label="Views of scans">
        <Link to="/w/$slug/scans" params={params} activeOptions={{ exact: true, includeSearch: false }}>
          All scans
        </Link>
        <Link to="/w/$slug/scans/held" params={params} activeOptions={{ includeSearch: false }}>
          Closures to review <SeriesCount slug={slug} state="held" />
        </Link>
        <Link to="/w/$slug/scans/stale" params={params} activeOptions={{ includeSearch: false }}>
          Stale series <SeriesCount slug={slug} state="stale" />
        </Link>
        <ReplacedLink slug={slug} />
      </nav>
      {children}
    </>
  );
}

function ReplacedLink({ slug }: { slug: string }) {
  const { data } = useQuery(seriesQuery(slug, { state: 'replaced' }));
  const isHere = useMatch({ from: '/w/$slug/scans/replaced', shouldThrow: false }) !== undefined;
  if (!isHere && (data?.items.length ?? 0) === 0) return null;
  return (
    <Link to="/w/$slug/scans/replaced" params={{ slug }} activeOptions={{ includeSearch: false }}>
      Replaced series <SeriesCount slug={slug} state="replaced" />
    </Link>
  );
}

/** Shows how many there are, up to the size of one page. */
function SeriesCount({ slug, state }: { slug: string; state: 'held' | 'stale' | 'replaced' }) {
  const { data } = useQuery(seriesQuery(slug, { state }));
  if (!data || data.items.length === 0) return null;
  return (
    <span className="scan-views-count">
      {data.items.length.toLocaleString()}
      {data.next_cursor !== null && '+'}
    </span>
  );
}
