/**
 * Files that people write, in YAML or JSON: read within bounds, whatever somebody has put into them. Knows nothing of what
 * they mean.
 */
import { isScalar, LineCounter, parseDocument, type Scalar, visit } from 'yaml';
import { DomainError } from './domain-error.ts';

// Aliases could unfold to more than memory holds; nobody needs a hundred.
const maxAliases = 100;
// What a person maintains has a few thousand lines; this is read in a second or two.
const maxLength = 1_000_000;
// Nobody mends more at once.
const maxProblems = 50;

/** The value of a YAML or JSON document. Throws DomainError with what is wrong, and where. */
export function readYaml(file: string): unknown {
  if (file.length > maxLength) throw invalid([`The file must not be longer than ${maxLength} characters.`]);
  try {
    return parse(file);
  } catch (error) {
    // What the parser throws is about the file, such as one that is nested too deep.
    throw error instanceof DomainError ? error : invalid([(error as Error).message]);
  }
}

function parse(file: string): unknown {
  const lines = new LineCounter();
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `at line ${line}, column ${col}`;
  };
  // The parser would compare each key with each, and show the surroundings of each mistake.
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
            `The key ${String(name).slice(0, 80)} stands twice ${at((key as Scalar).range?.[0] ?? 0)}`,
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
