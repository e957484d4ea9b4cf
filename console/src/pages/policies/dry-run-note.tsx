/** The server's answer about the draft, in one line that screen readers announce when it changes. */
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle, IconLoader2 } from '@tabler/icons-react';
import { errorText } from '../../api/errors.ts';
import { countOf } from '../../components/target-labels.ts';
import { dryRunLabel } from './dry-run-labels.ts';
import type { DryRunState } from './use-dry-run.ts';

interface DryRunNoteProps {
  /** Null means that nothing was sent, because the key is missing. */
  dryRun: DryRunState | null;
  targetType: string;
  /** The count includes mistakes that the console finds without the server. */
  mistakes: number;
  isActive: boolean;
}

export function DryRunNote({ dryRun, targetType, mistakes, isActive }: DryRunNoteProps) {
  const icon = { size: 17, stroke: 1.7, 'aria-hidden': true } as const;
  if (mistakes > 0) {
    return (
      <p className="dry-run-note dry-run-wrong" role="status">
        <IconAlertTriangle {...icon} />
        {countOf(mistakes, 'mistake')}
      </p>
    );
  }
  if (dryRun === null) {
    return (
      <p className="dry-run-note" role="status">
        <IconInfoCircle {...icon} />
        The matches are shown as soon as the policy has a name.
      </p>
    );
  }
  const { isFresh, result, error } = dryRun;
  if (!isFresh) {
    return (
      <p className="dry-run-note" role="status">
        <IconLoader2 {...icon} />
        Checking…
      </p>
    );
  }
  return (
    <p className="dry-run-note" role="status">
      {result ? (
        <>
          <IconCircleCheck {...icon} />
          {isActive ? 'It' : 'If it were active, it'} {dryRunLabel(result, targetType)}.
        </>
      ) : (
        <>
          <IconAlertTriangle {...icon} />
          {errorText(error)}
        </>
      )}
    </p>
  );
}
