/**
 * Says that the server is down, and when the next attempt is: in place of a page that could not load, or above a loaded
 * page.
 */
import { Button } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { tryServerNow, useServerAway } from '../api/server-away.ts';
import { PageHeader } from '../components/page-header.tsx';
import '../components/state.css';
import './server-away.css';

/** Shown above a loaded page. Text that was typed there stays. */
export function ServerAwayBar() {
  const away = useServerAway();
  const hasFailed = useRouterState({
    select: ({ matches }) => matches.some(({ status }) => status === 'error'),
  });
  const isShown = away !== null && !hasFailed;
  return (
    // The region exists before its text, so that screen readers announce the text.
    <div className={isShown ? 'server-away' : undefined} aria-live="polite">
      {isShown && (
        <>
          <IconPlugConnectedX size={18} stroke={1.7} aria-hidden="true" />
          <span>
            The server is not available. What you have typed stays; send it once the server is back.
          </span>
          <NextTry nextTryAt={away.nextTryAt} />
        </>
      )}
    </div>
  );
}

/** Replaces a page that could not load because the server is down. It loads by itself when the server is back. */
export function ServerAwayPage() {
  const away = useServerAway();
  return (
    <>
      <PageHeader title="The server is not available" />
      <div className="state" role="alert">
        <IconPlugConnectedX className="state-icon" size={28} stroke={1.5} aria-hidden="true" />
        <p className="state-title">It cannot be reached, or cannot answer yet</p>
        <p className="state-text">This page loads by itself when the server is back.</p>
        <div className="server-away-try">
          <NextTry nextTryAt={away?.nextTryAt ?? null} />
        </div>
      </div>
    </>
  );
}

// The seconds change too often to be announced.
function NextTry({ nextTryAt }: { nextTryAt: number | null }) {
  const seconds = useSecondsTo(nextTryAt);
  return (
    <>
      <span className="server-away-when" aria-hidden="true">
        {nextTryAt === null ? 'Trying…' : `Next attempt in ${seconds} s`}
      </span>
      <Button size="compact-sm" variant="default" loading={nextTryAt === null} onClick={tryServerNow}>
        Try now
      </Button>
    </>
  );
}

function useSecondsTo(at: number | null): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (at === null) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [at]);
  return at === null ? 0 : Math.max(0, Math.ceil((at - now) / 1000));
}
