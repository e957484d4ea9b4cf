/** The filters of the violations as menus. */

import { queryValues } from '@merlon/client';
import { useMemo } from 'react';
import type { ViolationPage } from '../../api/violations.ts';
import { enumLabel } from '../../components/badges.tsx';
import { choicesOf } from '../../components/choices.ts';
import type { Facet } from '../../components/filter-bar.tsx';
import { targetTypeLabel } from '../../components/target-labels.ts';
import { usePolicyFacet } from '../../components/use-policy-facet.ts';
import { useRepositoryFacet } from '../../components/use-repository-facet.ts';
import { anyStatus, type ViolationSearch } from './search.ts';

type Summary = ViolationPage['summary'];

const values = queryValues.listAllPolicyViolations;

export function useFacets(slug: string, search: ViolationSearch, summary: Summary | undefined): Facet[] {
  const repository = useRepositoryFacet(slug, search.repo);
  const policy = usePolicyFacet(slug, search.policy);
  return useMemo(() => {
    // A chosen value also narrows its own facet's counts, so they say nothing about the other choices.
    const options = (
      parameter: 'status' | 'enforcement' | 'target_type',
      allowed: readonly string[],
      counts: Record<string, number> | undefined,
      label: (value: string) => string,
    ) =>
      allowed.map((value) => ({
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
        options: options('status', values.status, summary?.by_status, enumLabel),
      },
      {
        parameter: 'due',
        label: 'Due',
        options: choicesOf<(typeof values.due)[number]>({
          overdue: 'Overdue',
          soon: 'Within 7 days',
          later: 'Later',
        }),
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
        options: options(
          'enforcement',
          values.enforcement.toReversed(),
          summary?.by_enforcement_mode,
          modeLabel,
        ),
      },
      repository,
      policy,
      {
        parameter: 'target_type',
        label: 'Target',
        multiple: true,
        options: options('target_type', values.target_type, summary?.by_target_type, targetTypeLabel),
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
