/** The gaps of a run: paths and rules that the tool names, and severities that a filter has left out of the report. */
import { type Severity, severities } from '../../domain/packed-state.ts';
import type { Gap } from '../report.ts';

/** The gap without a field is everything, so nothing that the run does not show is fixed. */
export const gapOfEverything: Gap[] = [{}];

/** Paths that are not in the repository (null) are no gap. */
export function pathGaps(paths: Iterable<string | null>): Gap[] {
  return [...new Set(paths)].flatMap((path) => (path === null ? [] : { path }));
}

export function ruleGaps(rules: Iterable<string>): Gap[] {
  return Array.from(new Set(rules), (rule) => ({ rule }));
}

/** The severities that a scan with a least severity leaves out. One of unknown severity may be left out too. */
export function severityGaps(least: Severity): Gap[] {
  return severities.slice(0, severities.indexOf(least)).map((severity) => ({ severity }));
}

/** Returns the values that a filter leaves out. A filter without values leaves out none. */
export function leftOut<T extends string>(all: readonly T[], filter: readonly (string | undefined)[]): T[] {
  return filter.length === 0 ? [] : all.filter((value) => !filter.includes(value));
}
