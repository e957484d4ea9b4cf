/** The organizations or applications with the highest risk. Each leads to its own report. */
import { Link } from '@tanstack/react-router';
import type { StatusReport } from '../../api/overview.ts';
import { durationText } from '../../components/duration-text.ts';
import { PlainTable } from '../../components/plain-table.tsx';
import { Section } from '../../components/section.tsx';

interface ReportBreakdownProps {
  slug: string;
  by: 'organization' | 'application';
  parts: StatusReport['parts'];
}

export function ReportBreakdown({ slug, by, parts }: ReportBreakdownProps) {
  return (
    <Section
      title={`By ${by}`}
      description="The twenty with the highest risk. Fixed, mean time to fix and SLA are of 90 days."
    >
      {parts.length === 0 ? (
        <p className="plain-table-none">{`No ${by} has open vulnerabilities.`}</p>
      ) : (
        <div className="plain-table-region">
          <PlainTable
            headings={[
              by === 'organization' ? 'Organization' : 'Application',
              'Critical',
              'High',
              'Open',
              'Fixed',
              'Mean time to fix',
              'SLA met',
            ]}
            rows={parts}
          >
            {({ id, name, by_severity, open, fixed, mean_seconds, sla }) => (
              <tr key={id}>
                <th scope="row">
                  <Link to="/w/$slug/report" params={{ slug }} search={{ [by]: id }} className="break">
                    {name}
                  </Link>
                </th>
                <td>{(by_severity.critical ?? 0).toLocaleString()}</td>
                <td>{(by_severity.high ?? 0).toLocaleString()}</td>
                <td>{open.toLocaleString()}</td>
                <td>{fixed.toLocaleString()}</td>
                <td>{durationText(mean_seconds)}</td>
                <td>{sla.percent === null ? '–' : `${sla.percent} %`}</td>
              </tr>
            )}
          </PlainTable>
        </div>
      )}
    </Section>
  );
}
