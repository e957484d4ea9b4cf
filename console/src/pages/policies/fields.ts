/** The properties that each group of a policy's fields gets. */
import type { PolicyDocument } from '../../api/policies.ts';

export interface FieldsProps {
  document: PolicyDocument;
  change: (document: PolicyDocument) => void;
  /** Maps a document path to the mistake there. */
  problems: ReadonlyMap<string, string>;
}
