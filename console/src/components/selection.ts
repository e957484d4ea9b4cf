/** The selected rows, and how clicks and keys change them. */
import { useRef, useState } from 'react';

export interface Selection {
  selected: ReadonlySet<string>;
  change: (selected: ReadonlySet<string>) => void;
}

interface ClearableSelection extends Selection {
  clear: () => void;
  /** Number of times that the selection was cleared. */
  clearedTimes: () => number;
}

/**
 * A selection starts empty. It outlives the pages of a list, so that a person can select over several pages. A change
 * of filters empties it, so that nobody decides about rows that are not on the list.
 */
export function useSelection(filters = ''): ClearableSelection {
  const [selected, change] = useState<ReadonlySet<string>>(new Set());
  const cleared = useRef(0);
  const clear = () => {
    cleared.current++;
    change(new Set());
  };
  const [selectedUnder, setSelectedUnder] = useState(filters);
  if (selectedUnder !== filters) {
    setSelectedUnder(filters);
    clear();
  }
  return { selected, change, clear, clearedTimes: () => cleared.current };
}

interface Range {
  isAll: boolean;
  /** True if some rows are selected, but not all. */
  isSome: boolean;
  toggleAll: () => void;
  /** `upToHere` gives all rows from the last toggled one to this one the new state of this row. */
  toggle: (index: number, upToHere: boolean) => void;
}

export function useRange(keys: string[], selection: Selection | undefined): Range {
  const last = useRef<string | null>(null);
  const selected = selection?.selected ?? new Set<string>();
  const here = keys.filter((key) => selected.has(key)).length;
  const isAll = keys.length > 0 && here === keys.length;
  const set = (changed: string[], isOn: boolean) => {
    const next = new Set(selected);
    for (const key of changed) isOn ? next.add(key) : next.delete(key);
    selection?.change(next);
  };
  return {
    isAll,
    isSome: here > 0 && !isAll,
    toggleAll: () => set(keys, !isAll),
    toggle: (index, upToHere) => {
      const key = keys[index];
      if (key === undefined) return;
      const from = upToHere && last.current !== null ? keys.indexOf(last.current) : -1;
      const [start, end] = from < 0 ? [index, index] : [Math.min(from, index), Math.max(from, index)];
      set(keys.slice(start, end + 1), upToHere || !selected.has(key));
      last.current = key;
    },
  };
}
