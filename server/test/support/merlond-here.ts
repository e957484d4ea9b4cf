/** Runs one command of `merlond` in this process, with these settings alone. */
import { main } from '../../src/main.ts';
import { runHere } from './run-here.ts';

export const merlondHere = (args: string[], settings: Record<string, string>) =>
  runHere(main, args, { env: settings });
