/** A severity as a choice of a filter, with its mark in its colour. */
import { enumLabel, SeverityMark } from '../../components/badges.tsx';
import type { FacetOption } from '../../components/filter-bar.tsx';
import { severityColor } from '../../theme.ts';

export function severityOption(severity: string, count: number | undefined): FacetOption {
  return {
    value: severity,
    label: enumLabel(severity),
    count,
    mark: (
      <span style={{ color: severityColor(severity), display: 'inline-flex' }}>
        <SeverityMark severity={severity} />
      </span>
    ),
  };
}
