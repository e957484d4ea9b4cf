/** The advisories of open vulnerabilities in a package, with the version that fixes each. */
import { Link } from '@tanstack/react-router';
import type { PackageDetail } from '../../api/packages.ts';
import { SeverityBadge } from '../../components/badges.tsx';
import { ReportText } from '../../components/report-text.tsx';
import { Section } from '../../components/section.tsx';
import '../../components/plain-table.css';

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
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by the keyboard
        <section className="plain-table-region" aria-label="Open vulnerabilities" tabIndex={0}>
          <table className="plain-table">
            <thead>
              <tr>
                <th scope="col">Advisory</th>
                <th scope="col" className="plain-table-left">
                  Severity
                </th>
                <th scope="col" className="plain-table-left">
                  Title
                </th>
                <th scope="col">Fixed in</th>
                <th scope="col">Open</th>
              </tr>
            </thead>
            <tbody>
              {detail.advisories.map((row) => (
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
              ))}
            </tbody>
          </table>
        </section>
      )}
    </Section>
  );
}
