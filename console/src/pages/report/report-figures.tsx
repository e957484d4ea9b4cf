/** The key figures of the report, each with an explanation, because a printed page has no tooltips. */
import type { StatusReport } from '../../api/overview.ts';
import { Stat } from '../../components/stat.tsx';

export function ReportFigures({ report }: { report: StatusReport }) {
  const { open, week, exploitable, kev_loaded, violations, sla } = report;
  return (
    <section className="report-figures" aria-label="Key figures">
      <Stat label="Open vulnerabilities" value={open.total} note="on tracked references" />
      <Stat label="New in seven days" value={week.new} note={before(week.new_before)} />
      <Stat label="Fixed in seven days" value={week.fixed} note={before(week.fixed_before)} />
      <Stat
        label="Exploitable"
        value={exploitable}
        {...(exploitable > 0 ? { tone: 'bad' } : {})}
        note={
          kev_loaded
            ? 'open, and known to be exploited or verified'
            : 'open, and verified or called exploitable by a tool; the KEV catalogue is not loaded'
        }
      />
      <Stat
        label="SLA met"
        value={sla.percent ?? '–'}
        suffix=" %"
        note={`${sla.kept.toLocaleString()} of ${sla.resolved.toLocaleString()} policy violations that were resolved within 90 days, by a fix and not by a decision, were resolved by their due date`}
      />
      <Stat
        label="Overdue violations"
        value={violations.overdue}
        {...(violations.overdue > 0 ? { tone: 'bad' } : {})}
        note="past their due date and not resolved"
      />
      <Stat label="Due soon" value={violations.due_soon} note="within seven days" />
      <Stat label="Blocking violations" value={violations.blocking} note="stop a merge" />
    </section>
  );
}

function before(count: number | null): string {
  return count === null ? 'first weeks of scans' : `${count.toLocaleString()} in the seven days before`;
}
