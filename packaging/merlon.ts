/** The entry of `merlon` as one file. It is built to CommonJS, which has no `await` at the top. */
import { main } from '../cli/src/main.ts';

void main(process.argv.slice(2)).then((exitCode) => {
  process.exitCode = exitCode;
});
