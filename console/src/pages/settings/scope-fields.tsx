/**
 * The repositories and applications by which a receiver of events, or a rule for issues, is limited: as fields, and as
 * text.
 */
import { MultiSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { applicationsQuery } from '../../api/applications.ts';
import { fieldError } from '../../api/errors.ts';
import { repositoryChoicesQuery } from '../../api/repository-names.ts';
import { useWorkspace } from '../../api/workspaces.ts';

interface Scope {
  repositories: string[];
  applications: string[];
}

/** The names of a scope as it is stored. */
interface StoredScope {
  repositories: { id: string; full_name: string }[];
  applications: { id: string; name: string }[];
}

/** Returns `in Shop, acme/api`, or null for the whole workspace. A deleted object has no name, so its id is shown. */
export function scopeText({ applications, repositories }: StoredScope): string | null {
  const places = [
    ...applications.map(({ id, name }) => name || id),
    ...repositories.map(({ id, full_name: name }) => name || id),
  ];
  return places.length === 0 ? null : `in ${places.join(', ')}`;
}

interface ScopeFieldsProps {
  fields: Scope;
  change: (part: Partial<Scope>) => void;
  error: unknown;
  /** The stored scope. It may have repositories that are not among the choices. */
  stored?: StoredScope | null | undefined;
  repositoriesNote: string;
  applicationsNote: string;
}

export function ScopeFields({
  fields,
  change,
  error,
  stored,
  repositoriesNote,
  applicationsNote,
}: ScopeFieldsProps) {
  const { slug } = useWorkspace();
  const repositories = useQuery(repositoryChoicesQuery(slug));
  const applications = useQuery(applicationsQuery(slug, { per_page: 200 }));
  return (
    <>
      <MultiSelect
        label="Repositories"
        description={repositoriesNote}
        data={withStored(
          (repositories.data?.items ?? []).map(({ id, full_name: label }) => ({ value: id, label })),
          (stored?.repositories ?? []).map(({ id, full_name: label }) => ({ value: id, label })),
        )}
        value={fields.repositories}
        onChange={(chosen) => change({ repositories: chosen })}
        searchable
        clearable
        limit={50}
        error={fieldError(error, 'repositories')}
      />
      <MultiSelect
        label="Applications"
        description={applicationsNote}
        data={withStored(
          (applications.data?.items ?? []).map(({ id, name: label }) => ({ value: id, label })),
          (stored?.applications ?? []).map(({ id, name: label }) => ({ value: id, label })),
        )}
        value={fields.applications}
        onChange={(chosen) => change({ applications: chosen })}
        searchable
        clearable
        limit={50}
        error={fieldError(error, 'applications')}
      />
    </>
  );
}

interface Choice {
  value: string;
  label: string;
}

/** Returns the choices, and the stored ones that are not among them. The label of a deleted object is empty. */
function withStored(found: Choice[], stored: Choice[]): Choice[] {
  const known = new Set(found.map(({ value }) => value));
  return [...found, ...stored.filter(({ value }) => !known.has(value))].map(({ value, label }) => ({
    value,
    label: label === '' ? `${value} (deleted)` : label,
  }));
}
