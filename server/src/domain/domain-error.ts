/** The error by which the rules of the server refuse a request, and functions that build its text. */
import type { Sentence } from './sentence.ts';

/**
 * A request of the operator, or of a person in a session, that is not carried out: its input is `invalid`, something is
 * `missing`, or it is in `conflict` with existing data. The API and the operator's command line show the message
 * unchanged, so it tells that person what is wrong, where, and what to do.
 */
export class DomainError extends Error {
  declare readonly message: Sentence;
  readonly kind: 'invalid' | 'missing' | 'conflict';
  /** The option or field with the mistake; null if no field is wrong. */
  readonly field: string | null;

  constructor(kind: DomainError['kind'], message: Sentence, field: string | null = null) {
    super(message);
    this.name = 'DomainError';
    this.kind = kind;
    this.field = field;
  }
}

/** Does the work. The text of each DomainError begins with `context`, which says what was done with what. */
export async function withContext<T>(context: Sentence, work: () => Promise<T>): Promise<T> {
  return work().catch((error: unknown) => {
    if (!(error instanceof DomainError)) throw error;
    throw new DomainError(error.kind, `${context} ${error.message}`);
  });
}

/** Returns one text for all mistakes in a document that a person wrote, each on a line of its own. */
export function describeMistakes(mistakes: string[]): Sentence {
  return `The document has mistakes:\n${mistakes.join('\n')}\nCorrect them, and try again.`;
}
