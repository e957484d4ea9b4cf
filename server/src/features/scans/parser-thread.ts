/**
 * The parser's thread: bytes in, a prepared report out. A report that is too much for its memory ends the thread,
 * not the server. No secret leaves it (`identity.ts`).
 */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { parseReport } from './formats/detect.ts';
import { ReportError } from './formats/report.ts';
import { type PreparedReport, prepareReport } from './identity.ts';

interface Task {
  bytes: Uint8Array;
  format: string;
  secretKey: Uint8Array;
}

type Outcome =
  | { ok: true; report: PreparedReport }
  | { ok: false; error: { code: string; message: string; pointer: string | null; line: number | null } };

// The largest report that is let in (256 MB inflated) as one string and its objects; measured, with a reserve.
const maxHeapMb = 1536;
// A parser is linear: what takes longer than this is a bug or an attack.
const maxMs = 120_000;

/** Parses in a thread of its own. Throws ReportError for a report that cannot be taken. */
export async function parseInThread(
  bytes: Uint8Array,
  format: string,
  secretKey: Buffer,
): Promise<PreparedReport> {
  const copy = new Uint8Array(bytes);
  const task: Task = { bytes: copy, format, secretKey: new Uint8Array(secretKey) };
  const thread = new Worker(new URL(import.meta.url), {
    workerData: task,
    transferList: [copy.buffer],
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    // Nothing of the environment is a parser's business.
    env: {},
  });
  const timer = setTimeout(() => void thread.terminate(), maxMs);
  try {
    const outcome = await new Promise<Outcome>((resolve, reject) => {
      thread.once('message', resolve);
      thread.once('error', reject);
      thread.once('exit', () =>
        reject(new ReportError('LIMIT_EXCEEDED', 'The report took too long to read.')),
      );
    });
    if (outcome.ok) return outcome.report;
    const { code, message, pointer, line } = outcome.error;
    throw new ReportError(code as ReportError['code'], message, { pointer, line });
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY') {
      throw new ReportError('LIMIT_EXCEEDED', `The report needs more than ${maxHeapMb} MB of memory.`);
    }
    throw error;
  } finally {
    clearTimeout(timer);
    void thread.terminate();
  }
}

if (!isMainThread && parentPort) {
  parentPort.postMessage(run(workerData as Task));
}

function run({ bytes, format, secretKey }: Task): Outcome {
  try {
    const report = parseReport(bytes, format === 'auto' ? {} : { format });
    return { ok: true, report: prepareReport(report, Buffer.from(secretKey)) };
  } catch (error) {
    if (!(error instanceof ReportError)) throw error;
    const { code, message, pointer, line } = error;
    return { ok: false, error: { code, message, pointer, line } };
  }
}
