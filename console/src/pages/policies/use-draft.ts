/** A policy that is being written: as fields and as YAML, each of which follows the other. */
import { useMemo, useState } from 'react';
import type { PolicyDocument } from '../../api/policies.ts';
import { type ReadYaml, readYaml, writeYaml } from './yaml-text.ts';

export interface Draft {
  text: string;
  /** As last read: while the YAML cannot be read it stays as it was. */
  document: PolicyDocument;
  read: ReadYaml;
  setText: (text: string) => void;
  /** From the fields: the YAML is written anew. */
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
