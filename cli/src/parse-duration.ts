/** Parses a waiting time from the command line. */
import { CommandError, exitCodes } from './failures.ts';

/** The default is about as long as a large report takes. */
export const defaultWaitSeconds = 300;

/** Reads the value of an option; throws CommandError. */
export function secondsOf(option: string): (text: string) => number {
  return (text) => {
    if (!/^\d{1,5}$/.test(text)) {
      throw new CommandError(
        `The option ${option} must be a number of seconds, not "${text}".`,
        exitCodes.usage,
      );
    }
    return Number(text);
  };
}
