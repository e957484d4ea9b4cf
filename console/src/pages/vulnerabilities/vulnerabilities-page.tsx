/**
 * The vulnerabilities of a workspace: filters, and below them the list or its groups. The address holds the whole view.
 */
import { useSearch } from '@tanstack/react-router';
import { useWorkspace } from '../../api/workspaces.ts';
import { FilterBar } from '../../components/filter-bar.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { minTermLength } from '../../search-terms.ts';
import { ExportMenu } from './export-menu.tsx';
import { GroupList } from './group-list.tsx';
import { SavedViews } from './saved-views.tsx';
import { useFacets } from './use-facets.ts';
import { VulnerabilityList } from './vulnerability-list.tsx';
import './vulnerabilities.css';

export function VulnerabilitiesPage() {
  const { slug } = useWorkspace();
  const search = useSearch({ from: '/w/$slug/vulnerabilities' });
  return (
    <>
      <PageHeader
        title="Vulnerabilities"
        actions={
          <>
            <SavedViews search={search} />
            <ExportMenu search={search} />
          </>
        }
      />
      <FilterBar
        facets={useFacets(search)}
        searchField={{ label: 'Title, package or CVE', minLength: minTermLength }}
      />
      {search.group === undefined ? (
        <VulnerabilityList search={search} />
      ) : (
        <GroupList slug={slug} search={search} by={search.group} />
      )}
    </>
  );
}
