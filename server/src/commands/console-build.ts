/**
 * Builds the console's files before the server listens, if an install without scripts has not built them. A packaged
 * server already has them.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { consoleDirectory } from '../http/console-directory.ts';

/** Never throws: a server without a console still answers the API. */
export async function ensureConsole(say: (message: string) => void): Promise<void> {
  if (existsSync(join(consoleDirectory, 'index.html'))) return;
  say('building the console, once');
  if (!(await buildConsole())) say('the console could not be built: npm ci, and npm run build shows why');
}

/** False if the sources for a build are missing, or if the build failed. The reason is on standard error. */
export async function buildConsole(): Promise<boolean> {
  const root = dirname(consoleDirectory);
  const vite = findVite(root);
  if (vite === null) return false;
  const child = spawn(process.execPath, [vite, 'build', '--logLevel', 'error'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(1));
    child.once('exit', resolve);
  });
  return code === 0;
}

function findVite(root: string): string | null {
  try {
    const manifest = createRequire(join(root, 'package.json')).resolve('vite/package.json');
    return join(dirname(manifest), 'bin', 'vite.js');
  } catch {
    return null;
  }
}
