/** The difference of two texts, line by line. */
export interface DifferenceLine {
  change: 'same' | 'added' | 'removed';
  text: string;
}

// Beyond this many lines that differ, all old ones are taken out and all new ones put in: the table below grows as a square.
const maxCompared = 1_500;

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

// The longest common subsequence, from the end, so that it can be walked from the beginning.
function changedLines(old: string[], now: string[]): DifferenceLine[] {
  const removed = (text: string): DifferenceLine => ({ change: 'removed', text });
  const added = (text: string): DifferenceLine => ({ change: 'added', text });
  if (old.length > maxCompared || now.length > maxCompared) return [...old.map(removed), ...now.map(added)];
  const width = now.length + 1;
  const common = new Uint16Array((old.length + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      common[i * width + j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: DifferenceLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    const [before, after] = [old[i], now[j]];
    if (before !== undefined && before === after) {
      lines.push({ change: 'same', text: before });
      i++;
      j++;
    } else if (before !== undefined && (after === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push(removed(before));
      i++;
    } else {
      lines.push(added(after ?? ''));
      j++;
    }
  }
  return lines;
}
