/** The state of a vulnerability. That one is rejected is no failure: somebody has found that it is no problem. */
import { IconThumbDown } from '@tabler/icons-react';
import { StatusBadge, ToneBadge } from '../../parts/badges.tsx';

export function VulnerabilityStatus({ status }: { status: string }) {
  if (status !== 'rejected') return <StatusBadge status={status} />;
  return (
    <ToneBadge tone="plain" icon={IconThumbDown}>
      Rejected
    </ToneBadge>
  );
}
