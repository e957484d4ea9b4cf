/** Numbers by severity as one bar; what they are stands beside it, so the bar itself says nothing aloud. */
import { severities, severityColor } from '../theme.ts';
import './severity-bar.css';

interface SeverityBarProps {
  counts: Record<string, number>;
  /** Of what number the bar would be full; by default of its own. */
  of?: number;
  height?: number;
}

export function SeverityBar({ counts, of, height = 8 }: SeverityBarProps) {
  const total = of ?? Object.values(counts).reduce((sum, n) => sum + n, 0);
  return (
    <div className="severity-bar" style={{ height }} aria-hidden="true">
      {total > 0 &&
        severities.map((severity) => {
          const share = ((counts[severity] ?? 0) / total) * 100;
          return (
            share > 0 && (
              <span key={severity} style={{ width: `${share}%`, background: severityColor(severity) }} />
            )
          );
        })}
    </div>
  );
}
