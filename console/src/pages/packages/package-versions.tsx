/** The versions of a package in use, with the number of repositories and the open vulnerabilities of each. */
import { Link } from '@tanstack/react-router';
import type { PackageDetail } from '../../api/packages.ts';
import { PlainTable, PlainTableRegion } from '../../components/plain-table.tsx';
import { visibleText } from '../../components/report-text.tsx';
import { Section } from '../../components/section.tsx';
import { Licenses } from './licenses.tsx';
import { OpenLink } from './open-link.tsx';

export function PackageVersions({ slug, detail }: { slug: string; detail: PackageDetail }) {
  const { used_versions: shown, versions } = detail;
  return (
    <Section
      title="Versions"
      description={
        shown.length < versions ? `The ${shown.length} in most repositories of ${versions}.` : undefined
      }
    >
      <PlainTableRegion label="Versions">
        <PlainTable headings={['Version', 'Repositories', 'Open', 'Licenses']} rows={shown}>
          {(version) => (
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
          )}
        </PlainTable>
      </PlainTableRegion>
    </Section>
  );
}

export function versionName({ version }: { version: string | null }): string {
  return version === null ? 'not known' : visibleText(version);
}
