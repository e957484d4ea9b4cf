/** At which ages, in days, an answer to an active policy may become another: when the clock has to ask again. */

import type { TargetType } from '../../domain/policy-enums.ts';
import { clausesOf } from './condition.ts';
import { findFact } from './facts.ts';
import type { Policy } from './policy.ts';

// `vulnerable_reason` says stale from then on.
const staleDays = 30;

export interface Ages {
  vulnerability: number[];
  analysis: number[];
}

export function agesOf(policies: Policy[]): Ages {
  const active = policies.filter((policy) => policy.status === 'active');
  const of = (target: TargetType): number[] => {
    const days = new Set<number>();
    for (const policy of active.filter((one) => one.targetType === target)) {
      for (const clause of clausesOf(policy.condition)) {
        if (clause.fact === 'vulnerable_reason') days.add(staleDays);
        if (findFact(target, clause.fact)?.kind !== 'days') continue;
        for (const value of [clause.value].flat()) {
          // Whole days: true of 30 is true from the thirtieth to the thirty-first.
          days.add(Number(value));
          days.add(Number(value) + 1);
        }
      }
    }
    return [...days].sort((a, b) => a - b);
  };
  return { vulnerability: of('vulnerability'), analysis: of('analysis') };
}

/** The numbers with which active policies compare this fact of vulnerabilities. */
export function marksOf(policies: Policy[], fact: string): number[] {
  const clauses = policies
    .filter((policy) => policy.status === 'active' && policy.targetType === 'vulnerability')
    .flatMap((policy) => clausesOf(policy.condition))
    .filter((clause) => clause.fact === fact);
  return [...new Set(clauses.flatMap((clause) => [clause.value].flat().map(Number)))];
}
