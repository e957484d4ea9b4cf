/** The filters of the violations as menus. */
import { useMemo } from 'react';
import { enforcementModes, type ViolationPage, violationStatuses } from '../../api/violations.ts';
import { enumLabel } from '../../components/badges.tsx';
import { choicesOf } from '../../components/choices.ts';
import type { Facet } from '../../components/filter-bar.tsx';
import { targetTypeLabel, targetTypes } from '../../components/target-labels.ts';
import { usePolicyFacet } from '../../components/use-policy-facet.ts';
import { useRepositoryFacet } from '../../components/use-repository-facet.ts';
import { anyStatus, type ViolationSearch } from './search.ts';

type Summary = ViolationPage['summary'];

export function useFacets(slug: string, search: ViolationSearch, summary: Summary | undefined): Facet[] {
  const repository = useRepositoryFacet(slug, search.repo);
  const policy = usePolicyFacet(slug, search.policy);
  return useMemo(() => {
    // A chosen value also narrows its own facet's counts, so they say nothing about the other choices.
    const options = (
      parameter: 'status' | 'enforcement' | 'target_type',
      values: readonly string[],
      counts: Record<string, number> | undefined,
      label: (value: string) => string,
    ) =>
      values.map((value) => ({
        value,
        label: label(value),
        count: isUnset(search[parameter]) ? counts?.[value] : undefined,
      }));
    return [
      {
        parameter: 'status',
        label: 'Status',
        multiple: true,
        cleared: anyStatus,
        options: options('status', violationStatuses, summary?.by_status, enumLabel),
      },
      {
        parameter: 'due',
        label: 'Due',
        options: choicesOf({ overdue: 'Overdue', soon: 'Within 7 days', later: 'Later' }),
      },
      {
        parameter: 'blocking',
        label: 'Blocking',
        options: choicesOf({ yes: 'Stops a merge', no: 'Stops nothing' }),
      },
      {
        parameter: 'enforcement',
        label: 'Mode',
        multiple: true,
        options: options('enforcement', enforcementModes, summary?.by_enforcement_mode, modeLabel),
      },
      repository,
      policy,
      {
        parameter: 'target_type',
        label: 'Target',
        multiple: true,
        options: options('target_type', targetTypes, summary?.by_target_type, targetTypeLabel),
      },
      {
        parameter: 'snoozed',
        label: 'Snoozed',
        options: choicesOf({ yes: 'Snoozed', no: 'Not snoozed' }),
      },
    ];
  }, [search, summary, repository, policy]);
}

function isUnset(values: string[] | undefined): boolean {
  return values === undefined || values.includes(anyStatus);
}

/** `none` means that an exception exempts. */
export function modeLabel(mode: string | null): string {
  return mode === null || mode === 'none' ? 'Exempt' : enumLabel(mode);
}
