/** The row of a result: the work, the yardstick of the same run, the measured figure, their ratio and the aim. */
import { printTable } from '../server/src/commands/output.ts';

export interface Figure {
  value: number;
  unit: string;
}

/** The limit of the ratio, or of the measured figure if the row has no yardstick. */
export type Aim = { atMost: number } | { atLeast: number };

export interface Row {
  work: string;
  yardstick: (Figure & { work: string }) | null;
  measured: Figure;
  /** The measured figure divided by the yardstick's. Null without yardstick. */
  ratio: number | null;
  /** Null for a figure without an aim. */
  aim: Aim | null;
  /** The parts of the figure, which plots may use. */
  details?: unknown;
}

/** Makes a row with a yardstick in the same unit, and computes the ratio. */
export function comparedRow(row: Omit<Row, 'ratio' | 'yardstick'> & { yardstick: [string, number] }): Row {
  const [work, value] = row.yardstick;
  const { unit } = row.measured;
  return { ...row, yardstick: { work, value, unit }, ratio: round2(row.measured.value / value) };
}

/** Makes a row without yardstick, whose aim limits the figure itself. */
export function plainRow(row: Omit<Row, 'ratio' | 'yardstick'>): Row {
  return { ...row, yardstick: null, ratio: null };
}

/** Returns null for a row without aim. */
export function isMet({ aim, ratio, measured }: Row): boolean | null {
  if (aim === null) return null;
  const value = ratio ?? measured.value;
  return 'atMost' in aim ? value <= aim.atMost : value >= aim.atLeast;
}

export const rowHeads = ['WORK', 'YARDSTICK', 'MEASURED', 'RATIO', 'AIM', 'MET'];

/** Returns the cells of a row in the order of `rowHeads`. */
export function rowCells(row: Row): string[] {
  const { work, yardstick, measured, ratio, aim } = row;
  const met = isMet(row);
  return [
    work,
    yardstick ? `${yardstick.work}: ${figureText(yardstick)}` : '–',
    figureText(measured),
    ratio === null ? '–' : String(ratio),
    aim === null ? '–' : 'atMost' in aim ? `≤ ${aim.atMost}` : `≥ ${aim.atLeast}`,
    met === null ? '–' : met ? 'met' : 'missed',
  ];
}

export function printRows(rows: Row[]): void {
  printTable(rowHeads, rows.map(rowCells));
}

/** Formats a number with commas: 100,000. */
export function thousands(number: number): string {
  return number.toLocaleString('en');
}

function figureText({ value, unit }: Figure): string {
  return `${value.toLocaleString('en', { maximumFractionDigits: 2 })} ${unit}`;
}

export function round2(number: number): number {
  return Math.round(number * 100) / 100;
}

export function medianOf(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
