/** Reads from Linux the memory of a process and its descendants, and the processor time that other work takes. */
import { readdirSync, readFileSync } from 'node:fs';

/** Returns the process and its descendants, without those of PostgreSQL, which may be a separate server. */
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

/** Returns the postmaster and its child processes. */
export function postgresProcesses(postmaster: number): number[] {
  const children = readdirSync('/proc').filter(
    (name) =>
      /^\d+$/.test(name) && new RegExp(`^PPid:\\s+${postmaster}$`, 'm').test(readProc(`${name}/status`)),
  );
  return [postmaster, ...children.map(Number)];
}

/** Returns the sum of the proportional set sizes. A page that several processes share counts once. */
export function pssMb(pids: number[]): number {
  return sumMb(pids, 'smaps_rollup', /^Pss:\s+(\d+)/m);
}

/** Returns the sum of the resident set sizes. A shared page counts in each process. */
export function rssMb(pids: number[]): number {
  return sumMb(pids, 'status', /^VmRSS:\s+(\d+)/m);
}

function sumMb(pids: number[], file: string, pattern: RegExp): number {
  const kb = pids.map((pid) => Number(pattern.exec(readProc(`${pid}/${file}`))?.[1] ?? 0));
  return Math.round(kb.reduce((sum, each) => sum + each, 0) / 1024);
}

/** Samples a process and its descendants. The returned function stops this and returns the sum of their peaks in MB. */
export function watchPeak(pid: number): () => number {
  const peaks = new Map<number, number>();
  const sample = (): void => {
    for (const each of processTree(pid)) {
      const kb = Number(/^VmHWM:\s+(\d+)/m.exec(readProc(`${each}/status`))?.[1] ?? 0);
      peaks.set(each, Math.max(kb, peaks.get(each) ?? 0));
    }
  };
  const timer = setInterval(sample, 200);
  return () => {
    clearInterval(timer);
    return Math.round([...peaks.values()].reduce((sum, kb) => sum + kb, 0) / 1024);
  };
}

/** Like `watchPeak`, but returns the peak of the sum of their proportional set sizes. */
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

/** Returns the number of PostgreSQL's processes that vacuum or analyze a table at the moment. */
export function vacuumWorkers(postmaster: number): number {
  return postgresProcesses(postmaster).filter((pid) =>
    readProc(`${pid}/cmdline`).includes(': autovacuum worker'),
  ).length;
}

/**
 * The returned function returns the percentage of processor time that other guests of the host took since this call.
 */
export function watchSteal(): () => number {
  const read = (): number[] =>
    readProc('stat').split('\n', 1)[0]?.trim().split(/\s+/).slice(1, 9).map(Number) ?? [];
  const before = read();
  return () => {
    const spent = read().map((ticks, index) => ticks - (before[index] ?? 0));
    const all = spent.reduce((sum, ticks) => sum + ticks, 0);
    return Math.round((1000 * (spent[7] ?? 0)) / Math.max(1, all)) / 10;
  };
}

// A process may end between listing and reading.
function readProc(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'utf8');
  } catch {
    return '';
  }
}
