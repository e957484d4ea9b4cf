/**
 * The location of a SARIF result: path, line, the code there, and the names there. It must never read a file, because
 * everything comes from the report.
 */
import { arrayAt, asRecord, field, integerAt, type JsonRecord, recordAt, stringAt } from '../reading/json.ts';
import { maxDescriptionLength } from '../reading/limits.ts';
import { type BaseUris, pathOfUri, resolveBases } from '../reading/paths.ts';

export interface SarifLocation {
  path: string | null;
  /** The URI as in the report, to compare it with the name of a scanned image. */
  uri: string | null;
  line: number | null;
  endLine: number | null;
  /** The code, which may hold a secret. */
  code: string | null;
  /** The code with the secret that was removed from `code`; null if none was. */
  rawCode: string | null;
  /** The raw lines around the location, if the report has them. */
  context: string | null;
  /** The first line of `context`; null if the report does not have it. */
  contextLine: number | null;
  /** Fully qualified names of functions, resources or packages. */
  names: string[];
  /** The run's own record of the file. */
  artifact: JsonRecord | null;
}

const nowhere: SarifLocation = {
  path: null,
  uri: null,
  line: null,
  endLine: null,
  code: null,
  rawCode: null,
  context: null,
  contextLine: null,
  names: [],
  artifact: null,
};

/** More locations of one result than a person looks at. */
const maxLocations = 100;

function byPathAndLine(a: SarifLocation, b: SarifLocation): number {
  const [left, right] = [a.path ?? '', b.path ?? ''];
  return left < right ? -1 : left > right ? 1 : (a.line ?? 0) - (b.line ?? 0);
}

const none: ReadonlyMap<string, string> = new Map();

export class Locations {
  readonly #artifacts: readonly unknown[];
  readonly #logical: readonly unknown[];
  readonly #bases: BaseUris;
  /** The base's id → URI → path. Tools repeat a few paths thousands of times, so the paths are cached. */
  readonly #paths = new Map<string | null, Map<string, string | null>>();

  constructor(run: JsonRecord) {
    this.#artifacts = arrayAt(run, 'artifacts');
    this.#logical = arrayAt(run, 'logicalLocations');
    const table = new Map<string, { uri: string | null; uriBaseId: string | null }>();
    for (const [name, base] of Object.entries(recordAt(run, 'originalUriBaseIds') ?? {}).slice(0, 100)) {
      table.set(name, { uri: stringAt(base, 'uri'), uriBaseId: stringAt(base, 'uriBaseId') });
    }
    this.#bases = resolveBases(table);
  }

  /** Returns the first location that names a file, else the first that names anything. */
  of(result: JsonRecord): SarifLocation {
    const locations = arrayAt(result, 'locations');
    const first =
      locations.find((location) => recordAt(location, 'physicalLocation') !== null) ?? locations[0];
    return this.at(first);
  }

  /**
   * Gives all locations that name a file, each once and in order of path and line, at most `maxLocations` and at least
   * one. The first of them is the one to show.
   */
  all(result: JsonRecord): [SarifLocation, ...SarifLocation[]] {
    const locations = arrayAt(result, 'locations');
    if (locations.length < 2) return [this.at(locations[0])];
    const physical = locations.filter((location) => recordAt(location, 'physicalLocation') !== null);
    const found = new Map<string, SarifLocation>();
    for (const row of physical.length > 1 ? physical : []) {
      const location = this.at(row);
      if (location.path !== null)
        found.set(JSON.stringify([location.path, location.line, location.code]), location);
    }
    const [first, ...others] = [...found.values()].sort(byPathAndLine).slice(0, maxLocations);
    return first === undefined ? [this.of(result)] : [first, ...others];
  }

  /** Returns the related locations that a message may link to: number → `path:line`. */
  related(result: JsonRecord): ReadonlyMap<string, string> {
    const rows = arrayAt(result, 'relatedLocations');
    if (rows.length === 0) return none;
    const found = new Map<string, string>();
    for (const row of rows.slice(0, maxLocations)) {
      const id = integerAt(row, 'id', 0);
      const { path, line } = this.at(row);
      if (id !== null && path !== null) found.set(String(id), line === null ? path : `${path}:${line}`);
    }
    return found;
  }

  /** Reads one location object of SARIF. */
  at(location: unknown): SarifLocation {
    if (asRecord(location) === null) return nowhere;
    const physical = recordAt(location, 'physicalLocation');
    const region = recordAt(physical, 'region');
    const around = recordAt(physical, 'contextRegion');
    const { path, uri, artifact } = this.#file(recordAt(physical, 'artifactLocation'));
    const context = snippetOf(around);
    return {
      path,
      uri,
      line: integerAt(region, 'startLine', 1),
      endLine: integerAt(region, 'endLine', 1),
      rawCode: null,
      code: snippetOf(region) ?? linesOf(context, region, around),
      context,
      contextLine: context === null ? null : integerAt(around, 'startLine', 1),
      names: this.#names(location),
      artifact,
    };
  }

