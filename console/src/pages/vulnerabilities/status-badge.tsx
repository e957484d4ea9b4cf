/** The state of a vulnerability. That one is rejected is no failure: somebody has found that it is no problem. */
import { IconGitBranch, IconThumbDown } from '@tabler/icons-react';
import { StatusBadge, ToneBadge } from '../../parts/badges.tsx';

export function VulnerabilityStatus({ status }: { status: string }) {
  if (status !== 'rejected') return <StatusBadge status={status} />;
  return (
    <ToneBadge tone="plain" icon={IconThumbDown}>
      Rejected
    </ToneBadge>
  );
}

/** The status is that of the default branch: says that releases and branches still have it. */
export function StillThere({ status, references }: { status: string; references: number }) {
  if (status !== 'fixed' || references === 0) return null;
  return (
    <ToneBadge tone="warn" icon={IconGitBranch} title="Its own status is that of the default branch">
      {references === 1 ? 'Still on another reference' : `Still on ${references} other references`}
    </ToneBadge>
  );
}
