/**
 * `node benchmarks/read.ts [--data-dir DIR] [--workspace SLUG] [--vulnerabilities N] [--requests N] [--seconds N]`:
 * how long a list takes, by filter and sort, and how many a second beside the same SQL without the service.
 * Seeds the workspace where it is missing. Writes `results/read.json`.
 */
import { printTable, say } from '../server/src/commands/session.ts';
import { measureReads } from './measure.ts';
import { readOptions } from './options.ts';
import { writeResult } from './results.ts';

const figures = await measureReads(readOptions());
printTable(
  ['FILTER', 'SORT', 'FOUND', 'FIRST p50 ms', 'p95', 'DEEP p50 ms', 'p95'],
  figures.cases.map(({ name, sort, total, first, deep }) =>
    [name, sort, total, first.p50Ms, first.p95Ms, deep?.p50Ms ?? '-', deep?.p95Ms ?? '-'].map(String),
  ),
);
const { throughput, baseline, ratio } = figures;
say(
  `16 connections, filters of the API at random: ${throughput.perSecond} lists/s, ` +
    `p50 ${throughput.p50Ms} ms, p95 ${throughput.p95Ms} ms`,
);
const without = baseline.tool === 'pg' ? 'plain pg (there is no pgbench here)' : 'pgbench';
say(`The same SQL by ${without}: ${baseline.perSecond}/s; ratio ${ratio} (aim 0.6)`);
writeResult('read', figures);
