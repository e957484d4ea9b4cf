/**
 * The list of sources in an archive: the files in which each component was found. Components are known by the ids of
 * project, version and origin, which all files of an archive share.
 */
import { readCsv, readCsvHeader } from '../reading/csv.ts';
import { type JsonRecord, stringAt } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { repositoryPath } from '../reading/paths.ts';

/** A component of thousands of files is one problem, and a person needs to see only some of them. */
const maxPaths = 50;

export function isSourceCsv(text: string): boolean {
  const header = readCsvHeader(text)?.header ?? [];
  return header.includes('path') && (header.includes('component id') || header.includes('project id'));
}

/** Returns the ids that name a component in all files of an archive; null if the row does not name one. */
export function componentIds(row: JsonRecord): string | null {
  const component = stringAt(row, 'component id') ?? stringAt(row, 'project id');
  if (component === null) return null;
  const origin = stringAt(row, 'origin id') ?? stringAt(row, 'channel version id');
  return JSON.stringify([component, stringAt(row, 'version id'), origin]);
}

export class SourcePaths {
  readonly #paths = new Map<string, Set<string>>();
  /** The files of the components that were asked for, in order. */
  readonly #shown = new Map<string, string[]>();

  get size(): number {
    return this.#paths.size;
  }

  add(text: string, context: ParseContext): void {
    readCsv(text, context, (row) => {
      const ids = componentIds(row);
      if (ids === null) return;
      const known = this.#paths.get(ids) ?? new Set();
      this.#paths.set(ids, known);
      const path = pathOf(row);
      if (path !== null) known.add(path);
    });
  }

  /** Returns the files of a component in order; none if the archive does not say where it is. */
  of(ids: string | null, context: ParseContext): string[] {
    const known = ids === null ? undefined : this.#paths.get(ids);
    if (ids === null || known === undefined) return [];
    const shown = this.#shown.get(ids) ?? [...known].sort().slice(0, maxPaths);
    this.#shown.set(ids, shown);
    if (known.size > maxPaths)
      context.warn(`Of components in more than ${maxPaths} files, ${maxPaths} are shown.`);
    return shown;
  }
}

/** `/WEB-INF/plugins/saml.hpi!/` is the archive that a file is in. */
function pathOf(row: JsonRecord): string | null {
  const path = stringAt(row, 'path');
  if (path === null) return null;
  const archive = stringAt(row, 'archive context') ?? '';
  return repositoryPath(`${archive}/${path}`);
}
