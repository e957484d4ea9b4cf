/**
 * Runs a command line in this process, because a new process takes a second to load the program. Behaviour that only a
 * process shows (its exit, its signals, bytes, standard input) is tested with a process.
 */
export interface Here {
  /** The whole environment of the command, in addition to PATH and HOME. */
  env: Record<string, string>;
  cwd?: string;
}

/** Only text is kept of what the command prints, because bytes belong to the test runner. */
export async function runHere(
  main: (argv: string[]) => Promise<number>,
  argv: string[],
  { env, cwd = process.cwd() }: Here,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const printed = { stdout: '', stderr: '' };
  const kept = { stdout: process.stdout.write, stderr: process.stderr.write };
  const before = { env: { ...process.env }, cwd: process.cwd() };
  for (const name of ['stdout', 'stderr'] as const) {
    const write = kept[name].bind(process[name]) as (...given: unknown[]) => boolean;
    process[name].write = ((chunk: unknown, ...rest: unknown[]) => {
      if (typeof chunk !== 'string') return write(chunk, ...rest);
      printed[name] += chunk;
      return true;
    }) as typeof process.stdout.write;
  }
  const { PATH, HOME } = process.env;
  replaceEnvironment({ PATH, HOME, ...env });
  process.chdir(cwd);
  try {
    const code = await main(argv);
    return { code, ...printed };
  } finally {
    Object.assign(process.stdout, { write: kept.stdout });
    Object.assign(process.stderr, { write: kept.stderr });
    replaceEnvironment(before.env);
    process.chdir(before.cwd);
    process.exitCode = undefined;
  }
}

function replaceEnvironment(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) delete process.env[name];
  for (const [name, value] of Object.entries(env)) if (value !== undefined) process.env[name] = value;
}
