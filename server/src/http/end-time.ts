/** `until`: the end of what somebody decides. */
import { validationFailed } from '../domain/errors.ts';
import { parseTime } from '../domain/time.ts';

/** Throws 422 on `until` for what is no time to come. */
export function parseUntil(text: string): Date {
  const time = read(text);
  if (time.getTime() <= Date.now()) throw validationFailed({ until: ['Must be in the future.'] });
  return time;
}

function read(text: string): Date {
  try {
    return parseTime(text);
  } catch (error) {
    throw validationFailed({ until: [(error as Error).message] });
  }
}
