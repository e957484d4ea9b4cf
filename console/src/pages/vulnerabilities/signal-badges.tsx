/**
 * The signals of urgency: known exploited, which is exploitable too, likely to be exploited, proven exploitable,
 * blocking. The space is reserved before the signals load, so that nothing moves.
 */
import { Skeleton } from '@mantine/core';
import { IconFlame } from '@tabler/icons-react';
import type { Signal } from '../../api/vulnerabilities.ts';
import { ToneBadge } from '../../components/badges.tsx';
import { DueText } from '../../components/due-text.tsx';
import { percent } from './labels.ts';
import type { Row } from './rows.ts';

// EPSS is the probability of an attempt in the next thirty days. Many teams start to look at one in ten.
const likely = 0.1;

export function SignalBadges({ signal }: { signal: Row['signal'] }) {
  if (signal === null) return <span className="vuln-none">Unknown</span>;
  if (signal === undefined) {
    return (
      <div className="vuln-signals">
        <Skeleton height={18} width={56} />
      </div>
    );
  }
  return (
    <div className="vuln-signals">
      {signal.kev && (
        <ToneBadge tone="bad" icon={IconFlame} title={kevTitle(signal)}>
          KEV
        </ToneBadge>
      )}
      {signal.epss !== null && (
        <ToneBadge
          tone={signal.epss >= likely ? 'warn' : 'plain'}
          title="EPSS: how likely it is that somebody exploits it in the next 30 days"
        >
          EPSS {percent(signal.epss)}
        </ToneBadge>
      )}
      {signal.exploitable && !signal.kev && (
        <ToneBadge
          tone="bad"
          title="A tool, a check of the secret or the KEV catalogue says that it can be exploited"
        >
          Exploitable
        </ToneBadge>
      )}
      {signal.blocking && (
        <ToneBadge tone="bad" title="A policy blocks merges because of it">
          Blocks
        </ToneBadge>
      )}
    </div>
  );
}

function kevTitle({ kev_due: due }: Signal): string {
  return `In the catalogue of known exploited vulnerabilities${due === null ? '' : `, due ${due}`}`;
}

export function DueCell({ signal }: { signal: Row['signal'] }) {
  return (
    <div className="vuln-due">
      {signal === undefined ? (
        <Skeleton height={16} width={64} />
      ) : signal === null ? (
        <span className="vuln-none">Unknown</span>
      ) : signal.due_at === null ? (
        <span className="vuln-none">—</span>
      ) : (
        <DueText dueAt={signal.due_at} />
      )}
    </div>
  );
}
