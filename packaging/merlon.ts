/** The entry of `merlon` as one file. It is built to CommonJS, which has no `await` at the top. */
import { exitCodes } from '../cli/src/failures.ts';
import { main } from '../cli/src/main.ts';

let isDone = false;
process.on('exit', (exitCode) => {
  // A process that ends before its command is done has no result, and must not look like a success.
  if (isDone || exitCode !== 0) return;
  process.exitCode = exitCodes.noResult;
  process.stderr.write('merlon: The process ended before the command had a result. Run it again.\n');
});
void main(process.argv.slice(2)).then((exitCode) => {
  isDone = true;
  process.exitCode = exitCode;
});
