/** What each query parameter can name of a workspace. A parameter that stands in no list here is told as unknown. */
import type { Side } from './canaries.ts';

const repository = (side: Side): string[] => [side.repository, `${side.mark}-0/only`];
const reference = (side: Side): string[] => [side.mark, `refs/heads/${side.mark}`];

const named: Record<string, (side: Side) => string[]> = {
  repo: repository,
  org: (side) => [side.organization, `${side.mark}-0`],
  ref: reference,
  base_ref: reference,
  sha: (side) => [side.sha],
  policy: (side) => [side.policy, `${side.mark}-only`],
  assignee: (side) => [side.member, side.memberEmail],
  actor: (side) => [side.member],
  target: (side) => [side.vulnerability, side.policy, side.member, side.application],
  ids: (side) => [side.organization, side.repository, side.application, side.vulnerability],
  scan: (side) => [side.scan],
  violation: (side) => [side.violation],
  name: (side) => [`${side.mark}-name-0`],
  q: (side) => [side.mark, `${side.mark}-lib-0`],
};

// Words of the API, times, numbers and switches; the cursor has a step of its own.
const namesNothing = new Set(
  `action all blocking category change confirmed cursor days due enforcement environment expect exploitable format
   per_page scope severity since snoozed sort source state status target_type tool triaged type until wait`.split(
    /\s+/,
  ),
);

/** The values to be tried, of that side; undefined for a parameter that is not known here. */
export function valuesOf(parameter: string): ((side: Side) => string[]) | undefined {
  return named[parameter] ?? (namesNothing.has(parameter) ? () => [] : undefined);
}
