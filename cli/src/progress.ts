/** Shows one progress bar at a time on standard error, and only if that is a terminal. */

import { plain } from '@merlon/terminal';
import { type Bar, Presets, SingleBar } from 'cli-progress';

export type Unit = 'bytes' | 'findings';

let bar: Bar | null = null;
let shown = '';

/** `total` 0 means that the amount is unknown. Then there is no bar. */
export function showProgress(label: string, done: number, total: number, unit: Unit): void {
  if (!process.stderr.isTTY || total <= 0) return;
  const amount = unit === 'bytes' ? `${megabytes(done)} of ${megabytes(total)} MB` : `${done} of ${total}`;
  if (bar === null || shown !== `${label} ${total}`) {
    clearProgress();
    shown = `${label} ${total}`;
    bar = new SingleBar(
      {
        format: '{label} {bar} {percentage}% {amount}',
        clearOnComplete: true,
        hideCursor: true,
        barsize: 30,
      },
      Presets.shades_classic,
    );
    bar.start(total, done, { label: plain(label), amount });
  } else {
    bar.update(done, { amount });
  }
}

/** It must be called before anything else is written. */
export function clearProgress(): void {
  bar?.stop();
  bar = null;
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}
