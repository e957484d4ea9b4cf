/** Switches between live locations and all locations, each with its count. */
import { SegmentedControl } from '@mantine/core';
import type { LocationScope } from '../../../api/vulnerabilities.ts';

interface ScopeSwitchProps {
  scope: LocationScope;
  onChange: (scope: LocationScope) => void;
  /** Undefined means that the number is not known yet. */
  live: number | undefined;
  all: number | undefined;
}

export function ScopeSwitch({ scope, onChange, live, all }: ScopeSwitchProps) {
  const withCount = (label: string, n: number | undefined) =>
    n === undefined ? label : `${label} ${n.toLocaleString()}`;
  return (
    <SegmentedControl
      size="xs"
      aria-label="Locations to show"
      value={scope}
      onChange={(value) => onChange(value as LocationScope)}
      data={[
        { value: 'live', label: withCount('Live', live) },
        { value: 'all', label: withCount('All', all) },
      ]}
    />
  );
}
