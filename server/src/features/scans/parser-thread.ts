/**
 * The parser's thread: bytes in, a prepared report out. A report that is too much for its memory ends the thread,
 * not the server. No secret leaves it (`identity.ts`).
 */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { InstallSecret } from '../../install-secret.ts';
import { parseReport } from './formats/detect.ts';
import type { Limits } from './formats/reading/limits.ts';
import { ReportError } from './formats/report.ts';
import { prepareReport } from './identity.ts';
import { buffersOf } from './packed-findings.ts';
import type { PreparedReport } from './prepared-report.ts';
import { openPieces, type ReportPlace } from './waiting-report.ts';

/** What the thread needs: the sealed report, and the keys that open it and that hash its secrets. */
interface Task {
  pieces: Uint8Array[];
  place: ReportPlace;
  reportKey: Uint8Array;
  secretKey: Uint8Array;
  format: string;
  limits: Limits;
}

type Outcome =
  | { ok: true; report: PreparedReport }
  | { ok: false; error: { code: string; message: string; pointer: string | null; line: number | null } };

// The largest report that is let in (256 MB inflated) as one string and its objects; measured, with a reserve.
const maxHeapMb = 1536;
// Nearly all that a parser makes lives to its end: a small nursery would copy it over and over.
const youngHeapMb = 96;
// A parser is linear: what takes longer than this is a bug or an attack.
const maxMs = 120_000;

/** Opens and parses in a thread of its own. Throws ReportError for a report that cannot be taken. */
export async function parseInThread(
  pieces: Uint8Array[],
  place: ReportPlace,
  secret: InstallSecret,
  format: string,
  limits: Limits,
): Promise<PreparedReport> {
  const task: Task = {
    pieces,
    place,
    reportKey: new Uint8Array(secret.key('report-encryption')),
    secretKey: new Uint8Array(secret.key('secret-identity')),
    format,
    limits,
  };
  const thread = new Worker(new URL(import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb, maxYoungGenerationSizeMb: youngHeapMb },
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
  const outcome = run(workerData as Task);
  const handedOver = outcome.ok ? outcome.report.runs.flatMap((each) => buffersOf(each.findings)) : [];
  parentPort.postMessage(outcome, handedOver);
}

function run({ pieces, place, reportKey, secretKey, format, limits }: Task): Outcome {
  const bytes = openPieces(pieces, place, Buffer.from(reportKey));
  try {
    return {
      ok: true,
      report: prepareReport(parseReport(bytes, { format, limits }), Buffer.from(secretKey)),
    };
  } catch (error) {
    if (!(error instanceof ReportError)) throw error;
    const { code, message, pointer, line } = error;
    return { ok: false, error: { code, message, pointer, line } };
  }
}
