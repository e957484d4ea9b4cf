/** The versions of a package in use, with the number of repositories and the open vulnerabilities of each. */
import { Link } from '@tanstack/react-router';
import type { PackageDetail } from '../../api/packages.ts';
import { visibleText } from '../../components/report-text.tsx';
import { Section } from '../../components/section.tsx';
import { Licenses } from './licenses.tsx';
import { OpenLink } from './open-link.tsx';
import '../../components/plain-table.css';

export function PackageVersions({ slug, detail }: { slug: string; detail: PackageDetail }) {
  const { used_versions: shown, versions } = detail;
  return (
    <Section
      title="Versions"
      description={
        shown.length < versions ? `The ${shown.length} in most repositories of ${versions}.` : undefined
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by the keyboard */}
      <section className="plain-table-region" aria-label="Versions" tabIndex={0}>
        <table className="plain-table">
          <thead>
            <tr>
              <th scope="col">Version</th>
              <th scope="col">Repositories</th>
              <th scope="col">Open</th>
              <th scope="col">Licenses</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((version) => (
              <tr key={version.id}>
                <th scope="row">
                  <Link
                    to="/w/$slug/packages/$package"
                    params={{ slug, package: detail.id }}
                    search={{ version: version.id }}
                    className="break"
                    aria-label={`Where version ${versionName(version)} is used`}
                  >
                    {versionName(version)}
                  </Link>
                </th>
                <td>{version.repositories.toLocaleString()}</td>
                <td>
                  <OpenLink slug={slug} counts={version} />
                </td>
                <td>
                  <Licenses slug={slug} names={version.licenses} all />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Section>
  );
}

export function versionName({ version }: { version: string | null }): string {
  return version === null ? 'not known' : visibleText(version);
}
