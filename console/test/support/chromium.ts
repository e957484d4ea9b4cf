/**
 * Chromium for the browser tests: an installed one, else from the system's package manager if this user is root, else
 * Playwright's own download. It fails with advice. A test is never skipped because the browser is missing.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { afterAllFiles } from '../../../server/test/support/after-all-files.ts';

export type { Page } from 'playwright-core';

// The shell renders like Chromium, without windows around the pages, which take a third of the time.
const shell = 'chromium-headless-shell';
const names = [shell, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const paths = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

export function launchChromium(executablePath: string): Promise<Browser> {
  // One process draws all pages of a context, so that it compiles the console once.
  return chromium.launch({
    executablePath,
    args: ['--process-per-site', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  });
}

let shared: Promise<Browser> | null = null;

/** The browser of all test files of this process. It is closed after the last of them. */
export async function sharedChromium(): Promise<Browser> {
  const executablePath = process.env.TEST_CHROMIUM;
  if (!executablePath) throw new Error('run the tests by: node tools/test.ts [file…]');
  if (shared === null) {
    shared = launchChromium(executablePath);
    afterAllFiles(async () => (await shared)?.close());
  }
  return shared;
}

/** Returns the path of the executable, and installs one if there is none. Throws an error with advice. */
export function ensureChromium(): string {
  const found = findChromium();
  if (found) return found;
  install();
  const installed = findChromium();
  if (installed) return installed;
  throw new Error('no Chromium for the browser tests: install one, or name it in TEST_CHROMIUM');
}

function findChromium(): string | undefined {
  const named = process.env.TEST_CHROMIUM;
  if (named) return named;
  const onPath = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((directory) => names.map((name) => join(directory, name)));
  return [...onPath, ...paths, chromium.executablePath()].find((path) => path !== '' && existsSync(path));
}

function install(): void {
  const isRoot = process.getuid?.() === 0;
  if (isRoot && existsSync('/usr/bin/apt-get')) {
    run('apt-get', ['update', '-q']);
    const add = ['install', '-y', '-q', '--no-install-recommends'];
    if (run('apt-get', [...add, shell]) || run('apt-get', [...add, 'chromium'])) return;
  }
  run('npx', ['playwright-core', 'install', ...(isRoot ? ['--with-deps'] : []), 'chromium']);
}

function run(command: string, args: string[]): boolean {
  process.stderr.write(`no Chromium: ${command} ${args.join(' ')}\n`);
  return spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] }).status === 0;
}
