/** Compares two texts line by line. */
import { diffArrays } from 'diff';

export interface DifferenceLine {
  change: 'same' | 'added' | 'removed';
  text: string;
}

// The work grows with the square of this number and takes a fifth of a second at the limit. Above the limit, all old
// lines are removed and all new ones added, because people do not read a difference of a thousand lines.
const maxEdits = 1_000;

export function differenceOf(before: string, after: string): DifferenceLine[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  while (
    end < old.length - start &&
    end < now.length - start &&
    old[old.length - 1 - end] === now[now.length - 1 - end]
  ) {
    end++;
  }
  const same = (texts: string[]): DifferenceLine[] => texts.map((text) => ({ change: 'same', text }));
  return [
    ...same(old.slice(0, start)),
    ...changedLines(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...same(old.slice(old.length - end)),
  ];
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function changedLines(old: string[], now: string[]): DifferenceLine[] {
  const changes = diffArrays(old, now, { maxEditLength: maxEdits }) ?? [
    { value: old, added: false, removed: true },
    { value: now, added: true, removed: false },
  ];
  return changes.flatMap(({ value, added, removed }) =>
    value.map((text): DifferenceLine => ({ change: added ? 'added' : removed ? 'removed' : 'same', text })),
  );
}
