/** A policy with its rules, as every part of the system reads it. */

import { type PolicyId, parseId } from '../../domain/ids.ts';
import type { Severity } from '../../domain/packed-state.ts';
import type { PolicyMode, PolicyStatus, PolicyType, TargetType } from '../../domain/policy-enums.ts';
import type { Condition } from './condition.ts';
import type { Rule } from './rules.ts';

export interface PolicyConfig {
  snooze?: { max_days?: number; max_count?: number };
}

export interface PolicyActions {
  sla?: { window: string };
}

export interface Policy {
  id: PolicyId;
  key: string;
  name: string;
  type: PolicyType;
  status: PolicyStatus;
  targetType: TargetType;
  enforcementMode: PolicyMode;
  severity: Severity | null;
  config: PolicyConfig | null;
  condition: Condition;
  actions: PolicyActions;
  revision: number;
  evaluatedRevision: number;
  progress: { done: number; total: number } | null;
  createdAt: Date;
  updatedAt: Date;
  rules: Rule[];
}

/** The policy that a caller names by its id or its key. */
export function findPolicy(policies: Policy[], text: string): Policy | undefined {
  const id = parseId('policy', text);
  return policies.find((policy) => policy.id === id || policy.key === text);
}

/** True while the current revision of the policy is not yet evaluated for the whole workspace. */
export function isPending({ revision, evaluatedRevision }: Policy): boolean {
  return revision > evaluatedRevision;
}
