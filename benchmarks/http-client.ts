/** An HTTP client with keep-alive connections, and the latency of its requests. */
import { Agent, request } from 'node:http';

export interface HttpClient {
  /** Returns the body of a 200. Throws for any other status. */
  get(path: string): Promise<string>;
  close(): void;
}

export function httpClient(url: string, key: string, connections: number): HttpClient {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const { hostname, port } = new URL(url);
  const headers = { authorization: `Bearer ${key}` };
  return {
    get: (path) =>
      new Promise((resolve, reject) => {
        const sent = request({ agent, hostname, port, path, headers }, (response) => {
          const pieces: Buffer[] = [];
          response.on('data', (piece: Buffer) => pieces.push(piece));
          response.on('error', reject);
          response.on('end', () => {
            const body = Buffer.concat(pieces).toString();
            if (response.statusCode === 200) resolve(body);
            else reject(new Error(`${path}: ${response.statusCode} ${body}`));
          });
        });
        sent.on('error', reject);
        sent.end();
      }),
    close: () => agent.destroy(),
  };
}

export interface Latency {
  p50Ms: number;
  p95Ms: number;
  p99Ms: number;
}

/** Returns the median and two percentiles of times in milliseconds, to a hundredth. */
export function latencyOf(timesMs: number[]): Latency {
  const sorted = timesMs.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 100) / 100;
  return { p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99) };
}

/** Measures one request after another. The first ones, which fill the caches of server and database, do not count. */
export async function measurePath(
  client: HttpClient,
  path: string,
  requests: number,
  warmUps = 20,
): Promise<Latency> {
  for (let i = 0; i < warmUps; i++) await client.get(path);
  const times: number[] = [];
  for (let i = 0; i < requests; i++) times.push(await timed(() => client.get(path)));
  return latencyOf(times);
}

/** Returns the milliseconds that the work takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await work();
  return performance.now() - before;
}
