/** The time to fix, by severity, of vulnerabilities that were fixed within the last 90 days. */
import { Link } from '@tanstack/react-router';
import type { Overview } from '../../api/overview.ts';
import { SeverityBadge } from '../../components/badges.tsx';
import { durationText } from '../../components/duration-text.ts';
import { PlainTable } from '../../components/plain-table.tsx';
import { Section } from '../../components/section.tsx';

interface FixTimesProps {
  slug: string;
  times: Overview['fix_time'];
}

export function FixTimes({ slug, times }: FixTimesProps) {
  return (
    <Section
      title="Mean time to fix"
      description="Vulnerabilities that were fixed within 90 days, even if they were found again. A severity links to those that are fixed now."
    >
      <PlainTable headings={['Severity', 'Mean', 'Fixed']} rows={times}>
        {({ severity, fixed, mean_seconds }) => (
          <tr key={severity}>
            <th scope="row">
              <Link
                to="/w/$slug/vulnerabilities"
                params={{ slug }}
                search={{ state: 'fixed', severity: [severity] }}
                className="overview-severity"
              >
                <SeverityBadge severity={severity} />
              </Link>
            </th>
            <td>{durationText(mean_seconds)}</td>
            <td>{fixed.toLocaleString()}</td>
          </tr>
        )}
      </PlainTable>
    </Section>
  );
}
