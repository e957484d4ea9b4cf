/** The trend by week as a drawing: open vulnerabilities as a line, and below it new and fixed ones as bars. */
import type { TrendWeek } from '../overview/figures.ts';
import { type Html, html } from './html.ts';

const [left, right] = [48, 712];
const openPanel = { top: 14, bottom: 94 };
const barPanel = { top: 116, bottom: 186 };

export function weekChart(weeks: TrendWeek[]): Html {
  const step = (right - left) / weeks.length;
  const width = Math.min(18, step * 0.35);
  const most = {
    open: Math.max(1, ...weeks.map(({ open }) => open)),
    changed: Math.max(1, ...weeks.flatMap((week) => [week.new, week.fixed])),
  };
  const middle = (i: number): number => left + step * (i + 0.5);
  const openAt = (n: number): number =>
    openPanel.bottom - (n / most.open) * (openPanel.bottom - openPanel.top);
  const bar = (x: number, n: number, series: string): Html => {
    const height = (n / most.changed) * (barPanel.bottom - barPanel.top);
    return html`<rect class="${series}" x="${round(x)}" y="${round(barPanel.bottom - height)}" width="${round(width)}" height="${round(height)}"/>`;
  };
  return html`<svg class="chart" role="img" aria-label="Open, new and fixed by week; the table below has the numbers" viewBox="0 0 720 208">
${[openPanel, barPanel].map(({ bottom }) => html`<line class="axis" x1="${left}" y1="${bottom}" x2="${right}" y2="${bottom}"/>`)}
${axisLabels(most.open, openPanel)}
${axisLabels(most.changed, barPanel)}
<polyline class="open line" points="${weeks.map(({ open }, i) => `${round(middle(i))},${round(openAt(open))}`).join(' ')}"/>
${weeks.map(({ open }, i) => html`<circle class="open" cx="${round(middle(i))}" cy="${round(openAt(open))}" r="2.5"/>`)}
${weeks.flatMap((week, i) => [
  bar(middle(i) - width - 1, week.new, 'new'),
  bar(middle(i) + 1, week.fixed, 'fixed'),
])}
<text x="${left}" y="204">${weeks[0]?.from ?? ''}</text>
<text x="${right}" y="204" text-anchor="end">${weeks.at(-1)?.to ?? ''}</text>
</svg>`;
}

function axisLabels(most: number, { top, bottom }: { top: number; bottom: number }): Html {
  return html`<text x="${left - 6}" y="${top + 6}" text-anchor="end">${most.toLocaleString('en')}</text><text x="${left - 6}" y="${bottom + 2}" text-anchor="end">0</text>`;
}

function round(n: number): number {
  return Math.round(n * 10) / 10;
}
