/**
 * Many requests at once over kept connections. The client shares the machine with the service, as pgbench shares it with
 * PostgreSQL, so it does no more with an answer than to find its end.
 */
import { connect, type Socket } from 'node:net';
import { type Latency, latencyOf } from './http-client.ts';

export interface Throughput extends Latency {
  perSecond: number;
}

export interface LoadOptions {
  url: string;
  key: string;
  connections: number;
  seconds: number;
  /** Chooses the path of each request. */
  next: () => string;
  /** The most requests a second; as many as are answered by default. */
  perSecond?: number;
}

/** Keeps `connections` requests running for this time. Throws where an answer is not 200. */
export async function load(options: LoadOptions): Promise<Throughput> {
  const times: number[] = [];
  const started = performance.now();
  await Promise.all(Array.from({ length: options.connections }, () => work(options, started, times)));
  const elapsed = (performance.now() - started) / 1000;
  return { perSecond: Math.round(times.length / elapsed), ...latencyOf(times) };
}

async function work(
  { url, key, connections, seconds, next, perSecond }: LoadOptions,
  started: number,
  times: number[],
): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).setNoDelay();
  const head = `host: ${hostname}:${port}\r\nauthorization: Bearer ${key}\r\n\r\n`;
  const pauseMs = perSecond === undefined ? 0 : (1000 * connections) / perSecond;
  const until = started + seconds * 1000;
  // With a rate, the connections begin one after another and not all at once.
  let due = started + Math.random() * pauseMs;
  try {
    for (;;) {
      if (pauseMs > 0) await sleepUntil(due);
      const now = performance.now();
      if (now >= until) return;
      // With a rate, an answer that comes late delays the next requests, and their waiting counts.
      const before = pauseMs > 0 ? Math.min(now, due) : now;
      await ask(socket, `GET ${next()} HTTP/1.1\r\n${head}`);
      times.push(performance.now() - before);
      due += pauseMs;
    }
  } finally {
    socket.destroy();
  }
}

function sleepUntil(due: number): Promise<void> {
  const ms = due - performance.now();
  return ms <= 1 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, ms));
}

const headEnd = Buffer.from('\r\n\r\n');

/** Sends the request and resolves at the end of its answer, which must have a length. */
function ask(socket: Socket, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let received = 0;
    let expected = Number.POSITIVE_INFINITY;
    const done = (error?: Error): void => {
      socket.off('data', take).off('error', done).off('close', closed);
      if (error) reject(error);
      else resolve();
    };
    const closed = (): void => done(new Error('the server closed the connection'));
    const take = (piece: Buffer): void => {
      if (received === 0) {
        const end = piece.indexOf(headEnd);
        const head = piece.toString('latin1', 0, end);
        const length = /^content-length: (\d+)/im.exec(head)?.[1];
        if (!head.startsWith('HTTP/1.1 200') || length === undefined) {
          done(new Error(`${text.split('\r\n', 1)[0]}: ${piece.toString('utf8', 0, 500)}`));
          return;
        }
        expected = end + headEnd.length + Number(length);
      }
      received += piece.length;
      if (received >= expected) done();
    };
    socket.on('data', take).on('error', done).on('close', closed);
    socket.write(text);
  });
}
