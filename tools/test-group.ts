/**
 * Runs the test files of its arguments one after another in this process, each as one test, so that they share the
 * loaded and compiled server. The hooks of a file belong to its test: what it opens is closed before the next file is
 * loaded.
 */
import { resolve } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { closeShared } from '../server/test/support/after-all-files.ts';

after(closeShared);

const [timeoutMs, ...files] = process.argv.slice(2);
// A file that is past its limit fails. If what it opened cannot be closed either, such as a connection whose statement
// does not end, the process would never end, and the run would wait for it.
const closingMs = 60_000;

let overdue: NodeJS.Timeout | undefined;
for (const file of files) {
  test(file, { timeout: Number(timeoutMs) }, async () => {
    clearTimeout(overdue);
    overdue = setTimeout(() => {
      process.stderr.write(`${file} is past its limit, and its process does not end by itself\n`);
      process.exit(1);
    }, Number(timeoutMs) + closingMs).unref();
    await import(pathToFileURL(resolve(file)).href);
  });
}
