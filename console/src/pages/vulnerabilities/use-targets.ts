/** The selected vulnerabilities, over several pages of the list, each as last seen. */
import { useRef } from 'react';
import { type Selection, useSelection } from '../../components/selection.ts';
import type { Row } from './rows.ts';
import { type Target, targetOf } from './targets.ts';

interface ChosenTargets {
  selection: Selection;
  targets: Target[];
  clear: () => void;
  /** Selects these rows, also of pages that were never shown, unless the selection was emptied after `since`. */
  add: (rows: Row[], since: number) => void;
  clearedTimes: () => number;
}

export function useTargets(rows: Row[], filters: string): ChosenTargets {
  const { clear, clearedTimes, ...selection } = useSelection(filters);
  const seen = useRef(new Map<string, Target>());
  for (const row of rows) seen.current.set(row.item.id, targetOf(row));
  return {
    selection,
    clear,
    add: (rows, since) => {
      if (since !== clearedTimes()) return;
      for (const row of rows) seen.current.set(row.item.id, targetOf(row));
      selection.change(new Set([...selection.selected, ...rows.map(({ item }) => item.id)]));
    },
    clearedTimes,
    get targets() {
      return [...selection.selected].flatMap((id) => seen.current.get(id) ?? []);
    },
  };
}
