/** The number of the list's vulnerabilities per severity. Severities without any are left out. */
import { enumLabel, SeverityBadge } from '../../components/badges.tsx';
import { severities } from '../../theme.ts';

export function SeveritySummary({ counts }: { counts: Record<string, number> }) {
  const found = severities.filter((severity) => (counts[severity] ?? 0) > 0);
  return (
    <span className="vuln-summary">
      {found.map((severity) => (
        <span key={severity} title={enumLabel(severity)}>
          <SeverityBadge severity={severity} count={counts[severity] ?? 0} />
        </span>
      ))}
    </span>
  );
}
