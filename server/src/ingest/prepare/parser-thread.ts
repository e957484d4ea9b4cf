/**
 * The parser's thread: bytes in, a prepared report out. A report that is too much for its memory ends the thread,
 * not the server. No secret leaves it (`identity.ts`). A thread takes a fifth of a second to start, longer than most
 * reports take: after a small one it waits a moment for the next.
 */
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import type { InstallSecret } from '../../db/install-secret.ts';
import { parseDocument } from '../../parsers/detect.ts';
import { decodeReport, type ReportDocument } from '../../parsers/reading/decode.ts';
import type { Limits } from '../../parsers/reading/limits.ts';
import { ReportError } from '../../parsers/report.ts';
import { openPieces, type ReportPlace } from '../upload/waiting-report.ts';
import { prepareReport } from './identity.ts';
import { buffersOf } from './packed-findings.ts';
import type { PreparedReport } from './prepared-report.ts';

/** What the thread needs: the sealed report, and the keys that open it and that hash its secrets. */
interface Task {
  pieces: Uint8Array[];
  place: ReportPlace;
  reportKey: Uint8Array;
  secretKey: Uint8Array;
  format: string;
  limits: Limits;
}

/** `bytes`: of the report. */
type Outcome = { bytes: number } & (
  | { ok: true; report: PreparedReport }
  | { ok: false; error: { code: string; message: string; pointer: string | null; line: number | null } }
);

// The largest report that is let in (256 MB inflated) as one string and its objects; measured, with a reserve.
const maxHeapMb = 1536;
// Nearly all that a parser makes lives to its end: a small nursery would copy it over and over.
const youngHeapMb = 96;
// A parser is linear: what takes longer than this is a bug or an attack.
const maxMs = 120_000;

// A heap that has held more than a small report is not worth its memory while nothing comes.
const smallBytes = 4 * 1024 * 1024;
const idleMs = 5_000;

/** Opens and parses in a thread that has no other report. Throws ReportError for a report that cannot be taken. */
export async function parseInThread(
  pieces: Uint8Array[],
  place: ReportPlace,
  secret: InstallSecret,
  format: string,
  limits: Limits,
): Promise<PreparedReport> {
  const outcome = await ParserThread.run({
    pieces,
    place,
    reportKey: new Uint8Array(secret.key('report-encryption')),
    secretKey: new Uint8Array(secret.key('secret-identity')),
    format,
    limits,
  });
  if (outcome.ok) return outcome.report;
  const { code, message, pointer, line } = outcome.error;
  throw new ReportError(code as ReportError['code'], message, { pointer, line });
}

class ParserThread {
  /** Ready for the next report, each for a moment. They keep no process alive. */
  static readonly #idle = new Set<ParserThread>();

  readonly #thread: Worker;
  #task: { resolve: (outcome: Outcome) => void; reject: (error: Error) => void } | null = null;
  #timer: NodeJS.Timeout | null = null;

  /** In a thread that waits, else in a new one. */
  static run(task: Task): Promise<Outcome> {
    const [waiting = new ParserThread()] = ParserThread.#idle;
    ParserThread.#idle.delete(waiting);
    return waiting.#work(task);
  }

  private constructor() {
    this.#thread = new Worker(new URL(import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb, maxYoungGenerationSizeMb: youngHeapMb },
      // Nothing of the environment is a parser's business.
      env: {},
    });
    this.#thread.on('message', (outcome: Outcome) => this.#done(outcome));
    this.#thread.on('error', (error) => this.#ended(error));
    this.#thread.on('exit', () =>
      this.#ended(new ReportError('LIMIT_EXCEEDED', 'The report took too long to read.')),
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
    if (outcome.bytes <= smallBytes) {
      ParserThread.#idle.add(this);
      this.#thread.unref();
      this.#endAfter(idleMs);
    } else {
      this.#endAfter(0);
    }
    task?.resolve(outcome);
  }

  #ended(error: Error): void {
    if (this.#timer) clearTimeout(this.#timer);
    ParserThread.#idle.delete(this);
    const outOfMemory = (error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY';
    this.#task?.reject(
      outOfMemory
        ? new ReportError('LIMIT_EXCEEDED', `The report needs more than ${maxHeapMb} MB of memory.`)
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
  port.on('message', (task: Task) => {
    const outcome = run(task);
    const handedOver = outcome.ok ? outcome.report.runs.flatMap((each) => buffersOf(each.findings)) : [];
    port.postMessage(outcome, handedOver);
  });
}

function run({ pieces, place, reportKey, secretKey, format, limits }: Task): Outcome {
  let bytes = 0;
  // The bytes go with the end of this function: from then on a report is in memory as text alone.
  const decode = (): ReportDocument => {
    const opened = openPieces(pieces, place, Buffer.from(reportKey));
    bytes = opened.length;
    return decodeReport(opened, limits);
  };
  try {
    const report = parseDocument(decode(), { format, limits });
    return { ok: true, bytes, report: prepareReport(report, Buffer.from(secretKey)) };
  } catch (error) {
    if (!(error instanceof ReportError)) throw error;
    const { code, message, pointer, line } = error;
    return { ok: false, bytes, error: { code, message, pointer, line } };
  }
}
