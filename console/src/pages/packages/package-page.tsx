/** One package: its usages, versions, open vulnerabilities and licenses. */
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type PackageDetail, packageQuery } from '../../api/packages.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { ToneBadge } from '../../components/badges.tsx';
import { CopiedFact, Fact } from '../../components/fact.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Section } from '../../components/section.tsx';
import { countOf } from '../../components/target-labels.ts';
import { Licenses } from './licenses.tsx';
import { PackageAdvisories } from './package-advisories.tsx';
import { ecosystemName, fullName } from './package-name.ts';
import { PackageUsages } from './package-usages.tsx';
import { PackageVersions } from './package-versions.tsx';
import './packages.css';

export function PackagePage() {
  const { slug } = useWorkspace();
  const { package: id } = useParams({ from: '/w/$slug/packages/$package' });
  const query = useQuery(packageQuery(slug, id));
  const shown = query.data;
  return (
    <>
      <PageHeader
        title={shown ? fullName(shown) : 'Package'}
        description={shown && describe(shown)}
        back={{ to: '/w/$slug/packages', label: 'Packages' }}
        aside={
          shown &&
          (shown.open > 0 ? (
            <ToneBadge tone="bad">Vulnerable</ToneBadge>
          ) : (
            <ToneBadge tone="good">Nothing open</ToneBadge>
          ))
        }
      />
      <Loaded query={query} noun="the package" lines={12}>
        {(data) => (
          <div className="package">
            <PackageUsages slug={slug} detail={data} />
            <PackageVersions slug={slug} detail={data} />
            <PackageAdvisories slug={slug} detail={data} />
            <Section title="Facts">
              <dl className="facts">
                <Fact name="Ecosystem">{ecosystemName(data)}</Fact>
                <Fact name="Licenses">
                  <Licenses slug={slug} names={data.licenses} all />
                </Fact>
                <CopiedFact name="Package URL" value={data.purl} noun="the package URL" />
              </dl>
            </Section>
          </div>
        )}
      </Loaded>
    </>
  );
}

function describe({ repositories, versions }: PackageDetail): string {
  return `In ${countOf(repositories, 'repository', 'repositories')}, in ${countOf(versions, 'version', 'versions')}.`;
}
