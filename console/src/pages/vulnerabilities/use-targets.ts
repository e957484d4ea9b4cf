/** The selected vulnerabilities, over several pages of the list, each as last seen. */
import { useEffect, useRef, useState } from 'react';
import type { ListedVulnerability } from '../../api/vulnerabilities.ts';
import { type Selection, useSelection } from '../../components/selection.ts';
import type { Row } from './rows.ts';
import { type Target, targetOf } from './targets.ts';

interface ChosenTargets {
  selection: Selection;
  targets: Target[];
  clear: () => void;
  /** Selects these rows, also of pages that were never shown. */
  add: (items: ListedVulnerability[]) => void;
}

/** A change of filters empties the selection, so that nobody decides about rows that are not on the list. */
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
    add: (items) => {
      for (const item of items) {
        if (!seen.current.has(item.id)) seen.current.set(item.id, targetOf({ item, signal: undefined }));
      }
      selection.change(new Set([...selection.selected, ...items.map(({ id }) => id)]));
    },
    get targets() {
      return [...selection.selected].flatMap((id) => seen.current.get(id) ?? []);
    },
  };
}
