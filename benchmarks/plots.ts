/**
 * `node benchmarks/plots.ts`: writes the tables of docs/performance.md, between their markers, and its plots, from the
 * results of the last complete runs.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { say } from '../server/src/commands/output.ts';
import type { Machine } from './machine.ts';
import { isMet, type Row, rowCells, rowHeads, thousands } from './row.ts';
import type { FilterFigures } from './rows/filters.ts';
import { barPlot, colors, linePlot } from './svg.ts';

const results = new URL('results/', import.meta.url);
const docs = new URL('../docs/', import.meta.url);

interface BenchResult {
  day: string;
  machine: Machine;
  size: { name: string };
  minutes: number;
  rows: Row[];
}

interface SoakResult {
  day: string;
  machine: Machine;
  perSecond: number;
  rows: Row[];
  minutes: { minute: number; p50Ms: number; p99Ms: number; pssMb: number; postgresMb: number }[];
}

mkdirSync(new URL('performance/', docs), { recursive: true });
for (const name of ['small', 'full']) {
  const result = readResult<BenchResult>(`bench-${name}`);
  if (result === null) continue;
  writeTable(name, result, `size ${name}, ${result.minutes} minutes`);
  plotAims(name, result.rows);
  plotLists(name, result.rows);
  plotFilters(name, result.rows);
  plotImports(name, result.rows);
}
const soak = readResult<SoakResult>('soak');
if (soak !== null) {
  writeTable('soak', soak, `${soak.perSecond} lists a second`);
  plotSoak(soak);
}

function readResult<T>(name: string): T | null {
  const file = new URL(`${name}.json`, results);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : null;
}

function writePlot(name: string, svg: string): void {
  writeFileSync(new URL(`performance/${name}.svg`, docs), svg);
  say(`docs/performance/${name}.svg`);
}

/** Replaces the text between `<!-- NAME -->` and `<!-- end -->`, if the page has these markers. */
function writeTable(name: string, { day, machine, rows }: BenchResult | SoakResult, about: string): void {
  const file = new URL('performance.md', docs);
  const line = (cells: string[]): string => `| ${cells.join(' | ')} |`;
  const { cores, memoryGb, node, postgresql } = machine;
  const text = [
    `${day}, ${about}; ${cores} cores, ${memoryGb} GB, Node ${node}, PostgreSQL ${postgresql}.`,
    '',
    line(rowHeads.map((head) => head.toLowerCase())),
    line(rowHeads.map(() => '---')),
    ...rows.map((row) => line(rowCells(row).map((cell) => (cell === 'missed' ? '**missed**' : cell)))),
  ].join('\n');
  const markers = new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- end -->)`);
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace(markers, (_, start, end) => `${start}${text}\n${end}`),
  );
}

/**
 * Draws the measured value of each row as a multiple of its aim, or the inverse if a higher value is better. So a
 * shorter bar is always better.
 */
function plotAims(size: string, rows: Row[]): void {
  const bars = rows.flatMap((row) => {
    const value = row.ratio ?? row.measured.value;
    if (row.aim === null || value <= 0) return [];
    const aim = 'atMost' in row.aim ? row.aim.atMost : row.aim.atLeast;
    if (aim === 0) return [];
    const times = 'atMost' in row.aim ? value / aim : aim / value;
    const color = isMet(row) ? colors.good : colors.bad;
    return [{ label: shortened(row.work), value: times, text: `${times.toFixed(2)} ×`, color }];
  });
  const mark = { value: 1, text: 'the aim; shorter is better' };
  writePlot(`aims-${size}`, barPlot({ title: 'Distance from each aim', bars, mark, isLogarithmic: true }));
}

function plotLists(size: string, rows: Row[]): void {
  const ofLists = rows.filter(({ measured }) => measured.unit === 'lists/s');
  const bars = ofLists.flatMap(({ work, measured, yardstick }) => {
    const label = work.replace('lists, random filters, ', '');
    const isOne = label.includes('one process');
    const bar = {
      label,
      value: measured.value,
      text: thousands(measured.value),
      color: isOne ? colors.three : colors.one,
    };
    const beside = {
      label: yardstick?.work ?? '',
      value: yardstick?.value ?? 0,
      text: thousands(yardstick?.value ?? 0),
      color: colors.two,
    };
    return isOne ? [bar] : [beside, bar];
  });
  writePlot(`lists-${size}`, barPlot({ title: 'Lists a second with random filters', bars }));
}

function plotFilters(size: string, rows: Row[]): void {
  const details = rows.find(({ work }) => work.startsWith('the slowest of'))?.details;
  const slowest = ((details ?? []) as FilterFigures[]).slice(0, 25);
  const bars = slowest.map(({ name, ratio, p50Ms }) => ({
    label: shortened(name),
    value: ratio,
    text: `${ratio} (${p50Ms} ms)`,
    color: ratio <= 3 ? colors.good : colors.bad,
  }));
  const mark = { value: 3, text: 'aim' };
  const title = 'The 25 slowest reads of the list, by "all, newest"';
  if (bars.length > 0) writePlot(`filters-${size}`, barPlot({ title, bars, mark, isLogarithmic: true }));
}

function plotImports(size: string, rows: Row[]): void {
  const ofImports = rows.filter(
    ({ work, measured }) => work.startsWith('import of') && measured.unit === 'ms',
  );
  const bars = ofImports.flatMap(({ work, measured, yardstick }) => [
    {
      label: shortened(work),
      value: measured.value / 1000,
      text: seconds(measured.value),
      color: colors.one,
    },
    {
      label: yardstick?.work ?? '',
      value: (yardstick?.value ?? 0) / 1000,
      text: seconds(yardstick?.value ?? 0),
      color: colors.two,
    },
  ]);
  writePlot(`imports-${size}`, barPlot({ title: 'Imports, whole path, and their yardsticks', bars }));
}

function plotSoak({ minutes }: SoakResult): void {
  const line = (name: string, color: string, of: (minute: SoakResult['minutes'][number]) => number) => ({
    name,
    color,
    points: minutes.map((each): [number, number] => [each.minute, of(each)]),
  });
  const title = 'Soak: memory in MB';
  const memory = [
    line('serve', colors.one, ({ pssMb }) => pssMb),
    line('PostgreSQL', colors.two, ({ postgresMb }) => postgresMb),
  ];
  writePlot('soak-memory', linePlot({ title, xName: 'minutes', lines: memory }));
  const latency = [
    line('p50', colors.one, ({ p50Ms }) => p50Ms),
    line('p99', colors.bad, ({ p99Ms }) => p99Ms),
  ];
  writePlot('soak-latency', linePlot({ title: 'Soak: lists, ms', xName: 'minutes', lines: latency }));
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function shortened(text: string): string {
  return text.length > 54 ? `${text.slice(0, 53)}…` : text;
}
