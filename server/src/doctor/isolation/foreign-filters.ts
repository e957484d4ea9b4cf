/** The values of a workspace that each query parameter can name. A parameter that is in no list here is reported. */
import type { Side } from './canaries.ts';

const repository = (side: Side): string[] => [side.repository, `${side.mark}-0/only`];
const reference = (side: Side): string[] => [side.mark, `refs/heads/${side.mark}`];

const named: Record<string, (side: Side) => string[]> = {
  repo: repository,
  organization: (side) => [side.organization, `${side.mark}-0`],
  org: (side) => [side.organization, `${side.mark}-0`],
  ref: reference,
  base_ref: reference,
  sha: (side) => [side.sha],
  policy: (side) => [side.policy, `${side.mark}-only`],
  assignee: (side) => [side.member, side.memberEmail],
  team: (side) => [side.teams[0] ?? '', `Team 0 of ${side.slug}`],
  actor: (side) => [side.member],
  target: (side) => [side.vulnerability, side.policy, side.member, side.application],
  ids: (side) => [side.organization, side.repository, side.application, side.vulnerability],
  scan: (side) => [side.scan],
  application: (side) => [side.application, `${side.mark} 0`],
  package: (side) => [`${side.mark}-lib-0`, `pkg:npm/${side.mark}-lib-0`],
  rule: (side) => [`${side.mark}-rule-0`],
  license: (side) => [`${side.mark}-license`],
  version: (side) => [side.packageVersion],
  violation: (side) => [side.violation],
  name: (side) => [`${side.mark}-name-0`],
  q: (side) => [side.mark, `${side.mark}-lib-0`],
};

// These take values of the API, times, numbers and switches, which belong to no workspace. The cursor has its own
// step.
const namesNothing = new Set(
  `action all blocking by category change confirmed cursor cve days due ecosystem enforcement environment epss_min expect exploitable fix format include
   introduced_since limit matches per_page repo_external_id repo_source scope severity since snoozed sort source state status step target_type tool triaged type types until vulnerable wait`.split(
    /\s+/,
  ),
);

/** Returns the values of that workspace to try; undefined for an unknown parameter. */
export function valuesOf(parameter: string): ((side: Side) => string[]) | undefined {
  return named[parameter] ?? (namesNothing.has(parameter) ? () => [] : undefined);
}
