/** The filters of the list of packages. Their menus load when they open. */
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { ecosystemsQuery, licensesQuery } from '../../api/packages.ts';
import { choicesOf } from '../../components/choices.ts';
import type { Facet } from '../../components/filter-bar.tsx';

// People search in a longer list instead of reading it.
const namesShown = 50;
// The largest page of the API; other licenses are found by their whole name.
const licensesRead = 200;

export function useEcosystemFacet(slug: string, chosen: string[] | undefined): Facet {
  const [isOpen, setIsOpen] = useState(false);
  const { data, isFetching } = useQuery({ ...ecosystemsQuery(slug), enabled: isOpen });
  const found = data?.items.map(({ ecosystem }) => ecosystem) ?? [];
  return {
    parameter: 'ecosystem',
    label: 'Ecosystem',
    multiple: true,
    options: [...new Set([...found, ...(chosen ?? [])])].map((name) => ({ value: name, label: name })),
    onOpen: () => setIsOpen(true),
    isLoading: isFetching,
  };
}

export function useLicenseFacet(slug: string, chosen: string | undefined): Facet {
  const [isOpen, setIsOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const { data, isFetching } = useQuery({
    ...licensesQuery(slug, { per_page: licensesRead }),
    enabled: isOpen,
  });
  return useMemo(() => {
    const text = typed.trim();
    const items = data?.items ?? [];
    const found = items
      .filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()))
      .slice(0, namesShown)
      .map(({ name, packages }) => ({ value: name, label: name, count: packages }));
    const isOther = text !== '' && found.length === 0 && !isFetching;
    const isKept = chosen !== undefined && text === '' && !found.some(({ value }) => value === chosen);
    const more = [...(isKept ? [chosen] : []), ...(isOther ? [text] : [])];
    return {
      parameter: 'license',
      label: 'License',
      options: [...more.map((name) => ({ value: name, label: name })), ...found],
      onOpen: () => {
        setTyped('');
        setIsOpen(true);
      },
      onFind: setTyped,
      isLoading: isFetching,
    };
  }, [data, typed, chosen, isFetching]);
}

export const vulnerableFacet: Facet = {
  parameter: 'vulnerable',
  label: 'Vulnerable',
  options: choicesOf({ yes: 'With open vulnerabilities', no: 'Without' }),
};
