/** The rows of the list: the list's own data, and the signals that load a moment later. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import {
  type ListedVulnerability,
  type Signal,
  signalsQuery,
  type VulnerabilityPage,
} from '../../api/vulnerabilities.ts';

export interface Row {
  item: ListedVulnerability;
  /** Undefined means that it is not loaded yet. */
  signal: Signal | undefined;
}

const none: never[] = [];

/** Loads the signals of all rows in one request, as soon as the rows are known. */
export function useRows(slug: string, page: VulnerabilityPage | undefined): Row[] {
  const items = page?.items ?? none;
  const ids = useMemo(() => items.map((item) => item.id), [items]);
  const { data } = useQuery(signalsQuery(slug, ids));
  return useMemo(() => items.map((item) => ({ item, signal: data?.get(item.id) })), [items, data]);
}
