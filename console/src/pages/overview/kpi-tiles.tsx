/** The key figures of the overview: open, new, overdue, resolved in time, and waiting for a person. */
import { Link } from '@tanstack/react-router';
import type { Overview } from '../../api/overview.ts';
import { Stat } from '../../components/stat.tsx';
import { dayMs } from '../../components/time-lengths.ts';
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

export function KpiTiles({ slug, scope, overview }: KpiTilesProps) {
  const {
    open,
    week,
    exploitable,
    kev_loaded,
    violations,
    sla,
    exceptions_requested: requested,
    scans,
  } = overview;
  const params = { slug };
  const hasFailed = scans.failed_week > 0;
  // The number of exploitable vulnerabilities comes from an index that has no default branches.
  const exploitableScope = scope === 'all' ? 'all' : 'tracked';
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
        label="New in seven days"
        value={week.new}
        note={changeText(week)}
        hint="Found for the first time on tracked references within the last seven days (UTC, including today), whatever the status is now. The list goes by the day when something was first found on any reference, so its number can differ. Compared with the seven days before."
        link={(props) => (
          <Link
            to="/w/$slug/vulnerabilities"
            params={params}
            search={{ state: 'any', introduced_since: weekStart() }}
            {...props}
          />
        )}
      />
      <Stat
        label="Exploitable"
        value={exploitable}
        {...toneOf(exploitable, 'bad')}
        note={kev_loaded ? scopeNotes[exploitableScope] : 'the KEV catalogue is not loaded'}
        hint={
          kev_loaded
            ? 'Open, and known to be exploited (KEV), verified, or called exploitable by a tool.'
            : 'Open, and verified or called exploitable by a tool. The catalogue of vulnerabilities that are known to be exploited (KEV) is not loaded, so its entries are missing.'
        }
        link={(props) => (
          <Link
            to="/w/$slug/vulnerabilities"
            params={params}
            search={{ state: 'open', scope: exploitableScope, exploitable: 'yes' }}
            {...props}
          />
        )}
      />
      <Stat
        label="SLA met"
        value={sla.percent ?? '–'}
        suffix=" %"
        note={
          sla.percent === null
            ? 'nothing resolved in 90 days'
            : `${sla.kept.toLocaleString()} of ${sla.resolved.toLocaleString()} in time, 90 days`
        }
        hint="Violations on tracked references that were resolved by their due date, of all that were resolved within 90 days by a fix and not by a decision. Overdue violations that are still open have a number of their own."
        link={(props) => (
          <Link to="/w/$slug/violations" params={params} search={{ status: ['resolved'] }} {...props} />
        )}
      />
      <Stat
        label="Blocking violations"
        value={violations.blocking}
        {...toneOf(violations.blocking, 'bad')}
        note="stop a merge, pull requests too"
        link={(props) => (
          <Link to="/w/$slug/violations" params={params} search={{ blocking: 'yes' }} {...props} />
        )}
      />
      <Stat
        label="Overdue violations"
        value={violations.overdue}
        {...toneOf(violations.overdue, 'bad')}
        note="past their time to fix, pull requests too"
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
        label="Exceptions to review"
        value={requested}
        {...toneOf(requested, 'warn')}
        note="wait for an admin"
        link={(props) => <Link to="/w/$slug/exceptions" params={params} {...props} />}
      />
      <Stat
        label="Closures to review"
        value={scans.held_closures}
        {...toneOf(scans.held_closures, 'warn')}
        note="wait for a decision"
        link={(props) => <Link to="/w/$slug/scans/held" params={params} {...props} />}
      />
      <Stat
        label="Stale series"
        value={scans.stale_series}
        {...toneOf(scans.stale_series, 'warn')}
        note="not scanned for a long time"
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

/** Compares the number of new ones with the seven days before. */
function changeText({ new: now, new_before: before }: Overview['week']): string {
  if (before === null) return 'first week of scans';
  if (now === before) return 'as many as the week before';
  return `${Math.abs(now - before).toLocaleString()} ${now > before ? 'more' : 'fewer'} than the week before`;
}

/** Returns the start of the week in UTC, like the API's count. The list would read a date in the reader's zone. */
function weekStart(): string {
  return `${new Date(Date.now() - 6 * dayMs).toISOString().slice(0, 10)}T00:00:00Z`;
}

function toneOf(count: number, tone: 'bad' | 'warn'): { tone?: 'bad' | 'warn' } {
  return count > 0 ? { tone } : {};
}
