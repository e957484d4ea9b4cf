/** The rules by which runs of GitHub Actions and GitLab CI get a key of fifteen minutes. */
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { type TrustRule, trustRulesQuery } from '../../api/trust-rules.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import type { Column } from '../../components/column.ts';
import { ConfirmedButton } from '../../components/confirmed-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Note, SmallNote } from '../../components/note.tsx';
import { Section } from '../../components/section.tsx';
import { TimeText } from '../../components/time-text.tsx';
import { CreateTrustRule } from './create-trust-rule.tsx';
import { providerLabels } from './trust-rule-labels.ts';

const columns: Column<TrustRule>[] = [
  { id: 'name', label: 'Name', cell: ({ name }) => <span className="break">{name}</span> },
  { id: 'provider', label: 'Runs of', wrap: true, cell: (rule) => <RunsOf rule={rule} /> },
  { id: 'used', label: 'Last used', cell: (rule) => <TimeText value={rule.last_used_at} /> },
  { id: 'refused', label: 'Last refused', wrap: true, cell: (rule) => <LastRefusal rule={rule} /> },
  { id: 'action', label: 'Action', cell: (rule) => <DeleteRule rule={rule} /> },
];

export function TrustRulesSection() {
  const { slug } = useWorkspace();
  const query = useQuery(trustRulesQuery(slug));
  const [isCreating, setIsCreating] = useState(false);
  return (
    <Section
      title="Trust rules for CI"
      description="A run of GitHub Actions or GitLab CI that meets a rule gets a key of fifteen minutes for its own repository. No key has to be stored there."
      actions={
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} />}
          disabled={(query.data?.issuers.length ?? 0) === 0}
          onClick={() => setIsCreating(true)}
        >
          New rule
        </Button>
      }
    >
      <Loaded query={query} noun="the trust rules" lines={2}>
        {({ items, issuers }) => (
          <>
            {items.length === 0 ? (
              <Note>
                {issuers.length === 0
                  ? 'The operator of this server allows no CI provider (MERLON_CI_ISSUERS).'
                  : 'There is no rule yet.'}
              </Note>
            ) : (
              <DataTable
                label="Trust rules"
                columns={columns}
                rows={items}
                keyOf={({ id }) => id}
                nameOf={({ name }) => name}
              />
            )}
            <CreateTrustRule issuers={issuers} opened={isCreating} onClose={() => setIsCreating(false)} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

function RunsOf({ rule }: { rule: TrustRule }) {
  return (
    <>
      {providerLabels[rule.provider]}
      {Object.entries(rule.claims).map(([claim, value]) => (
        <SmallNote isBreakable key={claim}>
          {claim} = {value}
        </SmallNote>
      ))}
      <SmallNote isBreakable>for {rule.audience}</SmallNote>
    </>
  );
}

function LastRefusal({ rule }: { rule: TrustRule }) {
  return (
    <>
      <TimeText value={rule.last_refused_at} />
      {rule.last_refusal !== null && <SmallNote isBreakable>{rule.last_refusal}</SmallNote>}
    </>
  );
}

function DeleteRule({ rule }: { rule: TrustRule }) {
  const { slug } = useWorkspace();
  return (
    <ConfirmedButton
      aria-label={`Delete ${rule.name}`}
      title="Delete the trust rule"
      consequences={`Runs that only ${rule.name} accepts get no key any more, and the keys that it gave are refused within a second.`}
      confirm="Delete"
      isRemoval
      act={() => api.deleteTrustRule({ path: { tenant_slug: slug, rule: rule.id } })}
      done={`The rule ${rule.name} is deleted.`}
      changed={[trustRulesQuery(slug).queryKey]}
    >
      Delete
    </ConfirmedButton>
  );
}
