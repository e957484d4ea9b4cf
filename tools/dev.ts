/**
 * `npm run dev` runs the server and the console from their sources. The server restarts at each change. Vite serves the
 * console at http://localhost:5173 and proxies the server's addresses to it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const children: ChildProcess[] = [
  spawn(
    process.execPath,
    [
      ...['server/src', 'packages'].flatMap((path) => ['--watch-path', at(`../${path}`)]),
      at('../server/bin/merlond.js'),
      'serve',
    ],
    { stdio: 'inherit' },
  ),
  spawn(process.execPath, [at('../node_modules/vite/bin/vite.js')], {
    cwd: at('../console'),
    stdio: 'inherit',
  }),
];

let stopping = false;
const stop = (): void => {
  stopping = true;
  for (const child of children) child.kill('SIGTERM');
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
for (const child of children) {
  child.on('exit', (code) => {
    if (!stopping) process.exitCode = code ?? 1;
    stop();
  });
}
