/** The ages, in days, at which the result of an active policy may change, so that the sweep must evaluate it again. */

import type { TargetType } from '../../domain/policy-enums.ts';
import { staleAfterDays } from '../../domain/time.ts';
import { clausesOf } from './condition.ts';
import { findFact } from './facts.ts';
import type { Policy } from './policy.ts';

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
        if (clause.fact === 'vulnerable_reason') days.add(staleAfterDays);
        if (findFact(target, clause.fact)?.kind !== 'days') continue;
        for (const value of [clause.value].flat()) {
          // Facts count whole days: a comparison with 30 may change when the age becomes 30 and when it becomes 31.
          days.add(Number(value));
          days.add(Number(value) + 1);
        }
      }
    }
    return [...days].sort((a, b) => a - b);
  };
  return { vulnerability: of('vulnerability'), analysis: of('analysis') };
}

/** The active policies that test one of these facts of vulnerabilities. */
export function policiesTesting(policies: Policy[], facts: string[]): Policy[] {
  return policies.filter(
    ({ status, targetType, condition }) =>
      status === 'active' &&
      targetType === 'vulnerability' &&
      clausesOf(condition).some((clause) => facts.includes(clause.fact)),
  );
}

/** The numbers with which active policies compare this fact of vulnerabilities. */
export function marksOf(policies: Policy[], fact: string): number[] {
  const clauses = policiesTesting(policies, [fact])
    .flatMap((policy) => clausesOf(policy.condition))
    .filter((clause) => clause.fact === fact);
  return [...new Set(clauses.flatMap((clause) => [clause.value].flat().map(Number)))];
}
