/** The gaps of a run: paths and rules that the tool names. */
import type { Gap } from '../report.ts';

/** Paths that are not in the repository (null) are no gap. */
export function pathGaps(paths: Iterable<string | null>): Gap[] {
  return [...new Set(paths)].flatMap((path) => (path === null ? [] : { path }));
}

export function ruleGaps(rules: Iterable<string>): Gap[] {
  return Array.from(new Set(rules), (rule) => ({ rule }));
}
