/** Numbers by severity in words, for people who cannot see the bar above them. */
import { VisuallyHidden } from '@mantine/core';
import { severities } from '../theme.ts';
import { enumLabel } from './badges.tsx';

export function SeverityCounts({ counts }: { counts: Record<string, number> }) {
  return <VisuallyHidden>{severityCountsLabel(counts)}</VisuallyHidden>;
}

/** Writes the counts in words: `critical 3, high 12`. */
export function severityCountsLabel(counts: Record<string, number>): string {
  return severities
    .filter((severity) => (counts[severity] ?? 0) > 0)
    .map((severity) => `${enumLabel(severity).toLowerCase()} ${(counts[severity] ?? 0).toLocaleString()}`)
    .join(', ');
}
