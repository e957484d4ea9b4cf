/**
 * The steps that run, in this order, before the commit of each transaction that has changed something in a workspace.
 */
import type { CommitStep } from './db/database.ts';
import { writeNotedEvents } from './events/outbox.ts';
import { noteCompletedScan } from './ingest/scans/completed-scan.ts';
import { completeWrittenScan } from './ingest/scans/store.ts';
import { evaluateChanges, markRepositoriesForLater } from './policies/evaluation/evaluate-changes.ts';
import { refreshVerdicts } from './policies/verdict/verdict.ts';
import { writeCounters } from './vulnerabilities/counters.ts';

export const commitSteps: readonly CommitStep[] = [
  markRepositoriesForLater,
  evaluateChanges,
  // The progress of a scan is written until the scan is completed, so policies come first. A verdict may depend on the
  // scan, so verdicts come after it.
  completeWrittenScan,
  refreshVerdicts,
  // The event of a completed scan shows the verdict, so it comes after the verdicts.
  noteCompletedScan,
  writeCounters,
  writeNotedEvents,
];
