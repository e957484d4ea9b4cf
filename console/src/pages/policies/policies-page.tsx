/** The policies of the workspace, with the number of violations of each. Policies that are off are marked. */
import { Button } from '@mantine/core';
import { IconPlus, IconShieldCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type Policy, type PolicyCounts, policiesQuery, policyCountsQuery } from '../../api/policies.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { enumLabel, StatusBadge, ToneBadge } from '../../components/badges.tsx';
import type { Column } from '../../components/column.ts';
import { DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { hasWords } from '../../components/has-words.ts';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { windowLabel } from '../../components/policy-labels.ts';
import { countOf, targetTypeLabel } from '../../components/target-labels.ts';
import { TimeText } from '../../components/time-text.tsx';
import { progressLabel } from './evaluation-note.tsx';
import { FindsNow } from './finds-now.tsx';
import { newPolicy, policyParam } from './policy-param.ts';
import { SwitchPolicy } from './switch-policy.tsx';
import './policies.css';

const route = getRouteApi('/w/$slug/policies');

export function PoliciesPage() {
  const { slug, may } = useWorkspace();
  const { q } = route.useSearch();
  const query = useQuery(policiesQuery(slug));
  const isMoving = query.data?.items.some(({ evaluation }) => evaluation.pending) ?? false;
  const counts = useQuery(policyCountsQuery(slug, isMoving));
  const [switching, setSwitching] = useState<Policy | null>(null);
  return (
    <>
      <PageHeader
        title="Policies"
        description="Policies say which findings are not acceptable, where, and how strictly. A match of an active policy is a violation."
        actions={
          may('admin') && (
            <Button
              leftSection={<IconPlus size={16} />}
              renderRoot={(props) => (
                <Link to="/w/$slug/policies/$policy" params={{ slug, policy: newPolicy }} {...props} />
              )}
            >
              New policy
            </Button>
          )
        }
      />
      <Loaded query={query} noun="the policies" lines={8}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState
              title="There is no policy"
              icon={<IconShieldCheck size={28} stroke={1.5} aria-hidden="true" />}
              command={`merlond policy apply policies.yaml --workspace ${slug}`}
            >
              Create one here, or apply a file on the server.
            </EmptyState>
          ) : (
            <>
              <FilterBar searchField={{ label: 'Name, key or status' }} />
              <PolicyTable
                columns={columnsFor(slug, counts.data?.items, may('admin') ? setSwitching : null)}
                rows={items.filter((row) => hasWords(q, wordsOf(row)))}
              />
            </>
          )
        }
      </Loaded>
      <SwitchPolicy policy={switching} onClose={() => setSwitching(null)} />
    </>
  );
}

function wordsOf({ name, key, status, enforcement_mode: mode, target_type: type }: Policy): string[] {
  return [name, key, enumLabel(status), enumLabel(mode), targetTypeLabel(type)];
}

function PolicyTable({ columns, rows }: { columns: Column<Policy>[]; rows: Policy[] }) {
  if (rows.length === 0) return <EmptyState title="No policy matches" />;
  return (
    <DataTable
      label="Policies"
      columns={columns}
      rows={rows}
      keyOf={({ id }) => id}
      nameOf={({ name }) => name}
    />
  );
}

function columnsFor(
  slug: string,
  counts: PolicyCounts[] | undefined,
  onSwitch: ((policy: Policy) => void) | null,
): Column<Policy>[] {
  const byPolicy = new Map(counts?.map((one) => [one.policy, one]));
  return [
    {
      id: 'name',
      label: 'Policy',
      cell: (row) => (
        <>
          <Link to="/w/$slug/policies/$policy" params={{ slug, policy: policyParam(row) }} className="break">
            {row.name}
          </Link>
          <div className="mono policy-dimmed policy-key">{row.key}</div>
        </>
      ),
    },
    {
      id: 'status',
      label: 'Status',
      cell: (row) => (
        <span className="policy-badges">
          <StatusBadge status={row.status} />
          {row.type === 'builtin' && <ToneBadge tone="plain">Built-in</ToneBadge>}
        </span>
      ),
    },
    { id: 'mode', label: 'Mode', cell: (row) => enumLabel(row.enforcement_mode) },
    { id: 'about', label: 'Target', cell: (row) => targetTypeLabel(row.target_type) },
    {
      id: 'finds',
      label: 'Violations',
      cell: (row) => (
        <FindsOrSwitch policy={row} counts={counts && byPolicy.get(row.id)} onSwitch={onSwitch} />
      ),
    },
    { id: 'time', label: 'Time to fix', cell: (row) => windowLabel(row.actions) },
    {
      id: 'rules',
      label: 'Applies',
      cell: (row) => (row.rules.length === 0 ? 'Everywhere' : countOf(row.rules.length, 'rule')),
    },
    {
      id: 'changed',
      label: 'Changed',
      hidden: true,
      cell: (row) => <TimeText value={row.updated_at} />,
    },
  ];
}

interface FindsOrSwitchProps {
  policy: Policy;
  counts: PolicyCounts | undefined;
  /** Null for a person who may not switch policies. */
  onSwitch: ((policy: Policy) => void) | null;
}

function FindsOrSwitch({ policy, counts, onSwitch }: FindsOrSwitchProps) {
  const { name, status, evaluation } = policy;
  if (evaluation.pending) return <>Evaluating: {progressLabel(evaluation)}</>;
  if (status === 'active') return <FindsNow policy={policy} counts={counts} />;
  if (onSwitch === null) return <span className="policy-dimmed">–</span>;
  return (
    <Button
      size="compact-xs"
      variant="default"
      aria-label={`Switch on ${name}`}
      onClick={() => onSwitch(policy)}
    >
      Switch on
    </Button>
  );
}
