/**
 * Code that a tool writes with the number of each line before it, as Bandit (`38 text`) and gosec (`38: text`) do. The
 * numbers must never be part of a finding's code, because they change with every line that is added above.
 */
import type { ReportSnippet } from '../report.ts';

export interface NumberedCode {
  /** The number of the first line; null if the code has no numbers. */
  firstLine: number | null;
  lines: string[];
}

const numbered = /^ *([0-9]{1,9})(?:: ?| |$)(.*)$/s;
/** A tool shows a few lines. More are no code of a finding. */
const maxLines = 500;

/** Reads the numbers only if each line has the next one, so that code that begins with a number stays as it is. */
export function numberedCode(code: string): NumberedCode {
  const lines = code.replace(/\r?\n$/, '').split('\n', maxLines);
  const found = lines.map((line) => numbered.exec(line));
  const first = Number(found[0]?.[1] ?? 0);
  const isNumbered = first > 0 && found.every((line, index) => Number(line?.[1]) === first + index);
  if (!isNumbered) return { firstLine: null, lines };
  return { firstLine: first, lines: found.map((line) => line?.[2] ?? '') };
}

/** Returns the lines from one number to another; all lines if the numbers do not fit. */
export function codeBetween(code: NumberedCode, from: number | null, to: number | null): string {
  const { firstLine, lines } = code;
  if (firstLine === null || from === null || from < firstLine) return lines.join('\n');
  const inside = lines.slice(from - firstLine, (to ?? from) - firstLine + 1);
  return (inside.length === 0 ? lines : inside).join('\n');
}

export function snippetOf(code: NumberedCode, from: number | null, to: number | null): ReportSnippet {
  const firstLine = code.firstLine ?? (from === null ? null : from);
  return { text: code.lines.join('\n'), firstLine, markedFrom: from, markedTo: to ?? from };
}
