/**
 * The priority of PostgreSQL's processes. People wait for the answer of a request, but not for the next second of an
 * import, so an embedded PostgreSQL works for requests first (ADR 90). A server's machine has its own rules.
 */
import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

const priority = constants.priority.PRIORITY_BELOW_NORMAL;
// Linux takes such a value from a user other than root ten times a second, for the whole machine.
const pauseMs = 150;
const maxTries = 20;

/**
 * Lets a process of this machine, by its id, yield the processors to others. Does nothing where the system refuses:
 * then all work is done, and lists are slower meanwhile. `ended` tells that the process may be gone, and its id
 * another's.
 */
export async function yieldProcessors(processId: number, ended: AbortSignal): Promise<void> {
  try {
    setPriority(processId, priority);
  } catch {
    return;
  }
  for (let tries = 0; tries < maxTries && !ended.aborted; tries++) {
    try {
      // Linux may divide the processors by session. Then only this priority counts: each process of PostgreSQL is a
      // session.
      writeFileSync(`/proc/${processId}/autogroup`, String(priority));
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
    }
    await sleep(pauseMs, undefined, { ref: false });
  }
}
