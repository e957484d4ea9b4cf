/** A severity as a choice of a filter, with its mark in its colour. */
import { SeverityMark, wordsOf } from '../../parts/badges.tsx';
import type { FacetOption } from '../../parts/filter-bar.tsx';
import { severityColor } from '../../theme.ts';

export function severityOption(severity: string, count: number | undefined): FacetOption {
  return {
    value: severity,
    label: wordsOf(severity),
    count,
    mark: (
      <span style={{ color: severityColor(severity), display: 'inline-flex' }}>
        <SeverityMark severity={severity} />
      </span>
    ),
  };
}
