/**
 * Live changes of scans. The server sends each change, and the console updates the data that it shows. While it
 * receives no events, it polls all shown data every ten seconds. A hidden tab has no event stream.
 */
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { addressOf } from './client.ts';
import { isFinal, type Scan, type ScanDetail, type ScanPage, scanKeys } from './scans.ts';
import { gateKey } from './violations.ts';

// The poll interval while no events arrive.
const askEveryMs = 10_000;
// A browser reconnects by itself, unless the server refused the connection.
const reopenAfterMs = 30_000;
// Many scans may end within one minute, and each would make the lists load again.
const listsAtMostEveryMs = 5_000;

/** For pages that show scans. False means that no events arrive at the moment. */
export function useScanEvents(slug: string): boolean {
  const queryClient = useQueryClient();
  const [isHeard, setIsHeard] = useState(true);
  useEffect(() => listen(queryClient, slug, setIsHeard), [queryClient, slug]);
  useEffect(() => {
    if (isHeard) return;
    const timer = setInterval(() => readAgain(queryClient, slug), askEveryMs);
    return () => clearInterval(timer);
  }, [isHeard, queryClient, slug]);
  return isHeard;
}

function readAgain(queryClient: QueryClient, slug: string): void {
  // A request that waits, such as for a sign-in, is not replaced by a further one.
  for (const queryKey of [scanKeys.all(slug), gateKey(slug)])
    queryClient.invalidateQueries({ queryKey }, { cancelRefetch: false });
}

function listen(queryClient: QueryClient, slug: string, setIsHeard: (isHeard: boolean) => void): () => void {
  const lists = seldom(() => queryClient.invalidateQueries({ queryKey: scanKeys.lists(slug) }));
  let reopening: ReturnType<typeof setTimeout> | undefined;
  let hasMissed = false;
  let source: EventSource | undefined;
  function open(): void {
    const opened = new EventSource(addressOf('listenToScans', { path: { tenant_slug: slug } }));
    source = opened;
    opened.addEventListener('open', () => {
      setIsHeard(true);
      if (hasMissed) readAgain(queryClient, slug);
      hasMissed = false;
    });
    opened.addEventListener('scan', ({ data }) => {
      const scan = JSON.parse(data) as Scan;
      const isKnown = show(queryClient, slug, scan);
      if (!isKnown || isFinal(scan)) lists.call();
    });
    opened.addEventListener('error', () => {
      hasMissed = true;
      setIsHeard(false);
      if (opened.readyState === EventSource.CLOSED) reopening = setTimeout(open, reopenAfterMs);
    });
  }
  function close(): void {
    clearTimeout(reopening);
    source?.close();
  }
  // Over HTTP/1.1 a browser has six connections to a host, and each stream holds one for as long as it is open.
  function followVisibility(): void {
    close();
    if (document.hidden) hasMissed = true;
    else open();
  }
  followVisibility();
  document.addEventListener('visibilitychange', followVisibility);
  return () => {
    document.removeEventListener('visibilitychange', followVisibility);
    lists.stop();
    close();
  };
}

/** Puts the scan into every list that shows it. False means that no list does. */
function show(queryClient: QueryClient, slug: string, scan: Scan): boolean {
  let isKnown = false;
  queryClient.setQueriesData<ScanPage>({ queryKey: scanKeys.lists(slug) }, (page) => {
    if (!page?.items.some(({ id }) => id === scan.id)) return page;
    isKnown = true;
    return { ...page, items: page.items.map((item) => (item.id === scan.id ? scan : item)) };
  });
  const key = scanKeys.one(slug, scan.id);
  queryClient.setQueryData<ScanDetail>(key, (before) => before && { ...before, ...scan });
  // The event does not carry the warnings, the changed vulnerabilities or the reasons of the verdict.
  if (isFinal(scan)) {
    queryClient.invalidateQueries({ predicate: ({ queryKey }) => isAbout(queryKey, slug, scan.id) });
    queryClient.invalidateQueries({ queryKey: gateKey(slug, { repo: scan.repository.id }) });
  }
  return isKnown;
}

function isAbout(queryKey: readonly unknown[], slug: string, id: string): boolean {
  return queryKey[1] === slug && (queryKey.includes(id) || queryKey[0] === 'series');
}

/** Works at once, and once more after the pause if it was called during the pause. */
function seldom(work: () => void): { call: () => void; stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isWanted = false;
  const run = (): void => {
    isWanted = false;
    work();
    timer = setTimeout(() => {
      timer = undefined;
      if (isWanted) run();
    }, listsAtMostEveryMs);
  };
  return {
    call: () => {
      isWanted = true;
      if (timer === undefined) run();
    },
    stop: () => clearTimeout(timer),
  };
}
