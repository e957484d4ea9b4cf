/** A number with its name: a link to the list behind it. */
import type { ReactNode } from 'react';
import './stat.css';

interface StatProps {
  label: string;
  value: ReactNode;
  /** Below, smaller: `12 due this week`. */
  note?: ReactNode;
  tone?: 'bad' | 'warn' | 'good';
  /** `(content) => <Link …>{content}</Link>`, so that the address is checked where it is written. */
  link?: (props: { className: string; children: ReactNode }) => ReactNode;
}

export function Stat({ label, value, note, tone, link }: StatProps) {
  const content = (
    <>
      <span className="stat-label">{label}</span>
      <span className={classOf(value, tone)}>
        {typeof value === 'number' ? value.toLocaleString() : value}
      </span>
      {note && <span className="stat-note">{note}</span>}
    </>
  );
  return link ? (
    link({ className: 'stat stat-link', children: content })
  ) : (
    <div className="stat">{content}</div>
  );
}

function classOf(value: ReactNode, tone: StatProps['tone']): string {
  return `stat-value ${typeof value === 'number' ? '' : 'stat-text'} ${tone ? `stat-${tone}` : ''}`;
}
