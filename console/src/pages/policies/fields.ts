/** What each group of fields of a policy is given. */
import type { PolicyDocument } from '../../api/policies.ts';

export interface FieldsProps {
  document: PolicyDocument;
  change: (document: PolicyDocument) => void;
  /** Place in the document → what is wrong there. */
  problems: ReadonlyMap<string, string>;
}
