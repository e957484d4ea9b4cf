/** Sends one report to the server. All attempts share one Idempotency-Key, so the report is accepted only once. */
import { randomUUID } from 'node:crypto';
import { type Answer, requestOf } from '@merlon/client';
import { CommandError } from '../failures.ts';
import { checkAnswer, notMerlon, type RetryClock, wholeAnswer, withRetries } from '../requests.ts';
import type { Session } from '../session.ts';
import type { UploadQuery } from './parameters.ts';
import type { ReportFile } from './report-file.ts';

export type SentScan = Answer<'listScans'>['items'][number];

// A connection that moves no bytes for this time is dead.
const stallMs = 120_000;

/** Throws CommandError or MerlonError if the report is not accepted. */
export async function sendReport(
  session: Pick<Session, 'baseUrl' | 'workspace' | 'request'>,
  report: ReportFile,
  parameters: UploadQuery,
  clock: RetryClock,
  onBytes: (bytes: number) => void = () => {},
): Promise<SentScan> {
  const request = requestOf('uploadScan', {
    path: { tenant_slug: session.workspace },
    query: { ...parameters, file_name: report.name?.slice(-255).toWellFormed() },
  });
  const headers = {
    ...request.headers,
    'content-type': 'application/octet-stream',
    'content-encoding': report.encoding,
    'idempotency-key': `merlon-cli-${randomUUID()}`,
  };
  const response = await withRetries(
    session.baseUrl,
    { failures: true, connections: true },
    clock,
    async () => {
      const stall = new AbortController();
      const timer = setTimeout(() => stall.abort(), stallMs);
      const open = report.open((bytes) => {
        timer.refresh();
        onBytes(bytes);
      });
      try {
        const answer = await session.request(request.address, {
          method: request.method,
          headers,
          body: open.body,
          duplex: 'half',
          // With other values for these two options, fetch keeps a second copy of the whole body.
          redirect: 'error',
          window: null,
          signal: stall.signal,
        });
        // An error may come before everything is sent. It must be read before the rest of the body is dropped.
        return await wholeAnswer(answer);
      } catch (error) {
        const failure = open.failure();
        throw failure === null ? error : new CommandError(`The report cannot be read: ${failure.message}.`);
      } finally {
        clearTimeout(timer);
        open.body.destroy();
      }
    },
  );
  const scan = (await (await checkAnswer(response, 'application/json')).json()) as SentScan | null;
  // Any other server may accept any request with JSON. Without a scan nothing has taken the report.
  if (typeof scan?.id !== 'string') throw notMerlon();
  return scan;
}
