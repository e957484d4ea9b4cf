/** New and fixed by week as a table with bars. It needs no drawing code, and prints as it is shown. */
import type { StatusReport } from '../../api/overview.ts';
import { PlainTable } from '../../components/plain-table.tsx';
import { Section } from '../../components/section.tsx';
import { seriesColors } from '../../theme.ts';

export function WeekBars({ weeks }: { weeks: StatusReport['weeks'] }) {
  const most = Math.max(1, ...weeks.flatMap((week) => [week.new, week.fixed]));
  return (
    <Section
      title="Trend by week"
      description="Weeks run back from today (UTC), 90 days at most, and begin with the first scan. Open is the number at the end of the week."
    >
      <PlainTable
        none="Nothing has been scanned yet."
        className="report-weeks"
        headings={['Week', 'New', null, 'Fixed', null, 'Open']}
        rows={weeks}
      >
        {(week) => (
          <tr key={week.from}>
            <th scope="row">{`${week.from} to ${week.to}`}</th>
            <td>{week.new.toLocaleString()}</td>
            <Bar share={week.new / most} color={seriesColors.new} />
            <td>{week.fixed.toLocaleString()}</td>
            <Bar share={week.fixed / most} color={seriesColors.fixed} />
            <td>{week.open.toLocaleString()}</td>
          </tr>
        )}
      </PlainTable>
    </Section>
  );
}

function Bar({ share, color }: { share: number; color: string }) {
  return (
    <td className="report-week-bar" aria-hidden="true">
      <span style={{ width: `${share * 100}%`, background: color }} />
    </td>
  );
}
