/** The vulnerabilities that are selected, over several pages of the list, each as it was last seen. */
import { useEffect, useRef, useState } from 'react';
import { type Selection, useSelection } from '../../components/selection.ts';
import type { Row } from './rows.ts';
import { type Target, targetOf } from './targets.ts';

interface ChosenTargets {
  selection: Selection;
  targets: Target[];
  clear: () => void;
}

/** Other filters empty the selection: nothing is decided about what is not on the list. */
export function useTargets(rows: Row[], filters: string): ChosenTargets {
  const { clear, ...selection } = useSelection();
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
    get targets() {
      return [...selection.selected].flatMap((id) => seen.current.get(id) ?? []);
    },
  };
}
