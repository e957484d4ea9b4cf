/** The number of the list's vulnerabilities per severity. Severities without any are left out. */
import { SeverityBadge } from '../../components/badges.tsx';
import { severities } from '../../theme.ts';

export function SeveritySummary({ counts }: { counts: Record<string, number> }) {
  const found = severities.filter((severity) => (counts[severity] ?? 0) > 0);
  return (
    <span className="vuln-summary no-phone">
      {found.map((severity) => (
        <SeverityBadge key={severity} severity={severity} count={counts[severity] ?? 0} />
      ))}
    </span>
  );
}