  #file(location: JsonRecord | null): Pick<SarifLocation, 'path' | 'uri' | 'artifact'> {
    const index = integerAt(location, 'index', 0);
    const artifact = index === null ? null : asRecord(this.#artifacts[index]);
    const indexed = recordAt(artifact, 'location');
    const own = stringAt(location, 'uri');
    const uri = own ?? stringAt(indexed, 'uri');
    if (uri === null) return { path: null, uri: null, artifact };
    const baseId = stringAt(own === null ? indexed : location, 'uriBaseId');
    return { path: this.#pathOf(uri, baseId), uri, artifact };
  }

  #pathOf(uri: string, baseId: string | null): string | null {
    const paths = this.#paths.get(baseId) ?? new Map<string, string | null>();
    if (paths.size === 0) this.#paths.set(baseId, paths);
    let path = paths.get(uri);
    if (path === undefined) {
      path = pathOfUri(uri, baseId, this.#bases);
      paths.set(uri, path);
    }
    return path;
  }

  #names(location: unknown): string[] {
    const names: string[] = [];
    for (const logical of arrayAt(location, 'logicalLocations').slice(0, 20)) {
      const index = integerAt(logical, 'index', 0);
      const shared = index === null ? null : this.#logical[index];
      const name =
        stringAt(logical, 'fullyQualifiedName') ??
        stringAt(shared, 'fullyQualifiedName') ??
        stringAt(logical, 'name') ??
        stringAt(shared, 'name');
      if (name !== null) names.push(name);
    }
    return names;
  }
}

function snippetOf(region: JsonRecord | null): string | null {
  const text = stringAt(recordAt(region, 'snippet'), 'text');
  // Semgrep without a login writes this instead of the code.
  return text === null || text.trim() === 'requires login' ? null : text;
}

/** Returns the region's own lines out of the surrounding ones, or all of them if the numbers do not fit. */
function linesOf(
  context: string | null,
  region: JsonRecord | null,
  around: JsonRecord | null,
): string | null {
  if (context === null) return null;
  const start = integerAt(region, 'startLine', 1);
  const first = integerAt(around, 'startLine', 1);
  if (start === null || first === null || start < first) return context;
  const end = integerAt(region, 'endLine', start) ?? start;
  const lines = context.split('\n').slice(start - first, end - first + 1);
  return lines.length === 0 ? context : lines.join('\n');
}

/**
 * Gives the text of a SARIF message: its own text, or the rule's string with its id. `{0}` is filled in. `related` has
 * the names of related locations by their number. A text that is filled in is cut, because many results may have one
 * string.
 */
export function messageText(
  message: unknown,
  strings: readonly (JsonRecord | null)[],
  related: ReadonlyMap<string, string> = none,
): string | null {
  const id = stringAt(message, 'id');
  const direct = typeof message === 'string' ? message : stringAt(message, 'text');
  const template = direct ?? (id === null ? null : stringOf(id, strings)) ?? stringAt(message, 'markdown');
  if (template === null) return null;
  const parameters = arrayAt(message, 'arguments');
  if (parameters.length === 0 || !/[{}]/.test(template)) return withoutLinks(template, related);
  // A short template may repeat a long argument many times, and a long one may have a short argument in many results.
  let room = maxDescriptionLength;
  const filled = template
    .slice(0, maxDescriptionLength)
    .replace(/\{\{|\}\}|\{([0-9]{1,4})\}/g, (found, index: string | undefined) => {
      if (index === undefined) return found.slice(0, 1);
      const parameter = parameters[Number(index)];
      const text = typeof parameter === 'string' ? parameter : found;
      room -= text.length;
      return room < 0 ? '…' : text;
    });
  return withoutLinks(filled, related);
}

/** `[the name](1)` links to a related location by its number: the name is kept, with the location where it is known. */
function withoutLinks(text: string, related: ReadonlyMap<string, string>): string {
  if (!text.includes('](')) return text;
  let room = maxDescriptionLength;
  return text
    .slice(0, maxDescriptionLength)
    .replace(/\[([^[\]\n]{0,300})\]\(([0-9]{1,6})\)/g, (_link, name: string, id: string) => {
      const location = related.get(id);
      room -= location?.length ?? 0;
      return location === undefined || room < 0 ? name : `${name} (${location})`;
    });
}

function stringOf(id: string, strings: readonly (JsonRecord | null)[]): string | null {
  for (const table of strings) {
    const entry = field(table, id);
    const text = stringAt(entry, 'text') ?? stringAt(entry, 'markdown');
    if (text !== null) return text;
  }
  return null;
}
