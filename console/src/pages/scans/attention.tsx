/** Shows the problems of a completed scan that a person should check; nothing if there is none. */
import { IconAlertTriangle, IconFileAlert, IconHandStop } from '@tabler/icons-react';
import type { Scan } from '../../api/scans.ts';
import { ToneBadge } from '../../components/badges.tsx';
import { countOf } from '../../components/target-labels.ts';

export function Attention({ scan }: { scan: Scan }) {
  const { counts, warning_count: warnings } = scan;
  const held = counts?.closing_held ?? 0;
  const unreadable = counts?.unreadable ?? 0;
  return (
    <span className="scan-attention">
      {held > 0 && (
        <ToneBadge tone="warn" icon={IconHandStop} title="Their closure waits for a decision">
          {held.toLocaleString()} held
        </ToneBadge>
      )}
      {unreadable > 0 && (
        <ToneBadge tone="warn" icon={IconFileAlert} title="Rows of the report that could not be read">
          {unreadable.toLocaleString()} unreadable
        </ToneBadge>
      )}
      {warnings > 0 && (
        <ToneBadge tone="plain" icon={IconAlertTriangle}>
          {countOf(warnings, 'warning')}
        </ToneBadge>
      )}
    </span>
  );
}
