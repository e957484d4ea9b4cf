/** The field for the lowest severity that counts. */
import { NativeSelect } from '@mantine/core';
import { severities } from '../theme.ts';
import { enumLabel } from './badges.tsx';

type Severity = (typeof severities)[number];

interface LeastSeverityProps {
  description?: string;
  disabled?: boolean;
  value: Severity;
  onChange: (value: Severity) => void;
}

export function LeastSeverity({ onChange, ...field }: LeastSeverityProps) {
  return (
    <NativeSelect
      label="Least severity"
      data={severities
        .map((severity) => ({ value: severity, label: leastSeverityLabel(severity) }))
        .toReversed()}
      onChange={(event) => onChange(event.currentTarget.value as Severity)}
      {...field}
    />
  );
}

export function leastSeverityLabel(severity: Severity): string {
  return severity === 'unknown' ? 'Any' : `${enumLabel(severity)} or higher`;
}
