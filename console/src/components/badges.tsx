/** Severity, status and verdict: always as a word with its own mark, so that colour is never the only sign. */
import {
  IconAlertTriangle,
  IconBan,
  IconCheck,
  IconCircle,
  IconCircleDashed,
  IconClock,
  IconLoader2,
  IconQuestionMark,
  IconShieldCheck,
  IconX,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { severities } from '../theme.ts';
import './badges.css';

/** `count` makes the badge part of a summary: `Critical 12`. */
export function SeverityBadge({ severity, count }: { severity: string; count?: number }) {
  const known = (severities as readonly string[]).includes(severity) ? severity : 'unknown';
  return (
    <span className={`badge severity severity-${known}`}>
      <SeverityMark severity={known} />
      <span className="badge-word">{enumLabel(severity)}</span>
      {count !== undefined && <span className="badge-count">{count.toLocaleString()}</span>}
    </span>
  );
}

const barsOf: Record<string, number> = { critical: 4, high: 3, medium: 2, low: 1 };

/** Four bars; a higher severity fills more of them. An unknown one has a question mark, since Info fills none. */
export function SeverityMark({ severity }: { severity: string }) {
  if (severity === 'unknown') return <IconQuestionMark size={11} stroke={3} aria-hidden="true" />;
  const full = barsOf[severity] ?? 0;
  return (
    <svg className="severity-mark" width="11" height="10" viewBox="0 0 11 10" aria-hidden="true">
      {[0, 1, 2, 3].map((bar) => (
        <rect
          key={bar}
          x={bar * 3}
          y={7.5 - bar * 2.5}
          width="2"
          height={2.5 + bar * 2.5}
          rx="0.5"
          fill="currentColor"
          opacity={bar < full ? 1 : 0.28}
        />
      ))}
    </svg>
  );
}

export type Tone = 'good' | 'bad' | 'warn' | 'busy' | 'plain';

interface ToneBadgeProps {
  tone: Tone;
  children: React.ReactNode;
  icon?: React.ComponentType<{ size?: number; stroke?: number; className?: string; 'aria-hidden'?: 'true' }>;
  title?: string;
}

/** For labels that have no badge of their own: `KEV`, `Overdue`, a role. */
export function ToneBadge({ tone, children, icon: Icon, title }: ToneBadgeProps) {
  return (
    <span className={`badge tone-${tone}`} title={title}>
      {Icon && <Icon size={12} stroke={2.2} aria-hidden="true" />}
      {children}
    </span>
  );
}

// The list holds every state that the API uses, with its meaning for the reader.
const statuses: Record<string, { tone: Tone; icon: NonNullable<ToneBadgeProps['icon']> }> = {
  open: { tone: 'busy', icon: IconCircle },
  fixed: { tone: 'good', icon: IconCheck },
  accepted: { tone: 'plain', icon: IconShieldCheck },
  ignored: { tone: 'plain', icon: IconBan },
  pending_review: { tone: 'warn', icon: IconClock },
  waived: { tone: 'plain', icon: IconShieldCheck },
  resolved: { tone: 'good', icon: IconCheck },
  snoozed: { tone: 'plain', icon: IconClock },
  queued: { tone: 'plain', icon: IconClock },
  running: { tone: 'busy', icon: IconLoader2 },
  completed: { tone: 'good', icon: IconCheck },
  failed: { tone: 'bad', icon: IconX },
  canceled: { tone: 'plain', icon: IconBan },
  requested: { tone: 'warn', icon: IconClock },
  approved: { tone: 'good', icon: IconCheck },
  rejected: { tone: 'bad', icon: IconX },
  refused: { tone: 'bad', icon: IconX },
  withdrawn: { tone: 'plain', icon: IconBan },
  ended: { tone: 'plain', icon: IconBan },
  draft: { tone: 'plain', icon: IconCircleDashed },
  expired: { tone: 'plain', icon: IconClock },
  active: { tone: 'good', icon: IconCheck },
  disabled: { tone: 'plain', icon: IconBan },
  stale: { tone: 'warn', icon: IconClock },
  never: { tone: 'plain', icon: IconCircleDashed },
  retired: { tone: 'plain', icon: IconBan },
};

/** The state of a vulnerability, violation, scan, key, exception or series, in the API's word. */
export function StatusBadge({ status, label }: { status: string; label?: ReactNode }) {
  const { tone, icon: Icon } = statuses[status.toLowerCase()] ?? { tone: 'plain', icon: IconCircleDashed };
  return (
    <span className={`badge tone-${tone}`}>
      <Icon size={12} stroke={2.2} aria-hidden="true" className={status === 'running' ? 'badge-spin' : ''} />
      {label ?? enumLabel(status)}
    </span>
  );
}

const verdicts = {
  pass: { tone: 'good', icon: IconCheck, label: 'Pass' },
  warn: { tone: 'warn', icon: IconAlertTriangle, label: 'Warn' },
  block: { tone: 'bad', icon: IconX, label: 'Block' },
} as const;

/** The gate's verdict. Null means that there is no verdict yet. */
export function VerdictBadge({ verdict }: { verdict: string | null }) {
  if (verdict === null) return <span className="badge tone-plain">No verdict</span>;
  const known = verdict in verdicts ? verdicts[verdict as keyof typeof verdicts] : null;
  if (!known) return <StatusBadge status={verdict} />;
  return (
    <ToneBadge tone={known.tone} icon={known.icon}>
      {known.label}
    </ToneBadge>
  );
}

/** Writes the API's name as words: `risk_accepted` → `Risk accepted`. */
export function enumLabel(name: string): string {
  const text = name.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
