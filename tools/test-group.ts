/**
 * Runs the test files of its arguments one after another in this process, each as one test, so that they share the loaded
 * and compiled server. The hooks of a file belong to its test: what it opens is closed before the next file is loaded.
 */
import { resolve } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { closeShared } from '../server/test/support/after-all-files.ts';

after(closeShared);

const [timeoutMs, ...files] = process.argv.slice(2);
for (const file of files) {
  test(file, { timeout: Number(timeoutMs) }, async () => {
    await import(pathToFileURL(resolve(file)).href);
  });
}
