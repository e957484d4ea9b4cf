/** The service as it is started by those who run it, `merlond serve`, in processes of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { settings } from '../server/src/config.ts';
import { databaseSettings } from './options.ts';

export interface ServeOptions {
  /** Processes that answer requests; as many as `serve` chooses by default. */
  processes?: number;
  /** Imports at once; 0 by default, as if imports ran elsewhere, and null for what `serve` chooses. */
  workers?: number | null;
}

export interface Served {
  url: string;
  /** The process that was started; others may be below it. */
  pid: number;
  stop(): Promise<void>;
}

// The setting is passed where this version of the service has it.
const processesSetting = 'MERLON_PROCESSES';
const hasProcesses = Object.values<{ name: string }>(settings).some(({ name }) => name === processesSetting);

/** Starts `serve` on the data directory, without limits and log. */
export async function startServer(dataDir: string, options: ServeOptions = {}): Promise<Served> {
  const { processes, workers = 0 } = options;
  const program = fileURLToPath(new URL('../server/bin/merlond.js', import.meta.url));
  const child = spawn(process.execPath, [program, 'serve', '--json'], {
    env: {
      PATH: process.env.PATH,
      ...databaseSettings(),
      MERLON_DATA_DIR: dataDir,
      MERLON_PORT: '0',
      MERLON_RATE_LIMIT_PER_MINUTE: '0',
      MERLON_UPLOADS_PER_MINUTE: '0',
      MERLON_LOG_LEVEL: 'silent',
      ...(workers === null ? {} : { MERLON_WORKERS: String(workers) }),
      ...(processes !== undefined && hasProcesses ? { [processesSetting]: String(processes) } : {}),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'exit');
  const said: string[] = [];
  const lines = createInterface({ input: child.stderr });
  const url = await new Promise<string>((resolve, reject) => {
    lines.on('line', (line) => {
      said.push(line);
      const [address] = /http:\/\/\S+/.exec(line) ?? [];
      if (address !== undefined) resolve(address);
    });
    ended.then(() => reject(new Error(`the server did not start: ${said.join('\n')}`)));
  });
  return {
    url,
    pid: Number(child.pid),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
