/** The traces of a vulnerability: their steps stand in it, or in the pool of nodes at the end of the document. */
import { asInteger } from '../reading/json.ts';
import { maxPathLength } from '../reading/limits.ts';
import { attributeOf, childOf, childrenOf, textOf, type XmlElement } from '../reading/xml.ts';

export interface TraceNode {
  path: string | null;
  line: number | null;
  /** The event at this step: `println(0)`, `Variable: password`. */
  text: string | null;
  snippet: string | null;
}

/** A node, or the id of one in the pool. */
export interface TraceStep {
  node: TraceNode | null;
  reference: string | null;
  /** The location that Fortify shows for the vulnerability. */
  isDefault: boolean;
}

/** Returns the steps of the first trace. Further traces reach the same sink in other ways. */
export function traceOf(vulnerability: XmlElement): TraceStep[] {
  const unified = childOf(childOf(vulnerability, 'AnalysisInfo'), 'Unified');
  const entries = childrenOf(childOf(childOf(unified, 'Trace'), 'Primary'), 'Entry');
  return entries.flatMap((entry) => {
    const node = childOf(entry, 'Node');
    const reference = attributeOf(childOf(entry, 'NodeRef'), 'id');
    if (node === null && reference === null) return [];
    return {
      node: node === null ? null : traceNodeOf(node),
      reference,
      isDefault: attributeOf(node, 'isDefault') === 'true',
    };
  });
}

export function traceNodeOf(node: XmlElement): TraceNode {
  const source = childOf(node, 'SourceLocation');
  return {
    path: attributeOf(source, 'path')?.slice(0, maxPathLength) ?? null,
    line: asInteger(attributeOf(source, 'line'), 1),
    text: attributeOf(node, 'label') ?? textOf(node, 'Action'),
    snippet: attributeOf(source, 'snippet'),
  };
}
