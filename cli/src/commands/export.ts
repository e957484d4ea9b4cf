/** `merlon export` streams every vulnerability of the workspace, or those of a list, into a file or a pipe. */
import { createWriteStream } from 'node:fs';
import { Readable, Transform, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { addressOf, queryValues } from '@merlon/client';
import { safeStream, writeWhole } from '@merlon/terminal';
import { type Command, Option } from 'commander';
import { CommandError, exitCodes } from '../failures.ts';
import { addFilterOptions, filtersOf } from '../filter-options.ts';
import { printJson, say } from '../output.ts';
import { checkAnswer, retryClock, withRetries } from '../requests.ts';
import { type GlobalOptions, openSession } from '../session.ts';

interface ExportOptions extends GlobalOptions {
  format: (typeof queryValues.exportVulnerabilities.format)[number];
  since?: string;
  out?: string;
}

export function addExportCommand(program: Command): void {
  const command = program
    .command('export')
    .description(
      'Export all vulnerabilities, those that have changed (--since), or those that match filters',
    );
  addFilterOptions(command);
  command
    .addOption(
      new Option('--format <format>', 'format')
        .choices(queryValues.exportVulnerabilities.format)
        .default('ndjson'),
    )
    .option('--since <cursor>', 'the cursor at the end of an earlier export')
    .option('--out <file>', 'file to write when the export is complete; default: standard output')
    .addHelpText(
      'after',
      '\nExamples:\n  merlon export --out vulnerabilities.ndjson\n  merlon export --format csv --state open --scope tracked --out open.csv',
    )
    .action(async (_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<ExportOptions>();
      const session = await openSession(options);
      const address = addressOf('exportVulnerabilities', {
        path: { tenant_slug: session.workspace },
        query: {
          ...filtersOf(options),
          format: options.format,
          since: options.since,
        },
      });
      const response = await checkAnswer(
        await withRetries(
          session.baseUrl,
          { failures: true, connections: false, streams: true },
          retryClock,
          () => session.request(address),
        ),
        null,
      );
      if (!response.body)
        throw new CommandError('The server sent nothing: try again.', exitCodes.unreachable);
      const body = Readable.fromWeb(response.body as ReadableStream);
      const cursor = options.out
        ? await writeWhole(options.out, (path, flags) =>
            receive(body, options.format, createWriteStream(path, { flags })),
          )
        : await receive(body, options.format, process.stdout);
      if (cursor !== null) say(`to export later changes, continue with: --since ${cursor}`);
      if (options.json && options.out) printJson({ out: options.out, format: options.format, cursor });
    });
}

// The last line of NDJSON holds only a cursor, or that a list is complete, and is shorter than this.
const tailBytes = 4096;

/**
 * Returns the cursor of the last line; null if there is none, as after a list. Throws if the body ended before that
 * line.
 */
async function receive(body: Readable, format: string, to: Writable): Promise<string | null> {
  let tail = Buffer.alloc(0);
  const keepTail = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      tail = Buffer.concat([tail, chunk]).subarray(-tailBytes);
      done(null, chunk);
    },
  });
  try {
    if (to === process.stdout)
      await pipeline(body, keepTail, safeStream(format !== 'csv'), to, { end: false });
    else await pipeline(body, keepTail, to);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // The reader of the pipe has closed it on purpose, for example `head`.
    if (code === 'EPIPE') return null;
    if (to.errored) throw new CommandError(`The export cannot be written: ${message}.`);
    throw new CommandError(
      'The connection was lost before the end of the export: try again.',
      exitCodes.unreachable,
    );
  }
  if (format !== 'ndjson') return null;
  const { cursor, complete } = lastLineOf(tail.toString());
  if (typeof cursor === 'string') return cursor;
  if (complete === true) return null;
  throw new CommandError('The export ended before its last line: try again.', exitCodes.unreachable);
}

function lastLineOf(tail: string): { cursor?: unknown; complete?: unknown } {
  try {
    return JSON.parse(tail.trimEnd().split('\n').at(-1) ?? '');
  } catch {
    return {};
  }
}
