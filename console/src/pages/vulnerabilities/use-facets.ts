/** The filters of the list as menus: the choices, their counts, and names for values from a link. */

import { queryValues } from '@merlon/client';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { membersQuery } from '../../api/members.ts';
import { scopeNamesQuery } from '../../api/scope-names.ts';
import { teamsQuery } from '../../api/teams.ts';
import { type Facets, facetsQuery } from '../../api/vulnerabilities.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { enumLabel } from '../../components/badges.tsx';
import { choicesOf } from '../../components/choices.ts';
import type { Facet, FacetOption } from '../../components/filter-bar.tsx';
import { useNamesFacet } from '../../components/use-names-facet.ts';
import { useReferenceFacet } from '../../components/use-reference-facet.ts';
import { useRepositoryFacet } from '../../components/use-repository-facet.ts';
import { daysBefore } from '../../days.ts';
import { scopeLabels } from '../../scopes.ts';
import { severities } from '../../theme.ts';
import { sourceLabels, typeLabels } from './labels.ts';
import { anyState, filtersOf, type VulnerabilitySearch, viewOf } from './search.ts';
import { severityOption } from './severity-option.tsx';

const values = queryValues.listVulnerabilities;

export function useFacets(search: VulnerabilitySearch): Facet[] {
  const workspace = useWorkspace();
  const { slug } = workspace;
  const { data: counts } = useQuery(facetsQuery(slug, filtersOf(search)));
  const repository = useRepositoryFacet(slug, search.repo);
  const reference = useReferenceFacet(slug, search.repo);
  const application = useNamesFacet({
    parameter: 'application',
    label: 'Application',
    query: scopeNamesQuery(slug, 'applications'),
    chosen: search.application,
    mayBeName: isAnyText,
  });
  const assignee = useAssigneeFacet(slug, workspace.may('member'), search.assignee, counts);
  const team = useTeamFacet(slug, search.team);
  const { state, scope } = viewOf(search);
  const traits = useMemo(() => traitFacets(counts, state, scope), [counts, state, scope]);
  return useMemo(
    () => [
      ...traits.main,
      repository,
      assignee,
      ...[team, newSince(), ...traits.more, application, reference, ...typed].map((facet) => ({
        ...facet,
        isMore: true,
      })),
    ],
    [traits, repository, reference, assignee, team, application],
  );
}

const typed: Facet[] = [
  {
    parameter: 'epss_min',
    label: 'EPSS at least',
    options: choicesOf({ '0.01': '1%', '0.1': '10%', '0.5': '50%', '0.9': '90%' }),
    isTypedToo: true,
    placeholder: '0.25',
    pattern: { source: '0(\\.[0-9]{1,6})?|1(\\.0{1,6})?', hint: 'a number from 0 to 1' },
  },
  { parameter: 'package', label: 'Package', placeholder: 'openssl, pkg:npm/axios' },
  { parameter: 'rule', label: 'Rule', placeholder: 'js/sql-injection' },
  {
    parameter: 'sha',
    label: 'Commit',
    placeholder: 'f2ca1bb or longer',
    pattern: { source: '[0-9a-fA-F]{7,40}', hint: '7 to 40 digits of the commit’s hash' },
  },
];

function isAnyText(text: string): boolean {
  return text !== '';
}

/** The filter for vulnerabilities that were first seen since a day. */
function newSince(): Facet {
  const today = new Date();
  // The last Friday before today, for a person who comes back after a weekend.
  const sinceFriday = ((today.getDay() + 1) % 7) + 1;
  const options = [
    { value: daysBefore(today, sinceFriday), label: 'Friday' },
    { value: daysBefore(today, 7), label: '7 days ago' },
    { value: daysBefore(today, 30), label: '30 days ago' },
  ];
  return {
    parameter: 'introduced_since',
    label: 'New since',
    options: options.filter(({ value }, at) => options.findIndex((other) => other.value === value) === at),
    isTypedToo: true,
    inputType: 'date',
  };
}

