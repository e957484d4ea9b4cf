/** Writes the result of a dry run in one sentence. */
import type { DryRun } from '../../api/policies.ts';
import { countOf, countOfTargets } from '../../components/target-labels.ts';

/** Returns `would match 132 vulnerabilities in 14 repositories, and would block 3 references now`. */
export function dryRunLabel(result: DryRun, targetType: string): string {
  const { matches, repositories, blocked_references: blocked, complete } = result;
  if (matches === 0)
    return complete
      ? 'would match nothing'
      : 'would match nothing in the repositories that were checked in time';
  const scopes =
    targetType === 'repository' ? '' : ` in ${countOf(repositories, 'repository', 'repositories')}`;
  const blocks =
    blocked === 0 ? 'would block nothing now' : `would block ${countOf(blocked, 'reference')} now`;
  const cut = complete ? '' : '; some repositories could not be checked in time';
  return `would match ${countOfTargets(targetType, matches)}${scopes}, and ${blocks}${cut}`;
}
