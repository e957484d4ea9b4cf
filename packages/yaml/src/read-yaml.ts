/**
 * Parses files in YAML or JSON within limits, because a person may put anything into them. It does not check the
 * meaning of a file.
 */
import { isPair, isScalar, LineCounter, parseDocument, type Scalar, visit } from 'yaml';
import { offsetOf } from './positions.ts';

// Aliases could expand to more than memory holds, and no real file needs a hundred.
const maxAliases = 100;
// A hand-written file has a few thousand lines. A file of this length is parsed in a second or two.
const defaultMaxLength = 1_000_000;
// One answer lists at most this many mistakes, because nobody fixes more at once.
const maxMistakes = 50;

export interface YamlMistake {
  message: string;
  /** The position counts from 1; it is null if the mistake is about the whole file. */
  at: { line: number; column: number } | null;
}

/** The text is not a document within the limits. The message has one line for each mistake. */
export class YamlError extends Error {
  readonly mistakes: YamlMistake[];

  constructor(mistakes: YamlMistake[]) {
    super(
      mistakes
        .map(({ message, at }) => (at ? `${message} at line ${at.line}, column ${at.column}.` : message))
        .join('\n'),
    );
    this.name = 'YamlError';
    this.mistakes = mistakes;
  }
}

export interface ReadYaml {
  value: unknown;
  /** Returns the line of a document path such as `condition.all[0].value`, or of its nearest parent. */
  lineOf: (path: string) => number;
}

export interface ReadOptions {
  maxLength?: number;
  /** Finite numbers below a key of this name are read as the text that the file has, such as `1.10`. */
  numbersAsTextBelow?: string;
}

/** Throws YamlError. */
export function readYaml(
  text: string,
  { maxLength = defaultMaxLength, numbersAsTextBelow }: ReadOptions = {},
): ReadYaml {
  if (text.length > maxLength) {
    throw new YamlError([
      {
        message: `The file must not be longer than ${maxLength.toLocaleString('en')} characters.`,
        at: null,
      },
    ]);
  }
  try {
    return parse(text, numbersAsTextBelow);
  } catch (error) {
    // An error of the parser is a mistake in the file, such as one that is nested too deep.
    throw error instanceof YamlError
      ? error
      : new YamlError([{ message: (error as Error).message, at: null }]);
  }
}

function parse(text: string, numbersAsTextBelow?: string): ReadYaml {
  const lines = new LineCounter();
  const at = (offset: number): YamlMistake['at'] => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  // These options are off, because the parser would compare all keys with each other and quote the lines of each
  // mistake.
  const document = parseDocument(text, {
    lineCounter: lines,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'error',
  });
  const mistakes: YamlMistake[] = document.errors
    .slice(0, maxMistakes)
    .map((error) => ({ message: error.message, at: at(error.pos[0]) }));
  let aliases = 0;
  visit(document, {
    Alias: () => {
      aliases++;
    },
    Scalar: (_, scalar, path) => {
      const isText = path.some(
        (node) => isPair(node) && isScalar(node.key) && node.key.value === numbersAsTextBelow,
      );
      if (isText && Number.isFinite(scalar.value)) scalar.value = scalar.source;
    },
    Map: (_, map) => {
      const seen = new Set<unknown>();
      for (const { key } of map.items) {
        const name = isScalar(key) ? key.value : undefined;
        if (name === undefined || !seen.has(name)) seen.add(name);
        else if (mistakes.length < maxMistakes) {
          const message = `The key ${String(name).slice(0, 80)} occurs twice`;
          mistakes.push({ message, at: at((key as Scalar).range?.[0] ?? 0) });
        }
      }
    },
  });
  if (aliases > maxAliases) {
    mistakes.unshift({ message: `The file must not have more than ${maxAliases} aliases.`, at: null });
  }
  if (mistakes.length > 0) throw new YamlError(mistakes);
  return {
    value: document.toJS({ maxAliasCount: maxAliases }),
    lineOf: (path) => lines.linePos(offsetOf(document, path)).line,
  };
}
