/** The controls of the list: order, groups, and number of rows on a page. */
import { Select } from '@mantine/core';
import { enumLabel } from '../../components/badges.tsx';
import { useAnySearch } from '../../use-any-search.ts';
import { groupings, pageSizes, sorts, type VulnerabilitySearch } from './search.ts';

/** The order of the list. The address names it only if it is not the default. */
export function useOrder(sort: VulnerabilitySearch['sort'] = sorts[0]) {
  const { set } = useAnySearch();
  return {
    value: sort,
    change: (value: string) => set({ sort: value === sorts[0] ? undefined : value }),
  };
}

export function OrderSelect({ order }: { order: ReturnType<typeof useOrder> }) {
  return (
    <Select
      className="vuln-order"
      size="xs"
      w={164}
      aria-label="Order"
      allowDeselect={false}
      value={order.value}
      onChange={(value) => value !== null && order.change(value)}
      data={sorts.map((sort) => ({
        value: sort,
        label: `${enumLabel(sort)} first`.replace('Severity', 'Highest severity'),
      }))}
    />
  );
}

const ungrouped = 'none';

export function GroupSelect({ group }: { group: VulnerabilitySearch['group'] }) {
  const { set } = useAnySearch();
  return (
    <Select
      size="xs"
      w={148}
      aria-label="Groups"
      allowDeselect={false}
      value={group ?? ungrouped}
      onChange={(value) => set({ group: value === ungrouped || value === null ? undefined : value })}
      data={[
        { value: ungrouped, label: 'No groups' },
        ...groupings.map((name) => ({ value: name, label: `By ${name}` })),
      ]}
    />
  );
}

export function PageSizeSelect({ rows }: { rows: VulnerabilitySearch['rows'] }) {
  const { set } = useAnySearch();
  return (
    <Select
      size="xs"
      w={104}
      aria-label="Rows per page"
      allowDeselect={false}
      value={rows ?? pageSizes[0]}
      onChange={(value) => set({ rows: value === pageSizes[0] || value === null ? undefined : value })}
      data={pageSizes.map((size) => ({ value: size, label: `${size} rows` }))}
    />
  );
}
