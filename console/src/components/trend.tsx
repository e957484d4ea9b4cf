/** The trend of a workspace or a repository: open by severity as an area, new and fixed as bars. */
import type { TrendHistory } from '../api/overview.ts';
import { seriesColors, severities, severityColor } from '../theme.ts';
import { enumLabel } from './badges.tsx';
import { TrendChart } from './trend-chart.tsx';
import './trend.css';

type TrendDay = TrendHistory['days'][number];

export function Trend({ history: { since, days: all, weeks } }: { history: TrendHistory }) {
  const days = since === null ? [] : all.filter(({ date }) => date >= since);
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return null;
  const shown = severities.filter((severity) => days.some((day) => openOf(day, severity) > 0));
  const span = days.length === 1 ? 'today' : `the last ${days.length} days`;
  const found = weeks.reduce((total, week) => total + week.new, 0);
  const fixed = weeks.reduce((total, week) => total + week.fixed, 0);
  return (
    <div className="trend-pair">
      <TrendChart
        title={days.length === 1 ? 'Open today' : `Open over ${span}`}
        summary={`${first.open.toLocaleString()} were open on ${first.date}, ${last.open.toLocaleString()} are open today.`}
        days={days}
        as="area"
        total={(day) => day.open}
        // The highest severity is at the bottom, where an area is easiest to read.
        series={(shown.length === 0 ? severities : shown).map((severity) => ({
          label: enumLabel(severity),
          color: severityColor(severity),
          of: (day: TrendDay) => openOf(day, severity),
        }))}
      />
      <TrendChart
        title="New and fixed by week"
        summary={`${found.toLocaleString()} new and ${fixed.toLocaleString()} fixed within ${span}.`}
        days={weeks.map((week) => ({ ...week, date: week.from }))}
        unit="Week"
        as="bar"
        series={[
          { label: 'New', color: seriesColors.new, of: (week) => week.new },
          { label: 'Fixed', color: seriesColors.fixed, of: (week) => week.fixed },
        ]}
      />
    </div>
  );
}

function openOf(day: TrendDay, severity: string): number {
  return day.open_by_severity[severity] ?? 0;
}
