/** What a Refusal is to a caller of the API. */
import { resourceNotFound, validationFailed } from '../domain/errors.ts';
import { Refusal } from '../domain/refusal.ts';

/** Runs `work`; throws 404 for what it says is missing, and 422 on the field for what is invalid or taken. */
export async function told<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.kind === 'missing') throw resourceNotFound();
    throw validationFailed({ [error.field ?? 'body']: [sentence(error.message)] });
  }
}

// At the command line it stands behind the name of the program; here it is one of several sentences.
function sentence(message: string): string {
  const begun = /^[a-z]+ /.test(message) ? message.charAt(0).toUpperCase() + message.slice(1) : message;
  return begun.endsWith('.') ? begun : `${begun}.`;
}
