/** Opens and parses a report: the work of the parser's thread. */
import type { Sentence } from '../../domain/sentence.ts';
import { parseDocument } from '../../parsers/detect.ts';
import { decodeReport, type ReportDocument } from '../../parsers/reading/decode.ts';
import type { Limits } from '../../parsers/reading/limits.ts';
import { ReportError } from '../../parsers/report.ts';
import { openReport, type ReportId, type SealedReport } from '../upload/waiting-report.ts';
import { prepareReport } from './prepare-report.ts';
import type { PreparedReport } from './prepared-report.ts';

/** The input of the thread: the sealed report, the key that opens it and the key that hashes its secrets. */
export interface Task {
  sealed: SealedReport;
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

export function parseSealedReport({ sealed, reportId, reportKey, secretKey, format, limits }: Task): Outcome {
  let bytes = 0;
  // The bytes are released at the end of this function, so that the report is in memory only as text.
  const decode = (): ReportDocument => {
    const opened = openReport(sealed, reportId, Buffer.from(reportKey));
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
