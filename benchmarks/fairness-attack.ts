/** The attack of `fairness.ts`. It runs in its own thread, so that it takes no time from the measured client. */
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, Worker, workerData } from 'node:worker_threads';

export interface Asked {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
}

export interface Attack {
  parallel: number;
  asked: Asked;
}

// A refused client asks again after this time, which is sooner than the answer allows.
const againMs = 1_000;

/** Keeps this many requests running until it is stopped. Returns the number of answers with each status. */
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

// A body is encoded once, so that the client takes little of the processors that it shares with the server.
function bytesOf(body: string): Buffer {
  if (encoded?.body !== body) encoded = { body, bytes: Buffer.from(body) };
  return encoded.bytes;
}

/** The status; 0 where it was ended by the signal. A body has bytes of its own, so that it is not taken for the one before. */
export function ask(url: string, asked: Asked, agent: Agent, signal?: AbortSignal): Promise<number> {
  const { method, path, headers, body } = asked;
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

async function run(url: string, { parallel, asked }: Attack): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: parallel });
  const over = new AbortController();
  parentPort?.once('message', () => over.abort());
  const statuses: Record<string, number> = {};
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      while (!over.signal.aborted) {
        const status = await ask(url, asked, agent, over.signal).catch(() => -1);
        statuses[status] = (statuses[status] ?? 0) + 1;
        if (status >= 400 || status < 0) await sleep(againMs);
      }
    }),
  );
  agent.destroy();
  parentPort?.postMessage(statuses);
}

if (workerData?.attack) await run(workerData.url, workerData.attack as Attack);
