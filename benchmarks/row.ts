/** The one shape of all results: what was done, the yardstick of the same run, the ratio and the aim. */
import { printTable } from '../server/src/commands/session.ts';

export interface Figure {
  value: number;
  unit: string;
}

/** It holds for the ratio, or for the measured figure of a row without yardstick. */
export type Aim = { atMost: number } | { atLeast: number };

export interface Row {
  work: string;
  yardstick: (Figure & { what: string }) | null;
  measured: Figure;
  /** The measured figure by the yardstick's; null without yardstick. */
  ratio: number | null;
  /** Null for a figure that is only published. */
  aim: Aim | null;
  /** The parts of the figure, for plots and for those who look closer. */
  details?: unknown;
}

/** Makes a row whose ratio is the measured figure by the yardstick's, in the same unit. */
export function comparedRow(row: Omit<Row, 'ratio' | 'yardstick'> & { yardstick: [string, number] }): Row {
  const [what, value] = row.yardstick;
  const { unit } = row.measured;
  return { ...row, yardstick: { what, value, unit }, ratio: round2(row.measured.value / value) };
}

/** Makes a row without yardstick, whose aim holds for the figure itself. */
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

/** The cells of a row in the order of `rowHeads`. */
export function rowCells(row: Row): string[] {
  const { work, yardstick, measured, ratio, aim } = row;
  const met = isMet(row);
  return [
    work,
    yardstick ? `${yardstick.what}: ${figureText(yardstick)}` : '–',
    figureText(measured),
    ratio === null ? '–' : String(ratio),
    aim === null ? '–' : 'atMost' in aim ? `≤ ${aim.atMost}` : `≥ ${aim.atLeast}`,
    met === null ? '–' : met ? 'met' : 'missed',
  ];
}

export function printRows(rows: Row[]): void {
  printTable(rowHeads, rows.map(rowCells));
}

/** A whole number as it is read: 100,000. */
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
