/** A client with kept connections, and what a run of requests took. */
import { Agent, request } from 'node:http';

export interface HttpClient {
  /** The body of a 200; throws on anything else. */
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
}

/** Returns the median and the 95th percentile of times in milliseconds, to a hundredth. */
export function latencyOf(timesMs: number[]): Latency {
  const sorted = timesMs.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 100) / 100;
  return { p50Ms: at(0.5), p95Ms: at(0.95) };
}

export interface Throughput extends Latency {
  perSecond: number;
}

/** Keeps `connections` requests running for this time; `next` chooses each path. */
export async function load(
  client: HttpClient,
  connections: number,
  seconds: number,
  next: () => string,
): Promise<Throughput> {
  const times: number[] = [];
  const started = performance.now();
  const until = started + seconds * 1000;
  const worker = async (): Promise<void> => {
    for (let before = performance.now(); before < until; ) {
      await client.get(next());
      const after = performance.now();
      times.push(after - before);
      before = after;
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  const elapsed = (performance.now() - started) / 1000;
  return { perSecond: Math.round(times.length / elapsed), ...latencyOf(times) };
}
