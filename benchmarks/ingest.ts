import { randomBytes } from 'node:crypto';

import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createWorkspace } from '../server/src/actions/workspaces/create-workspace.ts';
import { printTable, say } from '../server/src/commands/session.ts';
import { installTx } from '../server/src/db/database.ts';
import { type OpenDatabase, openConfigured } from '../server/src/open.ts';
import { type CopyFigures, measureCopy } from './copy-baseline.ts';
import { httpClient, type Latency, latencyOf } from './http-client.ts';
import { importInProcess } from './import-in-process.ts';
import type { ImportFigures } from './import-once.ts';
import { round2, startServer } from './measure.ts';
import { benchConfig } from './options.ts';
import type { ReportKind, ReportShape } from './reports.ts';
import { writeResult } from './results.ts';
import { asOwner, makeKey, makeWorkspace } from './workspace.ts';

const { values } = parseArgs({
  options: {
    'data-dir': { type: 'string', default: 'data/bench' },
    sizes: { type: 'string', default: '1000,10000,100000' },
  },
});
const dataDir = resolve(values['data-dir']);
const sizes = values.sizes.split(',').map(Number);

interface IngestFigures extends ImportFigures {
  kind: ReportKind;
  what: string;
  findings: number;
  findingsPerSecond: number;
  /** For new reports only: the time of COPY of the same rows, and its share of the import's time in the database. */
  copy: (CopyFigures & { ratio: number }) | null;
}

const open = await openConfigured(benchConfig(dataDir), say);
const figures: IngestFigures[] = [];
try {
  for (const kind of ['packages', 'code'] as const) {
    for (const findings of sizes) await measureSize(open, kind, findings);
  }
  const reads = await measureReadsMeanwhile(open, Math.max(...sizes));
  print(reads);
  writeResult('ingest', { imports: figures, reads });
} finally {
  await open.close();
}

/**
 * Each kind has its own workspace, so that all its rows belong to the report. The first report of a kind warms the
 * disk.
 */
async function measureSize(database: OpenDatabase, kind: ReportKind, findings: number): Promise<void> {
  const slug = `ingest-${randomBytes(4).toString('hex')}`;
  const tenant = await installTx(database.db, (tx) => createWorkspace(tx, slug, 'Benchmark'));
  const gone = Math.floor(findings / 10);
  const shapes: [string, ReportShape][] = [
    ['new', { from: 0, to: findings, changed: 0 }],
    ['unchanged', { from: 0, to: findings, changed: 0 }],
    // A tenth is gone, a tenth is new, a tenth of the rest says another severity.
    ['mixed', { from: gone, to: findings + gone, changed: 10 }],
  ];
  for (const [what, shape] of shapes) {
    const once = await importInProcess(dataDir, slug, kind, shape);
    const copied = what === 'new' ? await asOwner(database, (owner) => measureCopy(owner, tenant.id)) : null;
    const inDatabaseMs = once.processMs - (once.stepMs.reading ?? 0);
    figures.push({
      kind,
      what,
      findings,
      findingsPerSecond: Math.round(findings / ((once.receiveMs + once.processMs) / 1000)),
      copy: copied && { ...copied, ratio: round2(copied.ms / inDatabaseMs) },
      ...once,
    });
    say(`${kind}, ${what}, ${findings}: ${once.processMs} ms`);
  }
}

/** A person who pages through a list twenty times a second, before an import and during it. */
async function measureReadsMeanwhile(
  database: OpenDatabase,
  findings: number,
): Promise<{ findings: number; idle: Latency; meanwhile: Latency }> {
  const slug = `ingest-${randomBytes(4).toString('hex')}`;
  await makeWorkspace(database, slug, 10_000, () => {});
  const server = await startServer(dataDir);
  const client = httpClient(server.url, await makeKey(database, slug), 1);
  try {
    const paths = ['', '?state=open', '?severity=critical&state=open', '?ref=HEAD&sort=newest'];
    const times = async (until: () => boolean): Promise<number[]> => {
      const taken: number[] = [];
      for (let n = 0; !until(); n++) {
        const before = performance.now();
        await client.get(`/api/v1/${slug}/vulnerabilities${paths[n % paths.length]}`);
        taken.push(performance.now() - before);
        await sleep(Math.max(0, 50 - (performance.now() - before)));
      }
      return taken;
    };
    const seconds = (count: number) => {
      const end = performance.now() + count * 1000;
      return () => performance.now() > end;
    };
    await times(seconds(3));
    const idle = latencyOf(await times(seconds(10)));
    let done = false;
    const importing = importInProcess(dataDir, slug, 'packages', {
      from: 0,
      to: findings,
      changed: 0,
    }).finally(() => {
      done = true;
    });
    const meanwhile = latencyOf(await times(() => done));
    await importing;
    return { findings, idle, meanwhile };
  } finally {
    client.close();
    await server.stop();
  }
}

function print(reads: { idle: Latency; meanwhile: Latency }): void {
  printTable(
    [
      'REPORT',
      'FINDINGS',
      'PER SECOND',
      'ms',
      'receive',
      'reading',
      'database',
      'COPY',
      'RATIO',
      'STATEMENTS',
      'MB',
    ],
    figures.map((row) =>
      [
        `${row.kind}, ${row.what}`,
        row.findings,
        row.findingsPerSecond,
        row.receiveMs + row.processMs,
        row.receiveMs,
        row.stepMs.reading ?? 0,
        row.processMs - (row.stepMs.reading ?? 0),
        row.copy?.ms ?? '-',
        row.copy?.ratio ?? '-',
        row.statements,
        row.peakMb,
      ].map(String),
    ),
  );
  say(`lists, p95: ${reads.idle.p95Ms} ms; during an import: ${reads.meanwhile.p95Ms} ms`);
}
