/** Runs PostgreSQL's programs in a clean environment, and reads their output. */
import { spawn } from 'node:child_process';
import type { RunUser } from './run-user.ts';

/** Runs a program to its end as the given user. */
export function runProgram(
  program: string,
  user: RunUser,
  args: string[],
): Promise<{ code: number | string; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd: '/',
      env: cleanEnvironment(),
      windowsHide: true,
      ...(user === undefined ? {} : { uid: user.uid, gid: user.gid }),
    });
    let output = '';
    const collect = (chunk: Buffer): void => {
      output += chunk.toString('utf8');
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code: code ?? String(signal), output }));
  });
}

/** The environment without the variables that change PostgreSQL's behaviour: PGPORT, library paths, languages. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(PG|LD_|DYLD_|LC_|LANG)/.test(name));
  return { ...Object.fromEntries(kept), LC_ALL: 'C' };
}

/** The last lines of what PostgreSQL printed, for an error message. */
export function lastLines(output: string): string {
  return output.trim().split('\n').slice(-12).join('\n');
}

/** True if PostgreSQL printed that the disk is full. */
export function saysDiskFull(output: string): boolean {
  return output.includes('No space left on device');
}
