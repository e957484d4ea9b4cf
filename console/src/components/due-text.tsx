/** Shows how much time is left: `Due in 3 days`, `2 hours overdue`. The tooltip shows the exact UTC. */

import { dayMs, hourMs, minuteMs } from './time-lengths.ts';
import { exactUtc, useNow } from './time-text.tsx';

interface DueTextProps {
  /** The time as the API writes it. */
  dueAt: string;
  /** The object is no longer due. The date stays, but it does not warn. */
  isResolved?: boolean;
}

export function DueText({ dueAt, isResolved = false }: DueTextProps) {
  const now = useNow();
  const date = new Date(dueAt);
  const { text, tone } = dueLabel(date.getTime() - now);
  return (
    <time
      dateTime={dueAt}
      title={exactUtc(date)}
      style={
        isResolved || tone === 'plain' ? undefined : { color: `var(--tone-${tone}-text)`, fontWeight: 550 }
      }
    >
      {text}
    </time>
  );
}

// The same limit as the API's "due soon".
const soonMs = 7 * dayMs;

const units = [
  ['day', dayMs],
  ['hour', hourMs],
  ['minute', minuteMs],
] as const;

/** Rounds down, so that the text never promises more time than there is. */
function dueLabel(leftMs: number): { text: string; tone: 'bad' | 'warn' | 'plain' } {
  const length = Math.abs(leftMs);
  const [unit, unitMs] = units.find(([, one]) => length >= one) ?? ['minute', minuteMs];
  const count = Math.floor(length / unitMs);
  const span = `${count.toLocaleString()} ${count === 1 ? unit : `${unit}s`}`;
  if (leftMs <= 0) return { text: count === 0 ? 'Due now' : `${span} overdue`, tone: 'bad' };
  return {
    text: count === 0 ? 'Due within a minute' : `Due in ${span}`,
    tone: leftMs <= soonMs ? 'warn' : 'plain',
  };
}
