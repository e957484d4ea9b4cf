/** Starts `merlond serve` in separate processes, as operators do. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { databaseSettings } from './options.ts';

export interface ServeOptions {
  /** The number of processes that answer requests. Without it, the default of `serve`. */
  processes?: number;
  /** The number of parallel imports. 0 by default, which disables imports; null for the default of `serve`. */
  workers?: number | null;
}

export interface RunningServer {
  url: string;
  /** The process id of the supervisor, whose child processes answer requests and import. */
  pid: number;
  stop(): Promise<void>;
}

/** Starts `serve` on the data directory, without rate limits and logs. */
export async function startServer(dataDir: string, options: ServeOptions = {}): Promise<RunningServer> {
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
      ...(processes === undefined ? {} : { MERLON_PROCESSES: String(processes) }),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'exit');
  const output: string[] = [];
  const lines = createInterface({ input: child.stderr });
  const url = await new Promise<string>((resolve, reject) => {
    lines.on('line', (line) => {
      output.push(line);
      const [address] = /http:\/\/\S+/.exec(line) ?? [];
      if (address !== undefined) resolve(address);
    });
    ended.then(() => reject(new Error(`the server did not start: ${output.join('\n')}`)));
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
