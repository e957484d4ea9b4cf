/**
 * Lists the ids that reports have called another name of a CVE, with the sender, and a button that forgets a wrong one.
 */
import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type AdvisoryName, advisoryNamesKey, advisoryNamesQuery } from '../../api/advisory-names.ts';
import { api } from '../../api/client.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import type { Column } from '../../components/column.ts';
import { askFirst } from '../../components/confirmed-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Note } from '../../components/note.tsx';
import { ReportText } from '../../components/report-text.tsx';
import { Section } from '../../components/section.tsx';
import { ShowMore } from '../../components/show-more.tsx';
import { TimeText } from '../../components/time-text.tsx';
import { useAction } from '../../components/use-action.ts';

const meanings: Record<AdvisoryName['state'], string> = {
  joins: 'is another name of',
  ambiguous: 'is ambiguous (two CVEs) and joins nothing:',
  forgotten: 'is forgotten as a name of',
};

const columns: Column<AdvisoryName>[] = [
  {
    id: 'name',
    label: 'Name',
    wrap: true,
    cell: ({ name, state, advisory }) => (
      <>
        <ReportText className="mono">{name}</ReportText> {meanings[state]}{' '}
        <ReportText className="mono">{advisory}</ReportText>
      </>
    ),
  },
  {
    id: 'where',
    label: 'Counts in',
    wrap: true,
    cell: ({ repository }) =>
      repository === null ? 'The workspace' : <ReportText>{repository.full_name}</ReportText>,
  },
  {
    id: 'taught',
    label: 'Added by',
    wrap: true,
    cell: ({ taught_by: by, learned_at: at }) => (
      <>
        {by === null ? 'The operator' : <ReportText>{by.display_name}</ReportText>}, <TimeText value={at} />
      </>
    ),
  },
  { id: 'action', label: 'Action', cell: (name) => <ForgetButton name={name} /> },
];

export function AdvisoryNamesSection() {
  const { slug } = useWorkspace();
  const query = useInfiniteQuery(advisoryNamesQuery(slug));
  return (
    <Section
      title="Names of advisories"
      description="Other names of a CVE, from reports. Findings under such a name belong to the CVE. A key that may not decide adds names to its own repository only."
    >
      <Loaded query={query} noun="the names" lines={3}>
        {({ pages }) => {
          const rows = pages.flatMap(({ items }) => items);
          if (rows.length === 0) {
            return <Note>No report has added a name yet.</Note>;
          }
          return (
            <>
              <DataTable
                label="Names of advisories"
                fixedColumns
                columns={columns}
                rows={rows}
                keyOf={({ id }) => id}
                nameOf={({ name }) => name}
              />
              <ShowMore query={query} noun="names" mt="sm" />
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}

function ForgetButton({ name }: { name: AdvisoryName }) {
  const { slug } = useWorkspace();
  const isForgotten = name.state === 'forgotten';
  const { mutate, isPending } = useAction({
    act: () =>
      api.changeAdvisoryName({
        path: { tenant_slug: slug, name: name.id },
        body: { forgotten: !isForgotten },
      }),
    done: isForgotten ? `${name.name} joins findings again.` : `${name.name} is forgotten.`,
    changed: [advisoryNamesKey(slug)],
  });
  // An ambiguous name joins nothing, so there is nothing to forget.
  if (name.state === 'ambiguous') return null;
  const question = {
    title: 'Forget the name',
    consequences: `Findings under ${name.name} no longer belong to ${name.advisory}. Vulnerabilities that it has joined stay joined until somebody splits them. Policies that block apply to them until somebody decides again.`,
    confirm: 'Forget',
    isRemoval: true,
  };
  return (
    <Button
      size="compact-xs"
      variant="default"
      loading={isPending}
      aria-label={`${isForgotten ? 'Restore' : 'Forget'} ${name.name}`}
      onClick={() => (isForgotten ? mutate() : askFirst(question, mutate))}
    >
      {isForgotten ? 'Restore' : 'Forget'}
    </Button>
  );
}
