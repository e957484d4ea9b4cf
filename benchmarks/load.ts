/**
 * Sends many requests at once over keep-alive connections. The client shares the machine with the service, as pgbench
 * shares it with PostgreSQL, so it only finds the end of an answer and does not parse the body.
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
  /** The highest number of requests a second. Without it, a request is sent as soon as the one before is answered. */
  perSecond?: number;
}

/** Keeps `connections` requests running for `seconds`. Throws if a status is not 200. */
export async function load(options: LoadOptions): Promise<Throughput> {
  const times: number[] = [];
  const started = performance.now();
  await Promise.all(
    Array.from({ length: options.connections }, () => useConnection(options, started, times)),
  );
  const elapsed = (performance.now() - started) / 1000;
  return { perSecond: Math.round(times.length / elapsed), ...latencyOf(times) };
}

async function useConnection(
  { url, key, connections, seconds, next, perSecond }: LoadOptions,
  started: number,
  times: number[],
): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).setNoDelay();
  const head = `host: ${hostname}:${port}\r\nauthorization: Bearer ${key}\r\n\r\n`;
  const pauseMs = perSecond === undefined ? 0 : (1000 * connections) / perSecond;
  const until = started + seconds * 1000;
  // With a rate, the connections start at different times.
  let due = started + Math.random() * pauseMs;
  try {
    for (;;) {
      if (pauseMs > 0) await sleepUntil(due);
      const now = performance.now();
      if (now >= until) return;
      // With a rate, a late answer delays the next request, and this delay counts as latency.
      const before = pauseMs > 0 ? Math.min(now, due) : now;
      await sendRequest(socket, `GET ${next()} HTTP/1.1\r\n${head}`);
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

/** Sends the request and waits for the end of its answer, which must have a Content-Length. */
function sendRequest(socket: Socket, text: string): Promise<void> {
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
