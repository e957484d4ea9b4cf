/** The counts of a scan. Each links to the list behind it if there is one. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import type { CountName, ScanCounts, ScanDetail } from '../../api/scans.ts';
import { seriesQuery } from '../../api/series.ts';
import { Stat } from '../../components/stat.tsx';
import { referenceName } from '../../reference-name.ts';
import { countLabels, statementLabels } from './labels.ts';

interface ScanCountListProps {
  slug: string;
  scan: ScanDetail;
  counts: ScanCounts;
}

type LinkOf = (props: { className: string; children: ReactNode }) => ReactElement;

export function ScanCountList({ slug, scan, counts }: ScanCountListProps) {
  const links = useLinks(slug, scan, counts);
  return (
    <section className="scan-counts" aria-label="Results">
      {countLabels
        .filter(({ name }) => counts[name] > 0 || alwaysShown.has(name))
        .map(({ name, label, meaning }) => {
          const link = counts[name] > 0 ? links[name] : undefined;
          const needsLook = counts[name] > 0 && (name === 'closing_held' || name === 'unreadable');
          return (
            <Stat
              key={name}
              label={label}
              value={counts[name]}
              note={meaning}
              {...(needsLook ? { tone: 'warn' as const } : {})}
              {...(link ? { link } : {})}
            />
          );
        })}
      {counts.statements !== undefined &&
        statementLabels.map(({ name, label, meaning }) => (
          <Stat key={name} label={label} value={counts.statements?.[name]} note={meaning} />
        ))}
    </section>
  );
}

const alwaysShown = new Set<CountName>(['new', 'fixed', 'unchanged', 'read']);

function useLinks(slug: string, scan: ScanDetail, counts: ScanCounts): Partial<Record<CountName, LinkOf>> {
  const held = useHeldSeries(slug, scan, counts.closing_held > 0);
  const unreadable: LinkOf = (props) => <a href="#unreadable" {...props} />;
  if (scan.dry_run) return { unreadable };
  const changed =
    (change: 'new' | 'fixed'): LinkOf =>
    (props) => (
      <Link
        from="/w/$slug/scans/$scan"
        to="."
        search={{ change }}
        hash="changed"
        resetScroll={false}
        {...props}
      />
    );
  const there: LinkOf = (props) => (
    <Link
      to="/w/$slug/vulnerabilities"
      params={{ slug }}
      search={{ repo: scan.repository.full_name, ref: referenceName(scan.reference), state: 'open' }}
      {...props}
    />
  );
  return {
    new: changed('new'),
    fixed: changed('fixed'),
    reopened: there,
    unchanged: there,
    unreadable,
    ...(held === undefined
      ? {}
      : {
          closing_held: (props) => (
            <Link to="/w/$slug/scans/held" params={{ slug }} search={{ series: held }} {...props} />
          ),
        }),
  };
}

/** Returns the series that still holds this scan's closure. */
function useHeldSeries(slug: string, scan: ScanDetail, hasHeld: boolean): string | undefined {
  const { data } = useQuery({ ...seriesQuery(slug, { scan: scan.id }), enabled: hasHeld });
  return data?.items.find((series) => series.held?.scan_id === scan.id)?.id;
}
