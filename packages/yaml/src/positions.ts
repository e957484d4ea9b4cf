/** Finds the position of a part of a document. */
import { type Document, isAlias, isMap, isScalar, isSeq, type ParsedNode } from 'yaml';

/** Returns the offset of a document path such as `condition.all[0].value`, or of its nearest parent. */
export function offsetOf(document: Document.Parsed, path: string): number {
  let node: unknown = document.contents as ParsedNode | null;
  let offset = startOf(node) ?? 0;
  for (const part of partsOf(path)) {
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === part);
      if (!pair) break;
      offset = startOf(pair.key) ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(part)];
      const start = startOf(node);
      if (start === undefined) break;
      offset = start;
    } else break;
  }
  return offset;
}

function startOf(node: unknown): number | undefined {
  return (node as { range?: [number, number, number] | null } | null | undefined)?.range?.[0];
}

// `condition.all[0].value` → condition, all, 0, value.
function partsOf(path: string): string[] {
  return path.split(/[.[\]]+/).filter((part) => part !== '');
}
