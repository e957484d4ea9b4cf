/** How long there is still time, in words: `Due in 3 days`, `2 hours overdue`. The exact UTC stands behind it. */
import { exactUtc, useNow } from './time-text.tsx';

interface DueTextProps {
  /** As the API writes it. */
  dueAt: string;
  /** It is due no more: the date stays, and does not warn. */
  isResolved?: boolean;
}

export function DueText({ dueAt, isResolved = false }: DueTextProps) {
  const now = useNow();
  const date = new Date(dueAt);
  const { words, tone } = dueWords(date.getTime() - now);
  return (
    <time
      dateTime={dueAt}
      title={exactUtc(date)}
      style={
        isResolved || tone === 'plain' ? undefined : { color: `var(--tone-${tone}-text)`, fontWeight: 550 }
      }
    >
      {words}
    </time>
  );
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
// As the API's word for what is due soon.
const soonMs = 7 * dayMs;

const units = [
  ['day', dayMs],
  ['hour', hourMs],
  ['minute', minuteMs],
] as const;

/** Rounded down, so that nobody has less time than is said. */
function dueWords(leftMs: number): { words: string; tone: 'bad' | 'warn' | 'plain' } {
  const length = Math.abs(leftMs);
  const [unit, unitMs] = units.find(([, one]) => length >= one) ?? ['minute', minuteMs];
  const count = Math.floor(length / unitMs);
  const span = `${count.toLocaleString()} ${count === 1 ? unit : `${unit}s`}`;
  if (leftMs <= 0) return { words: count === 0 ? 'Due now' : `${span} overdue`, tone: 'bad' };
  return {
    words: count === 0 ? 'Due within a minute' : `Due in ${span}`,
    tone: leftMs <= soonMs ? 'warn' : 'plain',
  };
}
