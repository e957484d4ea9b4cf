/** Puts parts of a policy into words. A policy may hold anything that somebody has written. */
import { countOf } from './target-labels.ts';

const unitLabels: Record<string, string> = { h: 'hour', d: 'day', w: 'week' };

/** Returns the window of the policy's `actions` in words: `7 days`. */
export function windowLabel(actions: Record<string, unknown>): string {
  const sla = actions.sla as { window?: unknown } | undefined;
  const match = /^(\d{1,4})([hdw])$/.exec(String(sla?.window ?? ''));
  const unit = match?.[2] === undefined ? undefined : unitLabels[match[2]];
  return match && unit ? countOf(Number(match[1]), unit) : 'By severity';
}

export const modeMeanings: Record<string, string> = {
  block: 'Block: stops the merge',
  warn: 'Warn: is shown',
  monitor: 'Monitor: is recorded',
};
