/** The memory of a process and of all that it has started, and what else takes the processors, as Linux gives it. */
import { readdirSync, readFileSync } from 'node:fs';

/** The process and those below it, without PostgreSQL's, which a service with a server of its own does not start. */
export function processTree(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    const status = /^\d+$/.test(name) ? readProc(`${name}/status`) : '';
    if (status !== '' && !/^Name:\s+postgres$/m.test(status)) {
      parents.set(Number(name), Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]));
    }
  }
  const tree = [pid];
  for (const each of tree) {
    for (const [child, parent] of parents) if (parent === each) tree.push(child);
  }
  return tree;
}

/** PostgreSQL's processes of this data directory: the postmaster and those below it. */
export function postgresProcesses(postmaster: number): number[] {
  const below = readdirSync('/proc').filter(
    (name) =>
      /^\d+$/.test(name) && new RegExp(`^PPid:\\s+${postmaster}$`, 'm').test(readProc(`${name}/status`)),
  );
  return [postmaster, ...below.map(Number)];
}

/** The sum of the proportional set sizes: a page that several processes share counts once. */
export function pssMb(pids: number[]): number {
  return sumMb(pids, 'smaps_rollup', /^Pss:\s+(\d+)/m);
}

/** The sum of the resident set sizes: shared pages count in each process. */
export function rssMb(pids: number[]): number {
  return sumMb(pids, 'status', /^VmRSS:\s+(\d+)/m);
}

function sumMb(pids: number[], file: string, pattern: RegExp): number {
  const kb = pids.map((pid) => Number(pattern.exec(readProc(`${pid}/${file}`))?.[1] ?? 0));
  return Math.round(kb.reduce((sum, each) => sum + each, 0) / 1024);
}

/** Watches a process and those below it until the returned function is called, which gives their peaks together. */
export function watchPeak(pid: number): () => number {
  const peaks = new Map<number, number>();
  const look = (): void => {
    for (const each of processTree(pid)) {
      const kb = Number(/^VmHWM:\s+(\d+)/m.exec(readProc(`${each}/status`))?.[1] ?? 0);
      peaks.set(each, Math.max(kb, peaks.get(each) ?? 0));
    }
  };
  const timer = setInterval(look, 200);
  return () => {
    clearInterval(timer);
    return Math.round([...peaks.values()].reduce((sum, kb) => sum + kb, 0) / 1024);
  };
}

/** Watches what the process and those below it take together until the returned function is called. */
export function watchPss(pid: number): () => number {
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, pssMb(processTree(pid)));
  }, 500);
  return () => {
    clearInterval(timer);
    return Math.max(peak, pssMb(processTree(pid)));
  };
}

/** How many of PostgreSQL's processes vacuum or analyze a table at the moment. */
export function vacuumWorkers(postmaster: number): number {
  return postgresProcesses(postmaster).filter((pid) =>
    readProc(`${pid}/cmdline`).includes(': autovacuum worker'),
  ).length;
}

/** Watches the share of processor time that other guests of the machine took, in percent, until it is called. */
export function watchSteal(): () => number {
  const read = (): number[] =>
    readProc('stat').split('\n', 1)[0]?.trim().split(/\s+/).slice(1, 9).map(Number) ?? [];
  const before = read();
  return () => {
    const spent = read().map((ticks, at) => ticks - (before[at] ?? 0));
    const all = spent.reduce((sum, ticks) => sum + ticks, 0);
    return Math.round((1000 * (spent[7] ?? 0)) / Math.max(1, all)) / 10;
  };
}

// A process may end while it is read.
function readProc(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'utf8');
  } catch {
    return '';
  }
}
