/** A number with its name, which links to the list behind it. */
import { Tooltip } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';
import './stat.css';

interface StatProps {
  label: string;
  value: ReactNode;
  /** Shown below in smaller text: `12 due this week`. */
  note?: ReactNode;
  /** Shown after a number: ` %`. */
  suffix?: string;
  tone?: 'bad' | 'warn' | 'good';
  /** A sentence that says what the number counts. It is shown on hover and on keyboard focus. */
  hint?: string;
  /**
   * A function such as `(content) => <Link …>{content}</Link>`, so that TypeScript checks the address in the caller's
   * code.
   */
  link?: (props: { className: string; children: ReactNode }) => ReactElement;
}

export function Stat({ label, value, note, suffix, tone, hint, link }: StatProps) {
  const content = (
    <>
      <span className="stat-label">{label}</span>
      <span className={classOf(value, tone)}>
        {typeof value === 'number' ? `${value.toLocaleString()}${suffix ?? ''}` : value}
      </span>
      {note && <span className="stat-note">{note}</span>}
    </>
  );
  const tile = link ? (
    link({ className: 'stat stat-link', children: content })
  ) : (
    <div className="stat">{content}</div>
  );
  if (hint === undefined) return tile;
  return (
    <Tooltip label={hint} multiline w={280} events={{ hover: true, focus: true, touch: false }}>
      {tile}
    </Tooltip>
  );
}

function classOf(value: ReactNode, tone: StatProps['tone']): string {
  return `stat-value ${typeof value === 'number' ? '' : 'stat-text'} ${tone ? `stat-${tone}` : ''}`;
}
