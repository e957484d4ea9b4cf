/**
 * `node benchmarks/soak.ts [--minutes 30] [--share 0.6] [--vulnerabilities N] [--findings N] [--data-dir DIR]`:
 * requests lists at a share of the rate that it measured first, while another workspace imports reports without pause.
 * Memory and the 99th percentile of the last five minutes are compared with those of the first five. The speed of a
 * machine may change within half an hour, so the rate is the lowest of three, and the processor time of a fixed task is
 * measured in each minute. Writes `results/soak.json`.
 */
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { say } from '../server/src/commands/output.ts';
import { openConfigured } from '../server/src/open.ts';
import { mainWorkspace, withServer } from './bench.ts';
import { flatQueries, queryText } from './cases.ts';
import { load } from './load.ts';
import { machineOf } from './machine.ts';
import { benchConfig, readArguments } from './options.ts';
import { postgresProcesses, processTree, pssMb, rssMb, vacuumWorkers, watchSteal } from './process-memory.ts';
import { benchReport } from './reports.ts';
import { writeResult } from './results.ts';
import { type Aim, comparedRow, medianOf, printRows, type Row, round2 } from './row.ts';
import { sizes } from './sizes.ts';
import { createAdmin, uploadReport, waitForScans } from './upload.ts';
import { asOwner, createEmptyWorkspace } from './workspace.ts';

const values = readArguments({
  minutes: { type: 'string', default: '30' },
  share: { type: 'string', default: '0.6' },
  vulnerabilities: { type: 'string', default: '100000' },
  findings: { type: 'string', default: '10000' },
  'data-dir': { type: 'string', default: 'data/bench-small' },
});
const minutes = Number(values.minutes);
const share = Number(values.share);
const findings = Number(values.findings);
const dataDir = resolve(values['data-dir']);
const connections = 16;
const text = benchReport('packages', { from: 0, to: 5_000, changed: 0 });
// One minute differs from the next by up to this factor, so a smaller growth is no growth.
const steady = { atMost: 1.15 };

interface Minute {
  minute: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /**
   * The memory of all processes of `serve`. Shared pages count once in the first figure, in each process in the second.
   */
  pssMb: number;
  rssMb: number;
  postgresMb: number;
  imports: number;
  /** The processor time of a fixed task, which shows changes in the speed of the machine. */
  workMs: number;
  /** The share of processor time that other guests of the machine took. */
  stealPercent: number;
  /** The mean number of PostgreSQL's processes that vacuumed or analyzed a table. */
  vacuumWorkers: number;
}

const open = await openConfigured(benchConfig(dataDir), say);
try {
  const size = { ...sizes.small, vulnerabilities: Number(values.vulnerabilities) };
  const tenant = await mainWorkspace({ open, dataDir, size });
  const other = await createEmptyWorkspace(open, 'soak');
  const { key: importKey } = await createAdmin(open, other);
  const postmaster = await findPostmaster();
  await withServer({ open, dataDir, size }, tenant, { workers: null }, async ({ url, pid, key, at }) => {
    const paths = flatQueries().map((query) => at(`/vulnerabilities?${queryText(query)}`));
    const next = (): string => paths[Math.floor(Math.random() * paths.length)] ?? '';
    await load({ url, key, connections, seconds: 5, next });
    const rates: number[] = [];
    for (let n = 0; n < 3; n++) {
      if (n > 0) await sleep(30_000);
      const { perSecond: rate } = await load({ url, key, connections, seconds: 15, next });
      rates.push(rate);
    }
    const perSecond = Math.round(Math.min(...rates) * share);
    say(`${rates.join(', ')} lists a second alone; ${perSecond} for ${minutes} minutes`);
    const imports = { count: 0, isDone: false };
    const importing = importUntilDone(url, other.slug, importKey, imports);
    const taken: Minute[] = [];
    for (let minute = 1; minute <= minutes; minute++) {
      const lists = load({ url, key, connections, seconds: 60, next, perSecond });
      const samples = await sampleMinute(pid, postmaster);
      const { p50Ms, p99Ms, perSecond: reached } = await lists;
      taken.push({ minute, perSecond: reached, p50Ms, p99Ms, ...samples, imports: imports.count });
      say(JSON.stringify(taken.at(-1)));
    }
    imports.isDone = true;
    await importing;
    const rows = soakRows(taken);
    printRows(rows);
    writeResult('soak', {
      machine: await machineOf(open),
      rates,
      share,
      perSecond,
      findings,
      rows,
      minutes: taken,
    });
  });
} finally {
  await open.close();
}

