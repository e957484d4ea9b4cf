/** Rules about a field of a request that several checks share, as the sentences that a person reads. */
import type { Sentence } from './sentence.ts';

export const memberRule = 'Must be a member of the workspace.';

export function goesWith(otherField: string): Sentence {
  return `Goes with ${otherField}: give both, or neither.`;
}

export function noSuch(kind: string, given: string[]): Sentence {
  return `No such ${kind}: ${given.join(', ')}.`;
}

export function lengthRule(maxLength: number): Sentence {
  return `Must not be longer than ${maxLength} characters.`;
}

export function countRule(maxCount: number): Sentence {
  return `Must not have more than ${maxCount} entries.`;
}
