/** Reads a file in YAML or JSON. A mistake in the file becomes a DomainError. */
import { type ReadYaml, readYaml as readText, YamlError } from '@merlon/yaml';
import { DomainError, describeMistakes } from './domain-error.ts';

/** Throws DomainError with the mistakes and their positions. */
export function readYaml(file: string): ReadYaml {
  try {
    return readText(file);
  } catch (error) {
    throw error instanceof YamlError ? new DomainError('invalid', describeMistakes([error.message])) : error;
  }
}
