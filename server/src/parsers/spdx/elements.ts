/** The elements of an SPDX 3 graph: their ids, kinds and properties, however a tool abbreviates their names. */
import {
  arrayAt,
  asRecord,
  asString,
  field,
  type JsonRecord,
  recordAt,
  stringAt,
  stringsAt,
} from '../reading/json.ts';
import { readTimestamp } from '../reading/text.ts';
import type { ReportPackage } from '../report.ts';

export interface Element {
  /** `Package`, `Relationship`, `VexAffectedVulnAssessmentRelationship`, without the name of the profile. */
  kind: string;
  id: string | null;
  record: JsonRecord;
  pointer: string;
}

export interface GraphPackage {
  element: Element;
  /** Null for a package without a name. */
  named: ReportPackage | null;
  /** Its package URL as the document writes it. */
  purl: string | null;
  /** The document has a package URL that can be read. */
  isListed: boolean;
}

export function isGraph(json: unknown): boolean {
  return stringsAt(json, '@context').some((context) =>
    /^https?:\/\/spdx\.(?:org|github\.io)\//.test(context),
  );
}

/** Returns the elements of the graph. Drafts of the format put them into the document or the SBOM. */
export function elementsOf(json: unknown): Element[] {
  const elements: Element[] = [];
  const add = (row: unknown, pointer: string): void => {
    const record = asRecord(row);
    if (record === null) return;
    const type = stringsAt(record, 'type')[0] ?? stringsAt(record, '@type')[0] ?? '';
    elements.push({ kind: lastName(type), id: idOf(record), record, pointer });
    for (const [index, inner] of arrayAt(record, 'element').entries()) {
      if (asRecord(inner) !== null) add(inner, `${pointer}/element/${index}`);
    }
  };
  const graph = field(json, '@graph');
  if (!Array.isArray(graph)) add(json, '');
  else for (const [index, row] of graph.entries()) add(row, `/@graph/${index}`);
  return elements;
}

/** No address is longer. Ids are compared once for each relationship, so that longer ones are cut. */
const maxIdLength = 4096;

function idOf(value: unknown): string | null {
  const id = stringAt(value, 'spdxId') ?? stringAt(value, '@id') ?? asString(value);
  return id?.slice(0, maxIdLength) ?? null;
}

/** `software_Package`, `software:Package` and `https://spdx.org/rdf/3.0.1/terms/Software/Package` → `Package`. */
export function lastName(name: string): string {
  return /[^_:/#]*$/.exec(name.slice(-200))?.[0] ?? '';
}

/** Returns the ids that a property refers to, one or a list. The property may contain the whole elements. */
export function refsAt(record: JsonRecord, key: string): string[] {
  const found = field(record, key);
  const list = Array.isArray(found) ? found : [found];
  return list.map(idOf).filter((id) => id !== null);
}

/** Returns a property of a profile: `security_score`, also without the profile's name as in drafts of the format. */
export function propertyAt(record: JsonRecord, profile: string, name: string): string | null {
  return stringAt(record, `${profile}_${name}`) ?? stringAt(record, name);
}

/** Returns the times of creation according to the elements' creation records. */
export function creationTimes(elements: readonly Element[]): (element: Element) => string | null {
  const times = new Map<string, string | null>();
  for (const { kind, id, record } of elements) {
    if (kind === 'CreationInfo' && id !== null) times.set(id, readTimestamp(stringAt(record, 'created')));
  }
  return ({ record }) => {
    const inner = readTimestamp(stringAt(recordAt(record, 'creationInfo'), 'created'));
    return inner ?? times.get(stringAt(record, 'creationInfo') ?? '') ?? null;
  };
}

/** The identifiers of an element that have one of the types, in any case. */
export function externalIdentifiersOf(record: JsonRecord, types: readonly string[]): string[] {
  return ['externalIdentifier', 'externalIdentifiers'].flatMap((key) =>
    arrayAt(record, key)
      .filter((row) => types.includes(lastName(stringAt(row, 'externalIdentifierType') ?? '').toLowerCase()))
      .map((row) => stringAt(row, 'identifier'))
      .filter((identifier) => identifier !== null),
  );
}

export interface ExternalReference {
  type: string;
  locators: string[];
  comment: string | null;
  pointer: string;
}

export function referencesOf({ record, pointer }: Element): ExternalReference[] {
  return ['externalRef', 'externalRefs'].flatMap((key) =>
    arrayAt(record, key).map((row, index) => ({
      type: lastName(stringAt(row, 'externalRefType') ?? ''),
      locators: stringsAt(row, 'locator'),
      comment: stringAt(row, 'comment'),
      pointer: `${pointer}/${key}/${index}`,
    })),
  );
}
