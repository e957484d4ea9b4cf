// Keeps compiled code in the data directory, if the directory exists. The next start then compiles neither TypeScript
// nor JavaScript, so it is faster, and each process is smaller. Processes of `serve` find the directory in the
// environment. This runs before any TypeScript is loaded, so it is plain JavaScript. A Node that is too old links this
// file before it is refused, so the file imports no name that such a Node lacks.
import { statSync } from 'node:fs';
import module from 'node:module';
import { resolve } from 'node:path';

const dataDir = resolve(process.env.MERLON_DATA_DIR || './data');
const found = statSync(dataDir, { throwIfNoEntry: false });
// A user who can write there controls the code of this process, so only its own user may have write access.
const isOwn = found?.isDirectory() && found.uid === process.geteuid?.() && (found.mode & 0o022) === 0;
if (isOwn && !process.env.NODE_COMPILE_CACHE) {
  const directory = resolve(dataDir, 'compiled');
  module.enableCompileCache(directory);
  process.env.NODE_COMPILE_CACHE = directory;
}
