/** Requests a verdict until there is one, or there can be none, or the time is over. Returns the exit code. */
import { MerlonError } from '@merlon/client';
import { exitCodes } from '../failures.ts';
import { notMerlon, type RetryClock } from '../requests.ts';
import type { Session } from '../session.ts';
import type { Gate, GateResult, NoVerdict } from './gate-answer.ts';
import type { GateQuery } from './gate-query.ts';
import { explainMissingVerdict, unsuccessfulScans } from './labels.ts';

// Shorter than the time limit of one attempt. The server's own limit is 30.
const longestWaitSeconds = 20;
// The server may answer at once without a verdict. The next request then waits at least this long.
const shortestPauseMs = 1_000;
// The server does not wait for a repository, so the command asks again. Several jobs may share the key and its rate
// limit.
const missingPauseMs = 5_000;

/** Returns the reason why a verdict of the gate does not count for an upload; null if it counts. */
export type UploadCheck = (gate: Gate) => NoVerdict | null;

/**
 * Returns the last answer of the gate. It has a verdict unless a scan failed, `checkUpload` refuses the verdict, or the
 * deadline came first. While changed policies are still being evaluated a block counts at once, but a pass or a warning
 * does not. The first upload makes the repository, so one that does not exist is waited for too. Throws 404 if there is
 * none at the deadline.
 */
export async function fetchGate(
  { client, workspace, baseUrl }: Pick<Session, 'client' | 'workspace' | 'baseUrl'>,
  query: GateQuery,
  deadline: number,
  { pause, say }: RetryClock,
  checkUpload: UploadCheck = () => null,
): Promise<GateResult> {
  let lastReason = '';
  const sayOnce = (reason: string): void => {
    if (reason !== lastReason) say(`waiting: ${reason}`);
    lastReason = reason;
  };
  for (let first = true; ; first = false) {
    const asked = Date.now();
    const left = Math.max(0, deadline - asked);
    // The first request does not wait, so that the command can say what it waits for. The server takes whole seconds;
    // the rest is a pause.
    const wait = first ? 0 : Math.min(longestWaitSeconds, Math.floor(left / 1000));
    let answer: Gate;
    try {
      answer = await client.getGate({ path: { tenant_slug: workspace }, query: { ...query, wait } });
    } catch (error) {
      const rest = deadline - Date.now();
      if (!(error instanceof MerlonError && error.code === 'RESOURCE_NOT_FOUND') || rest <= 0) throw error;
      sayOnce('no scan of the repository or the commit yet');
      await pause(Math.min(missingPauseMs, rest));
      continue;
    }
    // Any other server may answer any request with JSON.
    if (!Array.isArray((answer as Gate | null)?.violations)) throw notMerlon();
    const gate = completePages(answer, baseUrl);
    const noVerdict = findMissingVerdict(gate, checkUpload);
    if (noVerdict === null) return { gate, noVerdict };
    const now = Date.now();
    if (isFinal(noVerdict, gate) || now >= deadline) return { gate: { ...gate, verdict: null }, noVerdict };
    sayOnce(noVerdict.text);
    if (!first && now - asked < shortestPauseMs) await pause(Math.min(shortestPauseMs, deadline - now));
  }
}

// A server that does not know its public name gives the pages as paths.
function completePages(gate: Gate, baseUrl: string): Gate {
  const complete = (page: string): string => (page.startsWith('/') ? baseUrl + page : page);
  return {
    ...gate,
    page: gate.page === null ? null : complete(gate.page),
    violations: gate.violations.map((item) => ({ ...item, page: complete(item.page) })),
  };
}

/**
 * Returns null if the gate has a verdict that counts. Waiting cannot change a reason of the upload, so it comes first.
 */
function findMissingVerdict(gate: Gate, checkUpload: UploadCheck): NoVerdict | null {
  if (gate.verdict === null) return explainMissingVerdict(gate);
  const isPending = gate.policies_pending && gate.verdict !== 'block';
  return checkUpload(gate) ?? (isPending ? pending : null);
}

const pending: NoVerdict = {
  kind: 'pending',
  text: 'policies are still being evaluated, and a verdict without them could be wrong',
};

/** True if waiting cannot change the answer. After a run that did not succeed, another expected tool may still come. */
function isFinal({ kind }: NoVerdict, gate: Gate): boolean {
  if (kind !== 'unsuccessful') return kind === 'failed' || kind === 'refused';
  const tools = unsuccessfulScans(gate).map(({ tool }) => tool);
  return gate.missing.every((tool) => tools.includes(tool));
}

const noVerdictCodes: Record<NoVerdict['kind'], number> = {
  refused: exitCodes.refused,
  failed: exitCodes.scanFailed,
  unsuccessful: exitCodes.unsuccessful,
  missing: exitCodes.noResult,
  pending: exitCodes.noResult,
};

export function exitCodeOfGate({ gate, noVerdict }: GateResult): number {
  if (noVerdict !== null) return noVerdictCodes[noVerdict.kind];
  return gate.verdict === 'pass' || gate.verdict === 'warn' ? exitCodes.ok : exitCodes.blocked;
}
