/** The real program as a process of its own, on its own data directory. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ownProgram = fileURLToPath(new URL('../../bin/merlond.js', import.meta.url));

/** A directory that PostgreSQL's own user can reach, inside the directory of the run, which is removed at its end. */
export function createDirectory(): string {
  const parent = process.env.TEST_DIRECTORY ?? tmpdir();
  const directory = join(parent, randomBytes(6).toString('hex'));
  mkdirSync(directory);
  chmodSync(directory, 0o711);
  return directory;
}

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Only what the program may read, so that a developer's own settings change no test. */
function environment(settings: Record<string, string>): NodeJS.ProcessEnv {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  return { PATH, HOME, NODE_COMPILE_CACHE, ...settings };
}

/** Runs one command to its end, in a process of its own. */
export async function merlond(
  args: string[],
  settings: Record<string, string>,
  input: string = '',
): Promise<Outcome> {
  const child = start(args, settings);
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  child.stdin?.end(input);
  const code = await exitOf(child);
  return { code, stdout, stderr };
}

/** `stdout` may be a file descriptor, and `program` that of another release. */
export function start(
  args: string[],
  settings: Record<string, string>,
  { stdout = 'pipe', program = ownProgram }: { stdout?: 'pipe' | number; program?: string } = {},
): ChildProcess {
  return spawn(process.execPath, [program, ...args], {
    env: environment(settings),
    stdio: ['pipe', stdout, 'pipe'],
  });
}

/** Resolves after its streams are closed. */
export async function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once('close', (code) => resolve(code)));
}

/** Resolves with the match as soon as the child writes it to either stream; throws if it ends before. */
export async function untilSays(child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  let text = '';
  return new Promise((resolve, reject) => {
    const look = (chunk: unknown): void => {
      text += String(chunk);
      const match = pattern.exec(text);
      if (match) resolve(match);
    };
    child.stdout?.on('data', look);
    child.stderr?.on('data', look);
    child.once('close', (code) => reject(new Error(`ended with ${code} before ${pattern}: ${text}`)));
  });
}
