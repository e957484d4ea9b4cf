/**
 * `npm run dev`: the server and the console as their sources change. The server starts anew at each change; the console is
 * served by Vite at http://localhost:5173, which passes on to the server what the server answers.
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
