/** A draft of a policy as fields and as YAML. Each follows the other. */
import { useMemo, useState } from 'react';
import type { PolicyDocument } from '../../api/policies.ts';
import { type ReadYaml, readYaml, writeYaml } from './yaml-text.ts';

export interface Draft {
  text: string;
  /** The document as last parsed. It stays the same while the YAML cannot be parsed. */
  document: PolicyDocument;
  read: ReadYaml;
  setText: (text: string) => void;
  /** The fields call this, and the YAML is written again. */
  change: (document: PolicyDocument) => void;
}

export function useDraft(initial: PolicyDocument): Draft {
  const [state, setState] = useState(() => ({ text: writeYaml(initial), document: initial }));
  const read = useMemo(() => readYaml(state.text), [state.text]);
  return {
    ...state,
    read,
    setText: (text) => setState((before) => ({ text, document: readYaml(text).document ?? before.document })),
    change: (document) => setState({ text: writeYaml(document), document }),
  };
}
