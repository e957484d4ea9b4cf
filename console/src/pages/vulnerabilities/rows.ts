/** The rows of the list: the list's own data, and the signals that load a moment later. */
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import {
  type ListedVulnerability,
  type Signal,
  signalsQuery,
  type VulnerabilityPage,
} from '../../api/vulnerabilities.ts';

export interface Row {
  item: ListedVulnerability;
  /** Undefined means that it is not loaded yet, and null that it could not be read. */
  signal: Signal | null | undefined;
}

interface Rows {
  rows: Row[];
  signals: UseQueryResult<Map<string, Signal>>;
}

const none: never[] = [];

/** Loads the signals of all rows in one request, as soon as the rows are known. */
export function useRows(slug: string, page: VulnerabilityPage | undefined): Rows {
  const items = page?.items ?? none;
  const ids = useMemo(() => items.map((item) => item.id), [items]);
  const signals = useQuery(signalsQuery(slug, ids));
  const { data, isError } = signals;
  const missing = isError ? null : undefined;
  const rows = useMemo(
    () => items.map((item) => ({ item, signal: data?.get(item.id) ?? missing })),
    [items, data, missing],
  );
  return { rows, signals };
}
