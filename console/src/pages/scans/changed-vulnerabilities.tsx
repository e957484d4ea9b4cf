/** The vulnerabilities that a scan was the first to find, and those that it fixed, in their present state. */
import { Stack } from '@mantine/core';
import { queryValues } from '@merlon/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { changedQuery, type ScanChange, type ScanDetail } from '../../api/scans.ts';
import { CursorPager } from '../../components/cursor-pager.tsx';
import { LoadedList } from '../../components/loaded.tsx';
import { Note } from '../../components/note.tsx';
import { Section } from '../../components/section.tsx';
import { SeverityCounts, VulnerabilityRows } from './vulnerability-rows.tsx';

interface ChangedVulnerabilitiesProps {
  slug: string;
  scan: ScanDetail;
}

const titles: Record<ScanChange, string> = { new: 'New vulnerabilities', fixed: 'Fixed vulnerabilities' };

export function ChangedVulnerabilities({ slug, scan }: ChangedVulnerabilitiesProps) {
  const search = useSearch({ from: '/w/$slug/scans/$scan' });
  const { counts } = scan;
  if (counts === null || scan.dry_run) return null;
  const there = queryValues.listScanVulnerabilities.change.filter((change) => counts[change] > 0);
  const change = search.change ?? there[0];
  if (change === undefined) return null;
  return (
    <div id="changed">
      <Section
        title={titles[change]}
        actions={
          there.length > 1 && (
            <nav className="scan-changes" aria-label="Changes">
              {there.map((other) => (
                <Link
                  key={other}
                  from="/w/$slug/scans/$scan"
                  to="."
                  search={{ change: other }}
                  resetScroll={false}
                  aria-current={other === change ? 'true' : undefined}
                >
                  {other === 'new' ? 'New' : 'Fixed'} {counts[other].toLocaleString()}
                </Link>
              ))}
            </nav>
          )
        }
      >
        <Changed slug={slug} id={scan.id} change={change} cursor={search.cursor} />
      </Section>
    </div>
  );
}

interface ChangedProps {
  slug: string;
  id: string;
  change: ScanChange;
  cursor: string | undefined;
}

function Changed({ slug, id, change, cursor }: ChangedProps) {
  const query = useQuery(changedQuery(slug, id, change, cursor));
  return (
    <LoadedList
      query={query}
      noun="the vulnerabilities"
      none={
        <Note>{change === 'new' ? 'None of them exists any more.' : 'None of them is fixed any more.'}</Note>
      }
    >
      {({ summary, items, next_cursor }) => (
        <Stack gap="sm">
          <SeverityCounts summary={summary} />
          <VulnerabilityRows
            slug={slug}
            label={titles[change]}
            rows={items}
            stale={query.isPlaceholderData}
          />
          <CursorPager nextCursor={next_cursor} count={items.length} />
        </Stack>
      )}
    </LoadedList>
  );
}
