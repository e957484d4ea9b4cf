/** The progress of a scan, in a cell or in full: its state, its phase, or why it failed. */
import { Progress } from '@mantine/core';
import { isFinal, type Scan } from '../../api/scans.ts';
import { StatusBadge, ToneBadge } from '../../components/badges.tsx';
import { progressLabel } from './labels.ts';
import './scans.css';

export function ScanStatus({ scan }: { scan: Scan }) {
  const text = isFinal(scan) ? scan.error?.message : progressLabel(scan);
  return (
    <>
      <span className="scan-status">
        <StatusBadge status={scan.status} />
        <ScanKind scan={scan} />
        <ScanProgress scan={scan} />
      </span>
      {text && (
        <span className="scan-status-text" title={text}>
          {text}
        </span>
      )}
    </>
  );
}

/** Shows the kind of a scan, which changes the meaning of its numbers. */
export function ScanKind({ scan }: { scan: Scan }) {
  return (
    <>
      {scan.dry_run && (
        <ToneBadge tone="plain" title="It shows what would change and changes nothing">
          Dry run
        </ToneBadge>
      )}
      {scan.partial && (
        <ToneBadge tone="plain" title="It shows a part of the findings and closes nothing">
          Partial
        </ToneBadge>
      )}
    </>
  );
}

/** Draws a bar if the number is known. */
export function ScanProgress({ scan, wide = false }: { scan: Scan; wide?: boolean }) {
  const { progress } = scan;
  if (progress === null || progress.total === 0) return null;
  return (
    <Progress.Root size="sm" className={wide ? 'scan-bar scan-bar-wide' : 'scan-bar'}>
      <Progress.Section
        value={(100 * progress.done) / progress.total}
        aria-label={`Progress of the scan ${scan.id}`}
      />
    </Progress.Root>
  );
}
