/** Policies as YAML. The text looks hand-written, and parsing gives every mistake its line. */
import { readYaml as readText, YamlError, type YamlMistake as YamlMistakeAt } from '@merlon/yaml';
import { Document, isScalar, isSeq, visit } from 'yaml';
import type { PolicyDocument } from '../../api/policies.ts';
import { isObject } from '../../components/is-object.ts';

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
  /** Returns the line of a document path such as `condition.all[0].value`, or of its nearest parent. */
  lineOf: (path: string) => number;
}

// A policy has a few dozen lines, and some thousand with a thousand rules.
const maxLength = 200_000;

export function readYaml(text: string): ReadYaml {
  const unread = (mistakes: YamlMistake[]): ReadYaml => ({ document: null, mistakes, lineOf: () => 1 });
  try {
    const { value, lineOf } = readText(text, { maxLength });
    if (!isObject(value)) {
      return unread([
        { message: 'Must be one policy: key, target_type, enforcement_mode, condition.', line: 1 },
      ]);
    }
    if (Array.isArray(value.policies)) {
      return unread([
        { message: 'Must be one policy. For a file with several, use merlon policy apply.', line: 1 },
      ]);
    }
    return { document: value, mistakes: [], lineOf };
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    return unread(error.mistakes.map(mistakeOf));
  }
}

function mistakeOf({ message, at }: YamlMistakeAt): YamlMistake {
  return { message, line: at?.line ?? 1 };
}
