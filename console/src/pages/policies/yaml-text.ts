/** Policies as YAML. The text looks hand-written, and parsing gives every mistake its line. */
import {
  Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type ParsedNode,
  parseDocument,
  visit,
} from 'yaml';
import type { PolicyDocument } from '../../api/policies.ts';
import { isObject } from './policy-document.ts';

// A longer list on one line is hard to read.
const shortList = 8;

export function writeYaml(document: PolicyDocument): string {
  const yaml = new Document(document, { aliasDuplicateObjects: false });
  visit(yaml, {
    Seq: (_, list) => {
      if (list.items.every((item) => isScalar(item))) list.flow = true;
    },
    Map: (key, map) => {
      const isSmall = map.items.every(
        ({ value }) =>
          isScalar(value) ||
          (isSeq(value) && value.items.length <= shortList && value.items.every((item) => isScalar(item))),
      );
      if (key !== null && isSmall) map.flow = true;
    },
  });
  return yaml.toString({ lineWidth: 0, singleQuote: true, flowCollectionPadding: false });
}

export interface YamlMistake {
  message: string;
  line: number;
}

export interface ReadYaml {
  /** Null if the text cannot be parsed. */
  document: PolicyDocument | null;
  mistakes: YamlMistake[];
  /** Gives the line of a document path such as `condition.all[0].value`, or of its nearest parent. */
  lineOf: (path: string) => number;
}

// A policy has a few dozen lines, and some thousand with a thousand rules.
const maxLength = 200_000;
const maxAliases = 100;

export function readYaml(text: string): ReadYaml {
  const unread = (message: string, line = 1): ReadYaml => ({
    document: null,
    mistakes: [{ message, line }],
    lineOf: () => 1,
  });
  if (text.length > maxLength)
    return unread(`Must not be longer than ${maxLength.toLocaleString()} characters.`);
  const lines = new LineCounter();
  const lineAt = (offset: number) => lines.linePos(offset).line;
  try {
    const yaml = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'error' });
    const mistakes = yaml.errors.map(({ message, pos }) => ({ message, line: lineAt(pos[0]) }));
    if (mistakes.length > 0) return { document: null, mistakes, lineOf: () => 1 };
    const value: unknown = yaml.toJS({ maxAliasCount: maxAliases });
    if (!isObject(value)) return unread('Must be one policy: key, target_type, enforcement_mode, condition.');
    if (Array.isArray(value.policies)) {
      return unread('Must be one policy. Files of several are for merlond policy apply.');
    }
    return {
      document: value,
      mistakes: [],
      lineOf: (path) => lineAt(offsetOf(yaml.contents, path, (alias) => alias.resolve(yaml) ?? null)),
    };
  } catch (error) {
    // The parser's errors are about the text, for example that it is nested too deep.
    return unread(error instanceof Error ? error.message : String(error));
  }
}

type Resolve = (alias: Extract<Node, { source: string; resolve: unknown }>) => Node | null;

function offsetOf(contents: ParsedNode | null, path: string, resolve: Resolve): number {
  let node: unknown = contents;
  let offset = contents?.range[0] ?? 0;
  for (const part of partsOf(path)) {
    if (isAlias(node)) node = resolve(node);
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
  return (node as { range?: [number, number, number] | null } | undefined)?.range?.[0];
}

// `condition.all[0].value` → condition, all, 0, value.
function partsOf(path: string): string[] {
  return path.split(/[.[\]]+/).filter((part) => part !== '');
}
