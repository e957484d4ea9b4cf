/** The trend of a workspace or a repository: open by severity as an area, new and fixed as bars. */
import { seriesColors, severities, severityColor } from '../theme.ts';
import { enumLabel } from './badges.tsx';
import { TrendChart } from './trend-chart.tsx';
import './trend.css';

export interface TrendDay {
  date: string;
  open: number;
  new: number;
  fixed: number;
  open_by_severity: Record<string, number>;
}

export function Trend({ days }: { days: TrendDay[] }) {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return null;
  const sum = (of: (day: TrendDay) => number): number => days.reduce((total, day) => total + of(day), 0);
  const shown = severities.filter((severity) => days.some((day) => openOf(day, severity) > 0));
  const span = `the last ${days.length} days`;
  return (
    <div className="trend-pair">
      <TrendChart
        title={`Open over ${span}`}
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
        title={`New and fixed over ${span}`}
        summary={`${sum((day) => day.new).toLocaleString()} new and ${sum((day) => day.fixed).toLocaleString()} fixed within ${span}.`}
        days={days}
        as="bar"
        series={[
          { label: 'New', color: seriesColors.new, of: (day) => day.new },
          { label: 'Fixed', color: seriesColors.fixed, of: (day) => day.fixed },
        ]}
      />
    </div>
  );
}

function openOf(day: TrendDay, severity: string): number {
  return day.open_by_severity[severity] ?? 0;
}
