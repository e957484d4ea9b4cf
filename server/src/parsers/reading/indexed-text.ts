/** The bound of texts from reports that are keys in the database. */
import { hash } from 'node:crypto';

/**
 * PostgreSQL takes entries of 2,704 bytes into an index. The longest keys are that of a VEX statement, with a package
 * and two names of a report, and that of a series, with a category, the name of a file and a tool.
 */
const maxIndexedBytes = 1024;

/** Returns the text, or its digest if it is too long for an index, because a cut text could be equal to another one. */
export function indexedText(text: string): string {
  return Buffer.byteLength(text) <= maxIndexedBytes ? text : hash('sha256', text);
}
