/**
 * The names of tracked branches. A tracked branch, such as that of a release, counts like the default branch:
 * vulnerabilities that are open there count as open. The workspace has a list of names, and a repository may have its
 * own.
 */

import { invalidInput } from '../../domain/errors.ts';
import { countRule } from '../../domain/field-rules.ts';
import { isPlainName, plainNameRule } from '../../domain/plain-name.ts';

export const maxTrackedBranches = 50;

/** Returns the names without blanks at their ends, each once. Throws DomainError. */
export function checkedTrackedBranches(names: string[]): string[] {
  const checked = [...new Set(names.map((name) => name.trim()))];
  const field = 'tracked_branches';
  if (checked.length > maxTrackedBranches) {
    throw invalidInput(countRule(maxTrackedBranches), field);
  }
  for (const name of checked) {
    if (!isPlainName(name)) throw invalidInput(plainNameRule, field);
    if (name.startsWith('refs/')) {
      throw invalidInput('Must be names of branches, such as release/*, without refs/heads/.', field);
    }
  }
  return checked;
}
