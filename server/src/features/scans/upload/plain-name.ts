/**
 * Names that are told with a report and shown wherever the scan is: on terminals, in logs, in CSV. They look as they
 * are: no control character moves the cursor, no override turns the text around.
 */

// The overrides, embeddings and isolates of Unicode's bidirectional algorithm; its plain marks are part of writing.
const misleading = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

export const plainNameRule = 'Must not contain control characters or such that turn the direction of text.';

export function isPlainName(text: string): boolean {
  return !misleading.test(text);
}

/** `org/name`; nested groups too. */
export function isRepositoryName(text: string): boolean {
  return /^[^/\s]+(?:\/[^/\s]+)+$/.test(text);
}
