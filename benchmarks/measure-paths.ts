/** Measures the requests of a list of paths, one after another. */
import { printTable } from '../server/src/commands/output.ts';
import { httpClient, measurePath } from './http-client.ts';
import type { BenchOptions } from './options.ts';
import { startServer } from './serve.ts';

/** Starts a server, measures each path of the workspace, and prints the times. `pathsOf` returns name → path. */
export async function measurePaths(
  { dataDir, workspace, requests }: BenchOptions,
  key: string,
  pathsOf: (get: <T>(path: string) => Promise<T>) => Promise<Record<string, string>>,
) {
  const server = await startServer(dataDir);
  const client = httpClient(server.url, key, 1);
  try {
    const at = (path: string): string => `/api/v1/${workspace}${path}`;
    const paths = await pathsOf(async (path) => JSON.parse(await client.get(at(path))));
    const rows = [];
    for (const [name, path] of Object.entries(paths)) {
      rows.push({ name, ...(await measurePath(client, at(path), requests)) });
    }
    printTable(
      ['READ', 'p50 ms', 'p95 ms'],
      rows.map(({ name, p50Ms, p95Ms }) => [name, String(p50Ms), String(p95Ms)]),
    );
    return rows;
  } finally {
    client.close();
    await server.stop();
  }
}
