/** One report to the server: attempts under one Idempotency-Key, so that however often it is sent, it is taken once. */
import { randomUUID } from 'node:crypto';
import { type Answer, type Query, requestOf } from '@merlon/client';
import { CommandError } from '../failures.ts';
import { checkAnswer, type RetryClock, withRetries } from '../requests.ts';
import type { Session } from '../session.ts';
import type { ReportFile } from './report-file.ts';

export type SentScan = Answer<'listScans'>['items'][number];

// A line that moves nothing for so long is dead.
const stallMs = 120_000;

/** Throws CommandError or MerlonError where the report is not taken. */
export async function sendReport(
  session: Pick<Session, 'baseUrl' | 'workspace' | 'request'>,
  report: ReportFile,
  parameters: Record<string, string>,
  patience: RetryClock,
  onBytes: (bytes: number) => void = () => {},
): Promise<SentScan> {
  const request = requestOf('uploadScan', {
    path: { tenant_slug: session.workspace },
    // The server knows the allowed values, and says them.
    query: { ...(parameters as unknown as Query<'uploadScan'>), file_name: report.name?.slice(0, 255) },
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
    patience,
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
          // Anything else than these two, and fetch keeps a second copy of the whole body.
          redirect: 'error',
          window: null,
          signal: stall.signal,
        });
        // A refusal may come before all is sent: it has to be read before the rest of the body is let go.
        const text = await answer.text();
        return new Response(text === '' ? null : text, answer);
      } catch (error) {
        const failure = open.failure();
        throw failure === null ? error : new CommandError(`${report.file}: ${failure.message}`);
      } finally {
        clearTimeout(timer);
        open.body.destroy();
      }
    },
  );
  return (await (await checkAnswer(response, 'application/json')).json()) as SentScan;
}