function soakRows(taken: Minute[]): Row[] {
  const count = Math.max(1, Math.min(5, Math.floor(taken.length / 2)));
  const row = (work: string, unit: string, of: (minute: Minute) => number, aim: Aim | null = steady): Row =>
    comparedRow({
      work: `soak of ${taken.length} minutes: ${work}`,
      yardstick: [`first ${count} minutes`, medianOf(taken.slice(0, count).map(of))],
      measured: { value: medianOf(taken.slice(-count).map(of)), unit },
      aim,
    });
  return [
    row('memory of serve', 'MB', ({ pssMb }) => pssMb),
    row('memory of PostgreSQL', 'MB', ({ postgresMb }) => postgresMb),
    row('lists, p99', 'ms', ({ p99Ms }) => p99Ms),
    row('processor time of one piece of work', 'ms', ({ workMs }) => workMs, null),
  ];
}

/** Samples for 55 seconds, every five seconds, and returns the medians. */
async function sampleMinute(pid: number, postmaster: number) {
  const samples: { pss: number; rss: number; postgres: number; work: number; vacuum: number }[] = [];
  const steal = watchSteal();
  for (let n = 0; n < 11; n++) {
    await sleep(5_000);
    const tree = processTree(pid);
    samples.push({
      pss: pssMb(tree),
      rss: rssMb(tree),
      postgres: pssMb(postgresProcesses(postmaster)),
      work: processorMsOf(() => JSON.parse(text)),
      vacuum: vacuumWorkers(postmaster),
    });
  }
  return {
    pssMb: medianOf(samples.map(({ pss }) => pss)),
    rssMb: medianOf(samples.map(({ rss }) => rss)),
    postgresMb: medianOf(samples.map(({ postgres }) => postgres)),
    workMs: round2(medianOf(samples.map(({ work }) => work))),
    stealPercent: steal(),
    vacuumWorkers: round2(samples.reduce((sum, { vacuum }) => sum + vacuum, 0) / samples.length),
  };
}

function processorMsOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * Sends one report after another: a small one of a new repository, then one in which a tenth of the findings is missing
 * and a tenth is new, then the same again. Repositories and findings repeat after a while, so that the tables stop
 * growing.
 */
async function importUntilDone(
  url: string,
  slug: string,
  key: string,
  state: { count: number; isDone: boolean },
): Promise<void> {
  const tenth = Math.floor(findings / 10);
  const plain = benchReport('packages', { from: 0, to: findings, changed: 0 });
  const shifted = benchReport('packages', { from: tenth, to: findings + tenth, changed: 0 });
  const small = benchReport('code', { from: 0, to: tenth, changed: 0 });
  for (let n = 0; !state.isDone; n++) {
    const round = Math.floor(n / 3);
    const [repo, body] = [
      [`soak/new-${round % 40}`, small] as const,
      ['soak/large', round % 2 === 0 ? plain : shifted] as const,
      ['soak/large', round % 2 === 0 ? plain : shifted] as const,
    ][n % 3] ?? ['soak/large', plain];
    await uploadReport(url, slug, key, repo, body);
    await waitForScans(url, slug, key);
    state.count++;
    await sleep(3_000);
  }
}

/** Returns the process id of the postmaster, which is the parent of each connection's process. */
async function findPostmaster(): Promise<number> {
  const { rows } = await asOwner(open, (client) =>
    client.query(`select split_part(pg_read_file('postmaster.pid'), chr(10), 1)::int as pid`),
  );
  return rows[0]?.pid;
}
