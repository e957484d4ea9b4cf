/** The answer of the gate, as the client's types have it. */
import type { Answer } from '@merlon/client';

export type Gate = Answer<'getGate'>;
export type GateViolation = Gate['violations'][number];
export type UnblockStep = Gate['unblock'][number];

/** Every output of a verdict is made from this. */
export interface GateResult {
  gate: Gate;
  /** Explains why there is no verdict. The gate's violations are not shown then. */
  noVerdict: string | null;
}
