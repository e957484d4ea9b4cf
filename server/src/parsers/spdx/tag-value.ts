/**
 * The tag-value encoding of SPDX 2, and turns it into the shape of the JSON. It must never read what packages and
 * relationships mean.
 */
import type { JsonRecord } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';

/** Comments may come before the first tag, which names the version. */
export function isTagValue(text: string): boolean {
  return /^(?:\s|#.*\n)*SPDXVersion:/.test(text.slice(0, 65_536));
}

/** The fields of a package that the JSON has under another name. */
const packageFields: ReadonlyMap<string, string> = new Map([
  ['PackageVersion', 'versionInfo'],
  ['PackageLicenseDeclared', 'licenseDeclared'],
  ['PackageLicenseConcluded', 'licenseConcluded'],
  ['PrimaryPackagePurpose', 'primaryPackagePurpose'],
]);

/** These tags begin something that is no package, so that an id after them is not the package's. */
const otherSections: ReadonlySet<string> = new Set(['FileName', 'SnippetSPDXID', 'LicenseID']);

interface Fields {
  [field: string]: unknown;
  SPDXID?: string;
  spdxVersion?: string;
  name?: string;
  creationInfo?: JsonRecord;
}

export function documentOfTagValue(text: string, context: ParseContext): JsonRecord {
  const document: Fields = {};
  const packages: Fields[] = [];
  const relationships: Fields[] = [];
  let references: Fields[] = [];
  let section: Fields | null = document;
  const keep = (list: Fields[], fields: Fields, line: number): void => {
    context.addElement(line);
    list.push(fields);
  };
  for (const { tag, value, line } of tagsOf(text)) {
    const field = packageFields.get(tag);
    if (tag === 'PackageName') {
      references = [];
      section = { name: value, externalRefs: references };
      keep(packages, section, line);
    } else if (otherSections.has(tag)) {
      section = null;
    } else if (tag === 'SPDXID' && section !== null) {
      section.SPDXID = value;
    } else if (field !== undefined && section !== null && section !== document) {
      section[field] = value;
    } else if (tag === 'ExternalRef') {
      const [referenceCategory, referenceType, ...locator] = value.split(/\s+/);
      keep(references, { referenceCategory, referenceType, referenceLocator: locator.join(' ') }, line);
    } else if (tag === 'ExternalRefComment') {
      Object.assign(references.at(-1) ?? {}, { comment: value });
    } else if (tag === 'Relationship') {
      const [spdxElementId, relationshipType, relatedSpdxElement] = value.split(/\s+/, 3);
      keep(relationships, { spdxElementId, relationshipType, relatedSpdxElement }, line);
    } else if (tag === 'SPDXVersion') {
      document.spdxVersion ??= value;
    } else if (tag === 'DocumentName') {
      document.name ??= value;
    } else if (tag === 'Created') {
      document.creationInfo ??= { created: value };
    }
  }
  return { ...document, packages, relationships };
}

interface Tag {
  tag: string;
  value: string;
  /** The number of its first line, from 1. */
  line: number;
}

const open = '<text>';
const close = '</text>';

/** Returns the tags in their order. A value between `<text>` and `</text>` may have several lines. */
function* tagsOf(text: string): Generator<Tag> {
  const lastClose = text.lastIndexOf(close);
  let line = 1;
  for (let at = 0; at < text.length; ) {
    const lineEnd = endOfLine(text, at);
    const [head, tag = '', value = ''] =
      /^([A-Za-z][A-Za-z0-9]*):[ \t]*(.*)$/s.exec(text.slice(at, lineEnd)) ?? [];
    const start = lineEnd - value.length;
    const isText = head !== undefined && value.startsWith(open) && lastClose >= start;
    const end = isText ? text.indexOf(close, start) : lineEnd;
    if (head !== undefined) {
      yield { tag, value: (isText ? text.slice(start + open.length, end) : value).trim(), line };
    }
    const next = endOfLine(text, end);
    for (let feed = text.indexOf('\n', at); feed !== -1 && feed <= next; feed = text.indexOf('\n', feed + 1))
      line++;
    at = next + 1;
  }
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}
