/**
 * The vulnerabilities of a workspace: the list with all filters of the API, the signals of urgency, bulk triage and
 * assignment, and the panel with one in full. The address holds the whole view.
 */
import { Select, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { Decided } from '../../api/triage.ts';
import { vulnerabilitiesQuery } from '../../api/vulnerabilities.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { enumLabel } from '../../components/badges.tsx';
import { CursorPager } from '../../components/cursor-pager.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { usePanel } from '../../components/side-panel.tsx';
import { useSameFunction } from '../../components/use-same-function.ts';
import { useAnySearch } from '../../search.ts';
import { AssignDialog } from './assign-dialog.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { useColumns } from './columns.tsx';
import { vulnerabilityCount } from './labels.ts';
import { NothingFound } from './nothing-found.tsx';
import { VulnerabilityPanel } from './panel/vulnerability-panel.tsx';
import { type Row, useRows } from './rows.ts';
import {
  anyState,
  filtersOf,
  minTermLength,
  pageSizes,
  requestOf,
  sorts,
  type VulnerabilitySearch,
  viewOf,
} from './search.ts';
import { SeveritySummary } from './severity-summary.tsx';
import { type Target, targetOf } from './targets.ts';
import { TriageDialog, type TriageRequest } from './triage-dialog.tsx';
import { useFacets } from './use-facets.ts';
import { rowLink, useListKeys } from './use-list-keys.ts';
import { useTargets } from './use-targets.ts';
import './vulnerabilities.css';

const route = '/w/$slug/vulnerabilities';

export function VulnerabilitiesPage() {
  const workspace = useWorkspace();
  const { slug } = workspace;
  const mayAct = workspace.may('member');
  const search = useSearch({ from: route });
  const query = useQuery(vulnerabilitiesQuery(slug, requestOf(search)));
  const rows = useRows(slug, query.data);
  const panel = usePanel('v');
  const open = useSameFunction(panel.show);
  const { state, scope } = viewOf(search);
  const order = useOrder(search.sort);
  const columns = useColumns(slug, open, state === anyState || scope === 'all');
  const chosen = useTargets(rows, JSON.stringify(filtersOf(search)));
  const [triage, setTriage] = useState<TriageRequest | null>(null);
  const [assigning, setAssigning] = useState<Target[] | null>(null);
  const asked = useAsked();
  const targetsOr = (id: string | null) => {
    const row = rows.find(({ item }) => item.id === id);
    return chosen.targets.length > 0 ? chosen.targets : row ? [targetOf(row)] : [];
  };
  const startTriage = (targets: Target[], more?: Partial<TriageRequest>) => {
    if (targets.length > 0) setTriage({ action: 'accept', ...more, targets });
  };
  const startAssign = (targets: Target[]) => {
    if (targets.length > 0) setAssigning(targets);
  };
  useListKeys({
    acts: mayAct
      ? { assign: (id) => startAssign(targetsOr(id)), triage: (id) => startTriage(targetsOr(id)) }
      : null,
  });
  const shownLast = useRef<string | undefined>(undefined);
  if (panel.shown !== undefined) shownLast.current = panel.shown;
  return (
    <>
      <PageHeader title="Vulnerabilities" />
      <Filters />
      <Loaded query={query} what="the vulnerabilities" lines={10}>
        {({ items, summary, next_cursor: nextCursor }) =>
          items.length === 0 && search.cursor === undefined ? (
            <NothingFound />
          ) : (
            <div className="vuln-list">
              <DataTable
                label="Vulnerabilities"
                columns={columns}
                rows={rows}
                keyOf={idOf}
                nameOf={nameOf}
                {...(mayAct ? { selection: chosen.selection } : {})}
                openKey={panel.shown}
                order={order}
                isCards
                stale={query.isPlaceholderData}
                toolbar={
                  chosen.targets.length > 0 ? (
                    <BulkBar
                      count={chosen.targets.length}
                      onTriage={(action) => startTriage(chosen.targets, { action })}
                      onAssign={() => startAssign(chosen.targets)}
                      onClear={chosen.clear}
                    />
                  ) : (
                    <>
                      <Text size="sm" fw={600} className="tabular" role="status">
                        {vulnerabilityCount(summary.total)}
                      </Text>
                      <SeveritySummary counts={summary.by_severity} />
                      <OrderSelect order={order} />
                    </>
                  )
                }
              />
              <CursorPager nextCursor={nextCursor} count={items.length} total={summary.total}>
                <PageSizeSelect rows={search.rows} />
              </CursorPager>
            </div>
          )
        }
      </Loaded>
      <VulnerabilityPanel
        id={panel.shown}
        rows={rows}
        asked={asked.of(panel.shown)}
        onShow={panel.show}
        onClose={panel.close}
        focusAfter={() => rowLink(shownLast.current) ?? rowLink(rows[0]?.item.id)}
        onTriage={startTriage}
        onAssign={startAssign}
      />
      <TriageDialog
        request={triage}
        onClose={() => setTriage(null)}
        onDone={(decided) => {
          setTriage(null);
          chosen.clear();
          asked.note(decided);
        }}
      />
      <AssignDialog
        targets={assigning}
        onClose={() => setAssigning(null)}
        onDone={() => {
          setAssigning(null);
          chosen.clear();
        }}
      />
    </>
  );
}

const idOf = ({ item }: Row) => item.id;
const nameOf = ({ item }: Row) => item.title;

/** The order of the list. The address names it only if it is another than the usual one. */
function useOrder(sort: VulnerabilitySearch['sort'] = sorts[0]) {
  const { set } = useAnySearch();
  return {
    value: sort,
    change: (value: string) => set({ sort: value === sorts[0] ? undefined : value }),
  };
}

function OrderSelect({ order }: { order: ReturnType<typeof useOrder> }) {
  return (
    <Select
      className="vuln-order"
      size="xs"
      w={128}
      aria-label="Order"
      allowDeselect={false}
      value={order.value}
      onChange={(value) => value !== null && order.change(value)}
      data={sorts.map((sort) => ({
        value: sort,
        label: `${enumLabel(sort)} first`.replace('Severity', 'Worst'),
      }))}
    />
  );
}

function PageSizeSelect({ rows }: { rows: VulnerabilitySearch['rows'] }) {
  const { set } = useAnySearch();
  return (
    <Select
      size="xs"
      w={104}
      aria-label="Rows of a page"
      allowDeselect={false}
      value={rows ?? pageSizes[0]}
      onChange={(rows) => set({ rows: rows === pageSizes[0] || rows === null ? undefined : rows })}
      data={pageSizes.map((size) => ({ value: size, label: `${size} rows` }))}
    />
  );
}

function Filters() {
  const search = useSearch({ from: route });
  const facets = useFacets(search);
  return (
    <FilterBar
      facets={facets}
      searchField={{ parameter: 'q', label: 'Title, package or CVE', minLength: minTermLength }}
    />
  );
}

/** For each vulnerability: the exceptions that were requested in place of a decision made here. */
function useAsked(): { of: (id: string | undefined) => string[]; note: (decided: Decided[]) => void } {
  const [asked, setAsked] = useState<ReadonlyMap<string, string[]>>(new Map());
  return {
    of: (id) => (id === undefined ? undefined : asked.get(id)) ?? [],
    note: (decided) => {
      const news = decided.map(({ id, exceptions }) => [id, exceptions] as const);
      setAsked((before) => new Map([...before, ...news]));
    },
  };
}
