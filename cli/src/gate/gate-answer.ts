/** The answer of the gate, as the client's types have it. */
import type { Answer } from '@merlon/client';

export type Gate = Answer<'getGate'>;
export type GateViolation = Gate['violations'][number];
export type UnblockStep = Gate['unblock'][number];

/** Every output of a verdict is made from this. */
export interface GateResult {
  /** Its verdict is null if `noVerdict` is not. */
  gate: Gate;
  /** Explains why there is no verdict. The gate's violations are not shown then. */
  noVerdict: NoVerdict | null;
}

/**
 * `refused`: a report of the upload was not accepted. `failed`: a scan failed. `unsuccessful`: a run did not succeed or
 * scanned nothing. `missing`: a scan has not arrived or is not completed. `pending`: changed policies are not evaluated
 * yet.
 */
export interface NoVerdict {
  kind: 'refused' | 'failed' | 'unsuccessful' | 'missing' | 'pending';
  text: string;
}
