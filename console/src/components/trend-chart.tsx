/** Numbers over days or weeks, as a chart or as a table. The drawing code loads together with the data of the page. */
import { SegmentedControl, Skeleton } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { choicesOf } from './choices.ts';
import type { Drawn } from './trend-drawing.tsx';
import './trend-chart.css';

export interface Series<Day> {
  label: string;
  /** A custom property of theme.css. `seriesColors` and `severityColor` of theme.ts give its name. */
  color: string;
  of: (day: Day) => number;
}

interface TrendChartProps<Day> {
  /** The title of the chart: `Open vulnerabilities of the last 90 days`. */
  title: string;
  /** One sentence that describes the chart to people who cannot see it. */
  summary: string;
  /** The oldest day comes first. Of a week, its first day. */
  days: readonly Day[];
  unit?: 'Day' | 'Week';
  series: Series<Day>[];
  /** `area` is for parts of a whole, stacked; `bar` is for events of each day. */
  as?: 'line' | 'area' | 'bar';
  /** Returns the sum of a day, for the table. */
  total?: (day: Day) => number;
}

const height = 240;

const drawing = import('./trend-drawing.tsx').then((module) => ({ default: module.TrendDrawing }));
// Every chart reports the failed load itself, so this catch only stops an unhandled rejection.
drawing.catch(() => {});
const Drawing = lazy(() => drawing);

export function TrendChart<Day extends { date: string }>(props: TrendChartProps<Day>) {
  const { title, summary, days, unit = 'Day', series, as = 'line' } = props;
  const [view, setView] = useState('chart');
  const drawn: Drawn = {
    as,
    height,
    unit,
    series: series.map(({ label, color }) => ({ name: label, color })),
    days: days.map((day) => ({
      date: day.date,
      ...Object.fromEntries(series.map(({ label, of }) => [label, of(day)])),
    })),
  };
  return (
    <figure className="trend">
      <figcaption className="trend-caption">
        <h2>{title}</h2>
        <SegmentedControl
          size="xs"
          aria-label={`${title}: show as`}
          value={view}
          onChange={setView}
          data={choicesOf({ chart: 'Chart', table: 'Table' })}
        />
      </figcaption>
      {view === 'chart' ? (
        <>
          <div role="img" aria-label={summary}>
            <Suspense fallback={<Skeleton height={height} />}>
              <Drawing {...drawn} />
            </Suspense>
          </div>
          <ul className="trend-legend" aria-hidden="true">
            {series.map(({ label, color }) => (
              <li key={label}>
                <span style={{ background: color }} />
                {label}
              </li>
            ))}
          </ul>
        </>
      ) : (
        <TrendTable {...props} />
      )}
    </figure>
  );
}

function TrendTable<Day extends { date: string }>(props: TrendChartProps<Day>) {
  const { title, days, unit = 'Day', series, total } = props;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by the keyboard
    <section className="trend-table" style={{ maxHeight: height }} aria-label={title} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{unit === 'Day' ? 'Day' : 'Week from'}</th>
            {total && <th scope="col">All</th>}
            {series.map(({ label }) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map((day) => (
            <tr key={day.date}>
              <th scope="row">{day.date}</th>
              {total && <td>{total(day).toLocaleString()}</td>}
              {series.map(({ label, of }) => (
                <td key={label}>{of(day).toLocaleString()}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
