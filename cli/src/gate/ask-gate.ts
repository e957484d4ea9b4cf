/** Asking for a verdict until there is one, or there will be none, or the time is over; and what that comes to. */
import { exitCodes } from '../failures.ts';
import type { RetryClock } from '../requests.ts';
import type { Session } from '../session.ts';
import type { Gate, GateResult } from './gate-answer.ts';
import type { GateQuery } from './gate-query.ts';
import { noVerdictWords, unsuccessfulScans } from './labels.ts';

// Below what one attempt may take; the server's own limit is 30.
const longestWaitSeconds = 20;
// An answer that came at once, without a verdict, is not asked for again at once.
const shortestPauseMs = 1_000;

/** The gate as it was last told: with a verdict, unless a scan failed or the deadline came first. */
export async function askGate(
  { client, workspace }: Pick<Session, 'client' | 'workspace'>,
  query: GateQuery,
  deadline: number,
  { pause, say }: RetryClock,
): Promise<GateResult> {
  let told = '';
  for (let first = true; ; first = false) {
    const asked = Date.now();
    const left = Math.max(0, deadline - asked);
    // At once for the first time, to say what is waited for. The server takes whole seconds; the rest is a pause.
    const wait = first ? 0 : Math.min(longestWaitSeconds, Math.floor(left / 1000));
    const gate = await client.getGate({ path: { tenant_slug: workspace }, query: { ...query, wait } });
    if (gate.verdict !== null) return { gate, noVerdict: null };
    const reason = noVerdictWords(gate);
    const now = Date.now();
    if (hasFailed(gate) || isDecided(gate) || now >= deadline) return { gate, noVerdict: reason };
    if (reason !== told) say(`waiting: ${reason}`);
    told = reason;
    if (!first && now - asked < shortestPauseMs) await pause(Math.min(shortestPauseMs, deadline - now));
  }
}

/** A run did not succeed, and no expected tool is missing beside: waiting brings nothing. */
function isDecided(gate: Gate): boolean {
  const tools = unsuccessfulScans(gate).map(({ tool }) => tool);
  return tools.length > 0 && gate.missing.every((tool) => tools.includes(tool));
}

/**
 * 0 pass or warn, 1 block; without a verdict 5 where a report could not be processed, 7 where a scanner's run did not
 * succeed or looked at nothing, else 6.
 */
export function exitCodeOfGate({ gate, noVerdict }: GateResult): number {
  if (noVerdict !== null) {
    if (hasFailed(gate)) return exitCodes.scanFailed;
    return unsuccessfulScans(gate).length > 0 ? exitCodes.unsuccessful : exitCodes.noResult;
  }
  return gate.verdict === 'pass' || gate.verdict === 'warn' ? exitCodes.ok : exitCodes.blocked;
}

function hasFailed({ status }: Gate): boolean {
  return status === 'failed' || status === 'canceled';
}
