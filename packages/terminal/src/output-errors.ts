/** Standard output and standard error of a command line that are closed or full. */
import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { safeLine } from './safe-text.ts';

/**
 * An output that is closed or full must not end a process before it has stopped its work. A result that could not be
 * written makes the exit code `unwritten`, unless another fault has set it. A reader that stops early, such as `head`,
 * is no error.
 */
export function surviveOutputErrors(unwritten: number): void {
  exitCode = unwritten;
  process.stderr.off('error', ignore).on('error', ignore);
  process.stdout.off('error', recordUnwritten).on('error', recordUnwritten);
  // To Node a terminal or a pipe is a socket, and everything else a file.
  const output: Writable = process.stdout;
  if (!(output instanceof Socket)) output._write = writeToFile;
}

let exitCode = 0;

const ignore = (): void => {};

function recordUnwritten({ code, message }: NodeJS.ErrnoException): void {
  if (code === 'EPIPE') return;
  process.stderr.write(`${safeLine(`The output is not complete: ${message}`)}\n`);
  process.exitCode ||= exitCode;
}

// Node writes to a file once and ignores how much was written, so a full disk would cut the output off in silence.
function writeToFile(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
  try {
    for (let written = 0; written < chunk.length; ) written += writeSync(1, chunk, written);
    done();
  } catch (error) {
    done(error as Error);
  }
}
