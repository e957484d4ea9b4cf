/** The selected vulnerabilities, over several pages of the list, each as last seen. */
import { useEffect, useRef, useState } from 'react';
import { type Selection, useSelection } from '../../components/selection.ts';
import type { Row } from './rows.ts';
import { type Target, targetOf } from './targets.ts';

interface ChosenTargets {
  selection: Selection;
  targets: Target[];
  clear: () => void;
  /** Selects these rows, also of pages that were never shown, unless the selection was emptied after `since`. */
  add: (rows: Row[], since: number) => void;
  /** Number of times that the selection was cleared. */
  clearedTimes: () => number;
}

/** A change of filters empties the selection, so that nobody decides about rows that are not on the list. */
export function useTargets(rows: Row[], filters: string): ChosenTargets {
  const { clear: empty, ...selection } = useSelection();
  const cleared = useRef(0);
  const clear = () => {
    cleared.current++;
    empty();
  };
  const seen = useRef(new Map<string, Target>());
  useEffect(() => {
    for (const row of rows) seen.current.set(row.item.id, targetOf(row));
  }, [rows]);
  const [selectedUnder, setSelectedUnder] = useState(filters);
  if (selectedUnder !== filters) {
    setSelectedUnder(filters);
    clear();
  }
  return {
    selection,
    clear,
    add: (rows, since) => {
      if (since !== cleared.current) return;
      for (const row of rows) seen.current.set(row.item.id, targetOf(row));
      selection.change(new Set([...selection.selected, ...rows.map(({ item }) => item.id)]));
    },
    clearedTimes: () => cleared.current,
    get targets() {
      return [...selection.selected].flatMap((id) => seen.current.get(id) ?? []);
    },
  };
}
