/** Reads a file in YAML or JSON. A mistake in the file becomes a DomainError. */
import { type ReadYaml, readYaml as readText, YamlError } from '@merlon/yaml';
import { describeMistakes } from './domain-error.ts';
import { invalidInput } from './errors.ts';

/** Throws DomainError with the mistakes and their positions. */
export function readYaml(file: string): ReadYaml {
  try {
    return readText(file);
  } catch (error) {
    throw error instanceof YamlError ? invalidInput(describeMistakes([error.message])) : error;
  }
}
