/**
 * Reads files in YAML or JSON within limits, because a person may put anything into them. This module knows nothing
 * about the meaning of a file.
 */
import { isScalar, LineCounter, parseDocument, type Scalar, visit } from 'yaml';
import { DomainError } from './domain-error.ts';

// Aliases could unfold to more than memory holds, and no real file needs a hundred.
const maxAliases = 100;
// A file that a person maintains has a few thousand lines; one of this length is read in a second or two.
const maxLength = 1_000_000;
// One answer lists so many mistakes at most, because nobody fixes more at once.
const maxProblems = 50;

/** Returns the value of a YAML or JSON document. Throws DomainError with the mistakes and their positions. */
export function readYaml(file: string): unknown {
  if (file.length > maxLength) throw invalid([`The file must not be longer than ${maxLength} characters.`]);
  try {
    return parse(file);
  } catch (error) {
    // An error of the parser is a mistake of the file, such as one that is nested too deep.
    throw error instanceof DomainError ? error : invalid([(error as Error).message]);
  }
}

function parse(file: string): unknown {
  const lines = new LineCounter();
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `at line ${line}, column ${col}`;
  };
  // These options are off, as the parser would compare all keys with each other and quote the lines of each mistake.
  const document = parseDocument(file, {
    lineCounter: lines,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'error',
  });
  const mistakes = document.errors
    .slice(0, maxProblems)
    .map((error) => `${error.message} ${at(error.pos[0])}`);
  let aliases = 0;
  visit(document, {
    Alias: () => {
      aliases++;
    },
    Map: (_, map) => {
      const seen = new Set<unknown>();
      for (const { key } of map.items) {
        const name = isScalar(key) ? key.value : undefined;
        if (name === undefined || !seen.has(name)) seen.add(name);
        else if (mistakes.length < maxProblems) {
          mistakes.push(
            `The key ${String(name).slice(0, 80)} occurs twice ${at((key as Scalar).range?.[0] ?? 0)}`,
          );
        }
      }
    },
  });
  if (aliases > maxAliases) mistakes.unshift(`The file must not have more than ${maxAliases} aliases.`);
  if (mistakes.length > 0) throw invalid(mistakes);
  return document.toJS({ maxAliasCount: maxAliases });
}

function invalid(problems: string[]): DomainError {
  return new DomainError('invalid', problems.join('\n'));
}
