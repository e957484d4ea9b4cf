/** Draws a trend. Only `trend-chart.tsx` loads this file, since the library behind it is large. */
import { AreaChart, BarChart, LineChart } from '@mantine/charts';
import '@mantine/charts/styles.layer.css';

export interface Drawn {
  as: 'line' | 'area' | 'bar';
  height: number;
  unit: 'Day' | 'Week';
  series: { name: string; color: string }[];
  days: { date: string; [series: string]: string | number }[];
}

// The chart is an image with a description, and has a table beside it, so nothing in it gets the focus.
const image = { accessibilityLayer: false };
const bars = { ...image, barGap: 1, barCategoryGap: '22%' };

const dayFormat = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });

export function TrendDrawing({ as, height, unit, series, days }: Drawn) {
  const common = {
    h: height,
    data: days,
    dataKey: 'date',
    series,
    gridAxis: 'x' as const,
    tickLine: 'none' as const,
    xAxisProps: {
      tickFormatter: shortDay,
      interval: 'equidistantPreserveStart' as const,
      minTickGap: 24,
    },
    yAxisProps: { allowDecimals: false, width: 44 },
    valueFormatter: (value: number) => value.toLocaleString(),
    tooltipProps: {
      labelFormatter: (label: React.ReactNode) =>
        typeof label === 'string' ? `${unit === 'Week' ? 'Week from ' : ''}${shortDay(label)}` : label,
    },
    tooltipAnimationDuration: 0,
  };
  if (as === 'bar')
    return <BarChart {...common} barProps={{ radius: 1, maxBarSize: 40 }} barChartProps={bars} />;
  const curve = { withDots: false, curveType: 'monotone' as const, strokeWidth: 1.75 };
  return as === 'area' ? (
    <AreaChart
      {...common}
      {...curve}
      areaChartProps={image}
      type="stacked"
      fillOpacity={0.55}
      withGradient={false}
    />
  ) : (
    <LineChart {...common} {...curve} lineChartProps={image} />
  );
}

function shortDay(date: string): string {
  return dayFormat.format(new Date(date));
}
