/** Open vulnerabilities by severity: one bar, with a link to the list for each part of it. */
import { Link } from '@tanstack/react-router';
import type { Scope } from '../scopes.ts';
import { severities } from '../theme.ts';
import { enumLabel, SeverityBadge } from './badges.tsx';
import { Section } from './section.tsx';
import { SeverityBar } from './severity-bar.tsx';
import './open-by-severity.css';

interface OpenBySeverityProps {
  slug: string;
  counts: Record<string, number>;
  /** The full name of the repository, to count only that one. */
  repo?: string;
  /** The scope in which they are open. Without it, tracked references. */
  scope?: Scope;
}

export function OpenBySeverity({ slug, counts, repo, scope = 'tracked' }: OpenBySeverityProps) {
  return (
    <Section title="Open by severity">
      <SeverityBar counts={counts} height={14} />
      <ul className="open-by-severity">
        {severities.map((severity) => {
          const count = counts[severity] ?? 0;
          return (
            <li key={severity}>
              <Link
                to="/w/$slug/vulnerabilities"
                params={{ slug }}
                search={{
                  state: 'open',
                  severity: [severity],
                  scope,
                  ...(repo === undefined ? {} : { repo }),
                }}
                aria-label={`${enumLabel(severity)}: ${count.toLocaleString()} open`}
              >
                <SeverityBadge severity={severity} count={count} />
              </Link>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
