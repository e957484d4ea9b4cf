/** Runs the programs of this folder that need a separate process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

interface ProgramOptions {
  /** Options of Node. */
  flags?: readonly string[];
  env?: NodeJS.ProcessEnv;
  started?: (processId: number) => void;
  /** When this promise settles, the input of the program ends. Without it there is no input. */
  inputUntil?: Promise<unknown>;
}

/** Returns the JSON that the program prints. Throws if the program fails. */
export async function runProgram<T>(
  name: string,
  args: readonly string[],
  { flags = [], env = {}, started, inputUntil }: ProgramOptions = {},
): Promise<T> {
  const program = fileURLToPath(new URL(name, import.meta.url));
  const child = spawn(process.execPath, [...flags, program, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  const endInput = (): unknown => child.stdin.end();
  if (inputUntil === undefined) endInput();
  else void inputUntil.then(endInput, endInput);
  started?.(Number(child.pid));
  const pieces: Buffer[] = [];
  child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${name} ended with ${code}`);
  return JSON.parse(Buffer.concat(pieces).toString()) as T;
}
