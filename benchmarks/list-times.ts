/**
 * `node benchmarks/list-times.ts URL KEY PATH…`: requests the paths in turns, at most twenty a second like a person who
 * pages quickly, until the input ends. Prints the milliseconds of each request as JSON. It is a process of its own, so
 * that the times contain no work of the benchmark itself, like sending a report or reading the memory of processes.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { httpClient, timed } from './http-client.ts';
import { runProgram } from './run-program.ts';

const pauseMs = 50;

/** The queries of lists that a person pages through. */
export const pagedPaths = ['', '?state=open', '?severity=critical&state=open', '?ref=HEAD&sort=newest'];

/** Requests lists until the promise settles. Returns the milliseconds of each request. */
export function timeLists(
  { url, key, paths }: { url: string; key: string; paths: readonly string[] },
  until: Promise<unknown>,
): Promise<number[]> {
  return runProgram('list-times.ts', [url, key, ...paths], { inputUntil: until });
}

if (import.meta.main) {
  const [url = '', key = '', ...paths] = process.argv.slice(2);
  const client = httpClient(url, key, 1);
  // The first requests compile the client, connect it, and fill the caches of its server.
  for (let n = 0; n < 5 * paths.length; n++) await client.get(paths[n % paths.length] ?? '');
  let isDone = false;
  process.stdin.resume().on('end', () => {
    isDone = true;
  });
  const times: number[] = [];
  for (let n = 0; !isDone; n++) {
    const ms = await timed(() => client.get(paths[n % paths.length] ?? ''));
    times.push(ms);
    await sleep(Math.max(0, pauseMs - ms));
  }
  client.close();
  process.stdout.write(JSON.stringify(times));
}
