/** The key figures of the overview: open, overdue, and waiting for a person. */
import { Link } from '@tanstack/react-router';
import type { Overview } from '../../api/overview.ts';
import { Stat } from '../../components/stat.tsx';
import { TimeText } from '../../components/time-text.tsx';
import type { Scope } from '../../scopes.ts';

interface KpiTilesProps {
  slug: string;
  scope: Scope;
  overview: Overview;
}

const scopeNotes: Record<Scope, string> = {
  tracked: 'on tracked references',
  default_branches: 'on default branches',
  all: 'on any active reference',
};

export function KpiTiles({ slug, scope, overview: { open, violations, scans } }: KpiTilesProps) {
  const params = { slug };
  const hasFailed = scans.failed_week > 0;
  return (
    <section className="overview-stats" aria-label="At a glance">
      <Stat
        label="Open vulnerabilities"
        value={open.total}
        note={scopeNotes[scope]}
        link={(props) => (
          <Link to="/w/$slug/vulnerabilities" params={params} search={{ state: 'open', scope }} {...props} />
        )}
      />
      <Stat
        label="Blocking violations"
        value={violations.blocking}
        {...toneOf(violations.blocking, 'bad')}
        note="stop a merge"
        link={(props) => (
          <Link to="/w/$slug/violations" params={params} search={{ blocking: 'yes' }} {...props} />
        )}
      />
      <Stat
        label="Overdue violations"
        value={violations.overdue}
        {...toneOf(violations.overdue, 'bad')}
        note="past their time to fix"
        link={(props) => (
          <Link to="/w/$slug/violations" params={params} search={{ due: 'overdue' }} {...props} />
        )}
      />
      <Stat
        label="Due soon"
        value={violations.due_soon}
        {...toneOf(violations.due_soon, 'warn')}
        note="within seven days"
        link={(props) => (
          <Link to="/w/$slug/violations" params={params} search={{ due: 'soon' }} {...props} />
        )}
      />
      <Stat
        label="Open violations"
        value={violations.open}
        note="in any mode"
        link={(props) => <Link to="/w/$slug/violations" params={params} {...props} />}
      />
      <Stat
        label="Closures to review"
        value={scans.held_closings}
        {...toneOf(scans.held_closings, 'warn')}
        note="wait for a decision"
        link={(props) => <Link to="/w/$slug/scans/held" params={params} {...props} />}
      />
      <Stat
        label="Stale series"
        value={scans.stale_series}
        {...toneOf(scans.stale_series, 'warn')}
        note="not scanned for long"
        link={(props) => <Link to="/w/$slug/scans/stale" params={params} {...props} />}
      />
      <Stat
        label="Last scan"
        value={<TimeText value={scans.last_finished_at} />}
        // A text without a number, since the list of failed scans goes further back than the week.
        {...toneOf(Number(hasFailed), 'warn')}
        note={hasFailed ? 'some failed this week' : 'none failed this week'}
        link={(props) => (
          <Link
            to="/w/$slug/scans"
            params={params}
            search={hasFailed ? { status: ['failed'] } : {}}
            {...props}
          />
        )}
      />
    </section>
  );
}

function toneOf(count: number, tone: 'bad' | 'warn'): { tone?: 'bad' | 'warn' } {
  return count > 0 ? { tone } : {};
}
