/** Requests a verdict until there is one, or there can be none, or the time is over. Returns the exit code. */
import { MerlonError } from '@merlon/client';
import { exitCodes } from '../failures.ts';
import { notMerlon, type RetryClock } from '../requests.ts';
import type { Session } from '../session.ts';
import type { Gate, GateResult } from './gate-answer.ts';
import type { GateQuery } from './gate-query.ts';
import { noVerdictReason, pendingReason, unsuccessfulScans } from './labels.ts';

// Shorter than the time limit of one attempt. The server's own limit is 30.
const longestWaitSeconds = 20;
// The server may answer at once without a verdict. The next request then waits at least this long.
const shortestPauseMs = 1_000;
// The server does not wait for a repository, so the command asks again. Several jobs may share the key and its rate
// limit.
const missingPauseMs = 5_000;

/**
 * Returns the last answer of the gate. It has a verdict unless a scan failed or the deadline came first. While changed
 * policies are still being evaluated a block counts at once, but a pass or a warning does not. The first upload makes the
 * repository, so one that does not exist is waited for too. Throws 404 if there is none at the deadline.
 */
export async function fetchGate(
  { client, workspace, baseUrl }: Pick<Session, 'client' | 'workspace' | 'baseUrl'>,
  query: GateQuery,
  deadline: number,
  { pause, say }: RetryClock,
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
    const isPending = mayBecomeBlock(gate);
    if (gate.verdict !== null && !isPending) return { gate, noVerdict: null };
    const reason = isPending ? pendingReason : noVerdictReason(gate);
    const now = Date.now();
    const canChange = isPending || !(hasFailed(gate) || isDecided(gate));
    if (!canChange || now >= deadline) return { gate, noVerdict: reason };
    sayOnce(reason);
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

/** True if there is a verdict, and changed policies that are not evaluated yet may make it a block. */
function mayBecomeBlock({ verdict, policies_pending: isPending }: Gate): boolean {
  return isPending && verdict !== null && verdict !== 'block';
}

/** True if a run did not succeed and no other expected tool is missing. Waiting cannot change the answer then. */
function isDecided(gate: Gate): boolean {
  const tools = unsuccessfulScans(gate).map(({ tool }) => tool);
  return tools.length > 0 && gate.missing.every((tool) => tools.includes(tool));
}

/**
 * 0 for pass or warn, 1 for block. Without a verdict: 5 if a report could not be processed, 7 if a scanner's run did
 * not succeed or scanned nothing, else 6.
 */
export function exitCodeOfGate({ gate, noVerdict }: GateResult): number {
  if (noVerdict !== null) {
    if (mayBecomeBlock(gate)) return exitCodes.noResult;
    if (hasFailed(gate)) return exitCodes.scanFailed;
    return unsuccessfulScans(gate).length > 0 ? exitCodes.unsuccessful : exitCodes.noResult;
  }
  return gate.verdict === 'pass' || gate.verdict === 'warn' ? exitCodes.ok : exitCodes.blocked;
}

function hasFailed({ status }: Gate): boolean {
  return status === 'failed' || status === 'canceled';
}
