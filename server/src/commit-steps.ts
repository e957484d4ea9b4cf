/** What runs before the commit of each transaction of a workspace that has changed something, in this order. */
import type { CommitStep } from './db/database.ts';
import {
  evaluateAndRefreshVerdicts,
  markRepositoriesForLater,
} from './policies/evaluation/evaluate-changes.ts';
import { writeCounters } from './vulnerabilities/counters.ts';

export const commitSteps: readonly CommitStep[] = [
  markRepositoriesForLater,
  evaluateAndRefreshVerdicts,
  writeCounters,
];
