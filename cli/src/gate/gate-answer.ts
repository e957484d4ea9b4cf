/** The answer of the gate, as the client's types have it. */
import type { Answer } from '@merlon/client';

export type Gate = Answer<'getGate'>;
export type GateViolation = Gate['violations'][number];
export type UnblockStep = Gate['unblock'][number];

/** What everything that shows a verdict is made from. */
export interface GateResult {
  gate: Gate;
  /** Why there is no verdict; then nothing that the gate says of violations is shown. */
  noVerdict: string | null;
}
