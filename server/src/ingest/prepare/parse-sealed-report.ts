/** Opens and parses a report: the work of the parser's thread. */
import type { Sentence } from '../../domain/sentence.ts';
import { parseDocument } from '../../parsers/parse-report.ts';
import { decodeReport, type ReportDocument } from '../../parsers/reading/decode.ts';
import type { Limits } from '../../parsers/reading/limits.ts';
import { ReportError } from '../../parsers/report.ts';
import { openReport, type ReportId, type SealedReport } from '../upload/waiting-report.ts';
import { prepareReport } from './prepare-report.ts';
import type { PreparedReport } from './prepared-report.ts';

/** The input of the thread: the sealed report, the key that opens it and the key that hashes its secrets. */
export interface Task {
  report: SealedReport;
  reportId: ReportId;
  reportKey: Uint8Array;
  secretKey: Uint8Array;
  format: string;
  limits: Limits;
}

/** `bytes` is the size of the report. */
export type Outcome = { bytes: number } & (
  | { ok: true; report: PreparedReport }
  | { ok: false; error: { code: string; message: Sentence; pointer: string | null; line: number | null } }
);

export function parseSealedReport(task: Task): Outcome {
  let bytes = 0;
  // The bytes are released at the end of this function, so that the report is in memory only as text.
  const decode = (): ReportDocument => {
    const body = openReport(task.report, task.reportId, Buffer.from(task.reportKey));
    bytes = body.length;
    return decodeReport(body, task.limits);
  };
  try {
    const report = prepareReport(parseDocument(decode(), task), Buffer.from(task.secretKey));
    return { ok: true, bytes, report };
  } catch (error) {
    if (!(error instanceof ReportError)) throw error;
    const { code, message, pointer, line } = error;
    return { ok: false, bytes, error: { code, message, pointer, line } };
  }
}
