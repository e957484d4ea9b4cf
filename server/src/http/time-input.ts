/** Times in parameters and bodies. */
import { validationFailed } from '../domain/errors.ts';
import { parseTime } from '../domain/time.ts';

/** Parses an RFC 3339 time. Throws 422 on `field`. */
export function readTime(field: string, text: string): Date {
  try {
    return parseTime(text);
  } catch (error) {
    throw validationFailed({ [field]: [(error as Error).message] });
  }
}
