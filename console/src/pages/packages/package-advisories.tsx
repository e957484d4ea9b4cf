/** The advisories of open vulnerabilities in a package, with the version that fixes each. */
import { Link } from '@tanstack/react-router';
import type { PackageDetail } from '../../api/packages.ts';
import { SeverityBadge } from '../../components/badges.tsx';
import { PlainTable, PlainTableRegion } from '../../components/plain-table.tsx';
import { ReportText } from '../../components/report-text.tsx';
import { Section } from '../../components/section.tsx';

export function PackageAdvisories({ slug, detail }: { slug: string; detail: PackageDetail }) {
  const search = { state: 'open' as const, package: detail.purl };
  return (
    <Section
      title="Open vulnerabilities"
      actions={
        detail.open > 0 && (
          <Link to="/w/$slug/vulnerabilities" params={{ slug }} search={search}>
            Show all {detail.open.toLocaleString()}
          </Link>
        )
      }
    >
      {detail.advisories.length === 0 ? (
        <p className="plain-table-none">It has no open vulnerability on tracked references.</p>
      ) : (
        <PlainTableRegion label="Open vulnerabilities">
          <PlainTable
            headings={[
              'Advisory',
              { label: 'Severity', className: 'plain-table-left' },
              { label: 'Title', className: 'plain-table-left' },
              'Fixed in',
              'Open',
            ]}
            rows={detail.advisories}
          >
            {(row) => (
              <tr key={row.advisory}>
                <th scope="row" className="break">
                  <ReportText>{row.advisory}</ReportText>
                </th>
                <td className="plain-table-left">
                  <SeverityBadge severity={row.severity} />
                </td>
                <td className="plain-table-left">
                  <ReportText className="package-title break">{row.title}</ReportText>
                </td>
                <td className="break">
                  {row.fix_version === null ? 'No fix known' : <ReportText>{row.fix_version}</ReportText>}
                </td>
                <td>{row.open.toLocaleString()}</td>
              </tr>
            )}
          </PlainTable>
        </PlainTableRegion>
      )}
    </Section>
  );
}
