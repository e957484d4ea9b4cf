/** Reads a file in YAML or JSON. A mistake in the file becomes a DomainError. */
import { type ReadOptions, type ReadYaml, readYaml as readText, YamlError } from '@merlon/yaml';
import { describeMistakes } from './domain-error.ts';
import { invalidInput } from './errors.ts';

/** Throws DomainError with the mistakes and their positions. */
export function readYaml(file: string, options?: ReadOptions): ReadYaml {
  try {
    return readText(file, options);
  } catch (error) {
    throw error instanceof YamlError ? invalidInput(describeMistakes([error.message])) : error;
  }
}
