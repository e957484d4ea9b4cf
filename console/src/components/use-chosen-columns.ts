/**
 * The shown columns of a table. The page's default holds until the person chooses, and this browser keeps the choice.
 */
import { useLocalStorage } from '@mantine/hooks';
import { useMemo } from 'react';
import { type Column, headerAt } from './column.ts';

export interface ChosenColumns<Row> {
  shown: Column<Row>[];
  /** Holds the columns after the row's header. The others are always shown. */
  choices: { id: string; label: string; isShown: boolean }[];
  toggle: (id: string) => void;
  reset: () => void;
}

export function useChosenColumns<Row>(table: string, columns: Column<Row>[]): ChosenColumns<Row> {
  const [changed, setChanged] = useLocalStorage<Record<string, boolean>>({
    key: `merlon.columns.${table}`,
    defaultValue: {},
    getInitialValueInEffect: false,
  });
  const isShown = ({ id, hidden = false }: Column<Row>) => changed[id] ?? !hidden;
  const fixed = headerAt(columns) + 1;
  const shown = useMemo(
    () => columns.filter(({ id, hidden = false }, index) => index < fixed || (changed[id] ?? !hidden)),
    [columns, changed, fixed],
  );
  const choices = columns.slice(fixed);
  return {
    shown,
    choices: choices.map((column) => ({ id: column.id, label: column.label, isShown: isShown(column) })),
    toggle: (id) => {
      const column = choices.find((choice) => choice.id === id);
      if (column) setChanged({ ...changed, [id]: !isShown(column) });
    },
    reset: () => setChanged({}),
  };
}
