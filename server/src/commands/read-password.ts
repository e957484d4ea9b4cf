/** Reads a password, a token or a secret address: from a pipe unchanged, from a terminal without showing it. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { CommandError } from './command-error.ts';

export async function readPassword(label: 'Password' | 'Token' | 'Address' = 'Password'): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).replace(/\r?\n$/, '');
  process.stderr.write(`${label}: `);
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: hidden, terminal: true });
  const ended = new AbortController();
  lines.once('close', () => ended.abort());
  try {
    return await lines.question('', { signal: ended.signal });
  } catch {
    throw new CommandError(
      `No ${label.toLowerCase()} was given: enter it, or write it to the standard input.`,
    );
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}
