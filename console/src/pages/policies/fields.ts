/** The shared parts of a policy's fields: their properties, and the choices of a field. */
import type { PolicyDocument } from '../../api/policies.ts';

export interface FieldsProps {
  document: PolicyDocument;
  change: (document: PolicyDocument) => void;
  /** Maps a document path to the mistake there. */
  problems: ReadonlyMap<string, string>;
}

/** Adds the written value to the choices, even if it is not a valid one. */
export function withWritten(choices: { value: string; label: string }[], written: string, label = written) {
  if (choices.some(({ value }) => value === written)) return choices;
  return [{ value: written, label: written === '' ? 'Choose…' : label }, ...choices];
}
