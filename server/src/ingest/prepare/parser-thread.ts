/**
 * The parser's thread turns bytes into a prepared report. A report that needs too much memory ends the thread, not the
 * server. No secret leaves the thread (`identity.ts`). A thread takes a seventh of a second to start, longer than most
 * reports take, so it waits a moment for the next report after a small one.
 */
import { flushCompileCache, getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import type { InstallSecret } from '../../db/install-secret.ts';
import type { Limits } from '../../parsers/reading/limits.ts';
import { ReportError } from '../../parsers/report.ts';
import type { ReportId, SealedReport } from '../upload/waiting-report.ts';
import type { Outcome, Task } from './parse-sealed-report.ts';
import type { PreparedReport } from './prepared-report.ts';

// The largest allowed report (256 MB decompressed) fits as one string with its objects; measured, with a reserve.
const maxHeapMb = 1536;
// Rows of a report die young. A larger young generation takes its memory and no less time.
const youngHeapMb = 24;
// A parser runs in linear time, so a longer run is a bug or an attack.
const maxMs = 120_000;

// After a larger report, the heap of a waiting thread costs more than a new start.
const smallBytes = 4 * 1024 * 1024;
const idleMs = 5_000;

/** Opens and parses in a thread that has no other report. Throws ReportError for a report that is refused. */
export async function parseInThread(
  report: SealedReport,
  reportId: ReportId,
  secret: InstallSecret,
  format: string,
  limits: Limits,
): Promise<PreparedReport> {
  const outcome = await ParserThread.run({
    report,
    reportId,
    reportKey: new Uint8Array(secret.key('report-encryption')),
    secretKey: new Uint8Array(secret.key('secret-identity')),
    format,
    limits,
  });
  if (outcome.ok) return outcome.report;
  const { code, message, pointer, line } = outcome.error;
  throw new ReportError(code as ReportError['code'], message, { pointer, line });
}

// A thread does not inherit the cache of compiled code, without which its start takes three times as long.
const startWithCache = `
  const { workerData } = require('node:worker_threads');
  if (workerData.cache) require('node:module').enableCompileCache(workerData.cache);
  import(workerData.program);`;

/** Starts a thread that waits a moment for a report which is about to come. */
export function prepareThread(): void {
  ParserThread.prepare();
}

class ParserThread {
  /** Threads that wait a moment for the next report. They do not keep the process alive. */
  static readonly #idle = new Set<ParserThread>();

  readonly #thread: Worker;
  #task: { resolve: (outcome: Outcome) => void; reject: (error: Error) => void } | null = null;
  #timer: NodeJS.Timeout | null = null;

  /** Uses a waiting thread if there is one, else a new one. */
  static run(task: Task): Promise<Outcome> {
    const [waiting = new ParserThread()] = ParserThread.#idle;
    ParserThread.#idle.delete(waiting);
    return waiting.#work(task);
  }

  static prepare(): void {
    if (ParserThread.#idle.size === 0) new ParserThread().#wait();
  }

  private constructor() {
    const cache = getCompileCacheDir();
    this.#thread = new Worker(startWithCache, {
      eval: true,
      workerData: { cache: cache && dirname(cache), program: import.meta.url },
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb, maxYoungGenerationSizeMb: youngHeapMb },
      // A parser needs no environment variables.
      env: {},
    });
    this.#thread.on('message', (outcome: Outcome) => this.#done(outcome));
    this.#thread.on('error', (error) => this.#ended(error));
    this.#thread.on('exit', () =>
      this.#ended(
        new ReportError(
          'LIMIT_EXCEEDED',
          'Reading the report took longer than the limit. Split it into several reports.',
        ),
      ),
    );
  }

  #work(task: Task): Promise<Outcome> {
    this.#thread.ref();
    this.#endAfter(maxMs);
    return new Promise((resolve, reject) => {
      this.#task = { resolve, reject };
      this.#thread.postMessage(task);
    });
  }

  #done(outcome: Outcome): void {
    const task = this.#task;
    this.#task = null;
    if (outcome.bytes <= smallBytes) this.#wait();
    else this.#endAfter(0);
    task?.resolve(outcome);
  }

  #wait(): void {
    ParserThread.#idle.add(this);
    this.#thread.unref();
    this.#endAfter(idleMs);
  }

  #ended(error: Error): void {
    if (this.#timer) clearTimeout(this.#timer);
    ParserThread.#idle.delete(this);
    const outOfMemory = (error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY';
    this.#task?.reject(
      outOfMemory
        ? new ReportError(
            'LIMIT_EXCEEDED',
            `Reading the report needs more than ${maxHeapMb} MB of memory. Split it into several reports.`,
          )
        : error,
    );
    this.#task = null;
  }

  #endAfter(ms: number): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      ParserThread.#idle.delete(this);
      void this.#thread.terminate();
    }, ms).unref();
  }
}

if (!isMainThread && parentPort) {
  const port = parentPort;
  // The importing process itself needs no parser.
  const { parseSealedReport } = await import('./parse-sealed-report.ts');
  const { buffersOf } = await import('./packed-findings.ts');
  port.on('message', (task: Task) => {
    const outcome = parseSealedReport(task);
    const handedOver = outcome.ok ? outcome.report.runs.flatMap((each) => buffersOf(each.findings)) : [];
    port.postMessage(outcome, handedOver);
    // The thread is ended before it could write its compiled code, so this writes it.
    flushCompileCache();
  });
}
