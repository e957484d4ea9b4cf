/** A number with its name, which links to the list behind it. */
import type { ReactNode } from 'react';
import './stat.css';

interface StatProps {
  label: string;
  value: ReactNode;
  /** Stands below in smaller text: `12 due this week`. */
  note?: ReactNode;
  tone?: 'bad' | 'warn' | 'good';
  /** A function such as `(content) => <Link …>{content}</Link>`, so that its writer's code checks the address. */
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