function traitFacets(
  counts: Facets | undefined,
  state: string,
  scope: string | undefined,
): { main: Facet[]; more: Facet[] } {
  const option = (facet: keyof Facets, value: string, label: string): FacetOption => {
    const of: Record<string, number> | undefined = counts?.[facet];
    return { value, label, count: of?.[value] };
  };
  const all = counts && Object.values(counts.state).reduce((sum, n) => sum + n, 0);
  const yesNo = (facet: 'confirmed' | 'triaged', yes: string, no: string) => [
    option(facet, 'yes', yes),
    option(facet, 'no', no),
  ];
  return {
    main: [
      ...(scope === undefined
        ? []
        : [
            {
              parameter: 'scope',
              label: 'Scope',
              cleared: 'tracked',
              implied: scope,
              options: values.scope.map((name) => option('scope', name, scopeLabels[name])),
            },
          ]),
      {
        parameter: 'state',
        label: 'Status',
        cleared: anyState,
        implied: state,
        options: [
          ...values.state.map((state) => option('state', state, enumLabel(state))),
          { value: anyState, label: 'Any status', count: all },
        ],
      },
      {
        parameter: 'severity',
        label: 'Severity',
        multiple: true,
        options: severities.map((severity) => severityOption(severity, counts?.severity[severity])),
      },
      {
        parameter: 'type',
        label: 'Type',
        multiple: true,
        options: Object.entries(typeLabels).map(([type, label]) => option('type', type, label)),
      },
    ],
    more: [
      {
        parameter: 'fix',
        label: 'Fix',
        options: [option('fix', 'yes', 'A version fixes it'), option('fix', 'no', 'No fix is known')],
      },
      {
        parameter: 'due',
        label: 'Due',
        options: choicesOf<(typeof values.due)[number]>({ overdue: 'Overdue', soon: 'Within 7 days' }),
      },
      {
        parameter: 'exploitable',
        label: 'Exploitable',
        // The choice has no count, because on a reference the count would take longer than the list.
        options: [{ value: 'yes', label: 'Known to be exploitable' }],
      },
      {
        parameter: 'triaged',
        label: 'Triaged',
        options: yesNo('triaged', 'Somebody has decided', 'Nobody has decided'),
      },
      {
        parameter: 'confirmed',
        label: 'Confirmed',
        options: yesNo('confirmed', 'Verified as true', 'Not verified'),
      },
      {
        parameter: 'source',
        label: 'Source',
        options: Object.entries(sourceLabels).map(([source, label]) => option('source', source, label)),
      },
    ],
  };
}

function useAssigneeFacet(
  slug: string,
  mayAskWho: boolean,
  chosen: string | undefined,
  counts: Facets | undefined,
): Facet {
  const [isOpen, setIsOpen] = useState(false);
  const hasToName = chosen !== undefined && !['me', 'unassigned', 'assigned'].includes(chosen);
  const { data, isFetching } = useQuery({
    ...membersQuery(slug),
    enabled: mayAskWho && (isOpen || hasToName),
  });
  return useMemo(() => {
    const members = data?.items ?? [];
    return {
      parameter: 'assignee',
      label: 'Assignee',
      isLoading: isFetching,
      onOpen: () => setIsOpen(true),
      nameOf: (value) => members.find(({ id, email }) => id === value || email === value)?.name,
      options: [
        { value: 'me', label: 'Me', count: counts?.assignee.me },
        { value: 'unassigned', label: 'Nobody', count: counts?.assignee.unassigned },
        { value: 'assigned', label: 'Somebody', count: counts?.assignee.assigned },
        ...members.map(({ id, name }) => ({ value: id, label: name })),
      ],
    };
  }, [data, counts, isFetching]);
}

function useTeamFacet(slug: string, chosen: string | undefined): Facet {
  const [isOpen, setIsOpen] = useState(false);
  const hasToName = chosen !== undefined && chosen !== 'mine';
  const { data, isFetching } = useQuery({ ...teamsQuery(slug), enabled: isOpen || hasToName });
  return useMemo(() => {
    const teams = data?.items ?? [];
    return {
      parameter: 'team',
      label: 'Team',
      isLoading: isFetching,
      onOpen: () => setIsOpen(true),
      nameOf: (value) => teams.find(({ id, name }) => id === value || name === value)?.name,
      options: [
        { value: 'mine', label: 'My teams' },
        ...teams.map(({ id, name }) => ({ value: id, label: name })),
      ],
    };
  }, [data, isFetching]);
}
