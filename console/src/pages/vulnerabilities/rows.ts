/** The rows of the list: what the list itself says, and the signals that come a moment later. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import {
  type Signal,
  signalsQuery,
  type Vulnerability,
  type VulnerabilityPage,
} from '../../api/vulnerabilities.ts';

export interface Row {
  item: Vulnerability;
  /** Undefined: not here yet. */
  signal: Signal | undefined;
}

const none: never[] = [];

/** One request for the signals of all rows, as soon as it is known which they are. */
export function useRows(slug: string, page: VulnerabilityPage | undefined): Row[] {
  const items = page?.items ?? none;
  const ids = useMemo(() => items.map((item) => item.id), [items]);
  const { data } = useQuery(signalsQuery(slug, ids));
  return useMemo(() => {
    const byId = new Map(data?.items.map((signal) => [signal.id, signal]));
    return items.map((item) => ({ item, signal: byId.get(item.id) }));
  }, [items, data]);
}
