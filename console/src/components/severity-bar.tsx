/**
 * Numbers by severity as one bar. Text beside it gives the numbers, so the bar itself is hidden from screen readers.
 */
import { severities, severityColor } from '../theme.ts';
import './severity-bar.css';

interface SeverityBarProps {
  counts: Record<string, number>;
  /** The number that fills the whole bar; by default the sum of its parts. */
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
