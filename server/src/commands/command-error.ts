/** The exit codes of the operator's commands, and the error that ends one. */
import type { Sentence } from '../domain/sentence.ts';

export const exitCodes = {
  ok: 0,
  fault: 1,
  usage: 2,
  refused: 3,
  unreachable: 4,
  scanFailed: 5,
  leak: 6,
} as const;

/** Ends the command with a message on standard error. */
export class CommandError extends Error {
  declare readonly message: Sentence;
  readonly exitCode: number;

  constructor(message: Sentence, exitCode: number = exitCodes.refused) {
    super(message);
    this.name = 'CommandError';
    this.exitCode = exitCode;
  }
}
