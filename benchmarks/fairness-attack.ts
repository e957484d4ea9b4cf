/** The attack of `fairness.ts`. It runs in its own thread, so that it does not delay the measured client. */
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, Worker, workerData } from 'node:worker_threads';

export interface HttpRequest {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
}

export interface Attack {
  parallel: number;
  attackRequest: HttpRequest;
}

// A refused request is sent again after this time, which is sooner than the answer's Retry-After.
const retryMs = 1_000;

/** Keeps `parallel` requests running. The returned function stops them and returns the number of answers by status. */
export function startAttack(url: string, attack: Attack): () => Promise<Record<string, number>> {
  const thread = new Worker(new URL(import.meta.url), { workerData: { url, attack } });
  return async () => {
    const { promise, resolve, reject } = Promise.withResolvers<Record<string, number>>();
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.postMessage('stop');
    const statuses = await promise;
    await thread.terminate();
    return statuses;
  };
}

let encoded: { body: string; bytes: Buffer } | undefined;

// A body is encoded once, to leave more processor time to the server on the same machine.
function bytesOf(body: string): Buffer {
  if (encoded?.body !== body) encoded = { body, bytes: Buffer.from(body) };
  return encoded.bytes;
}

/**
 * Returns the status, or 0 if the signal aborted it. Random blanks after a body make it differ from the last report.
 */
export function sendRequest(
  url: string,
  { method, path, headers, body }: HttpRequest,
  agent: Agent,
  signal?: AbortSignal,
): Promise<number> {
  return new Promise((done, reject) => {
    const sent = request(`${url}${path}`, { agent, method, headers, ...(signal && { signal }) }, (answer) => {
      answer.resume();
      answer.on('error', () => done(0));
      answer.on('end', () => done(answer.statusCode ?? 0));
    });
    sent.on('error', (error) => (signal?.aborted ? done(0) : reject(error)));
    if (body !== undefined) {
      sent.write(bytesOf(body));
      sent.write(' '.repeat(Math.floor(Math.random() * 1000)));
    }
    sent.end();
  });
}

async function run(url: string, { parallel, attackRequest }: Attack): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: parallel });
  const stopped = new AbortController();
  parentPort?.once('message', () => stopped.abort());
  const statuses: Record<string, number> = {};
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      while (!stopped.signal.aborted) {
        const status = await sendRequest(url, attackRequest, agent, stopped.signal).catch(() => -1);
        statuses[status] = (statuses[status] ?? 0) + 1;
        if (status >= 400 || status < 0) await sleep(retryMs);
      }
    }),
  );
  agent.destroy();
  parentPort?.postMessage(statuses);
}

if (workerData?.attack) await run(workerData.url, workerData.attack as Attack);
