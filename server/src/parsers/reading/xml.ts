/**
 * The reading of XML as a stream of rows, each a small tree, so that no document is in memory as a whole. Document
 * types are refused unless the format asks for them, and those that declare entities always are, so only XML's own five
 * entities exist. It must never quote the report in an error, and never fetch anything that it names.
 */

import { SaxesParser } from 'saxes';
import type { Sentence } from '../../domain/sentence.ts';
import { ReportError } from '../report.ts';
import { pointerStep } from './json.ts';
import { type ParseContext, tooDeep } from './limits.ts';

export interface XmlElement {
  /** The name has no namespace prefix. Formats use namespaces only for their versions. */
  readonly name: string;
  /** Maps names without prefix to values. Namespace declarations are left out. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /**
   * The element's own text in one piece, with entities resolved and CDATA included. The text of its children is not in
   * it.
   */
  readonly text: string;
}

export interface XmlRows {
  /**
   * The names of the elements to hand over. The outermost element with such a name is a row, and everything inside it
   * belongs to its tree.
   */
  row: string | readonly string[];
  /**
   * The format's own tool writes a document type into each report. It is then skipped: what it declares has no effect,
   * and nothing that it names is fetched. One that declares entities is refused all the same.
   */
  skipsDocumentType?: boolean;
  /**
   * Is called in the document's order when the row is closed. `pointer` is an XPath: `/report/site[2]/alertitem[1]`.
   */
  onRow(element: XmlElement, pointer: string): void;
  /**
   * Called with the root before any row, without its children and text. It is not called if the root itself is a
   * row.
   */
  onRoot?(root: XmlElement): void;
  /**
   * Called for each other element outside of rows as it opens, such as the site of an alert; without children and
   * text.
   */
  onOpen?(element: XmlElement, pointer: string): void;
}

/** Returns the root element's name and namespace, to recognise a format; null if the text is no XML. */
export function xmlRoot(text: string): { name: string; namespace: string | null } | null {
  if (!/^\s*</.test(text)) return null;
  const parser = new SaxesParser({ position: false, xmlns: false });
  let root: { name: string; namespace: string | null } | null = null;
  parser.on('opentag', ({ name, attributes }) => {
    const colon = name.indexOf(':');
    const declaration = colon === -1 ? 'xmlns' : `xmlns:${name.slice(0, colon)}`;
    root = { name: localName(name), namespace: attributes[declaration] ?? null };
    throw stop;
  });
  try {
    // A comment with a license may stand before the root. A longer one is not searched.
    parser.write(text.slice(0, 65_536).trimStart());
  } catch {
    return root;
  }
  return null;
}

const stop = new Error('The root has been seen.');

/**
 * Reads a document to its end and passes its rows on. Throws `MALFORMED_REPORT` with the line for a refused document
 * type, a foreign entity and broken XML, and `LIMIT_EXCEEDED` if the nesting is too deep or there are too many
 * elements. It rethrows the errors of `onRow`.
 */
export function readXml(text: string, context: ParseContext, rows: XmlRows): void {
  const parser = new SaxesParser({ xmlns: false });
  const tree = new RowReader(context, rows, () => parser.line);
  parser.on('error', (error) => {
    throw malformed(error, parser.line);
  });
  parser.on('doctype', (type) => {
    if (rows.skipsDocumentType === true && !/<!ENTITY/i.test(type)) return;
    const line = parser.line - (type.split('\n').length - 1);
    throw new ReportError(
      'MALFORMED_REPORT',
      `The XML has a document type at line ${line}, which is not allowed: remove it.`,
      {
        line,
      },
    );
  });
  parser.on('opentag', ({ name, attributes }) => tree.open(localName(name), attributes));
  parser.on('text', (part) => tree.addText(part));
  parser.on('cdata', (part) => tree.addText(part));
  parser.on('closetag', () => tree.close());
  // XML forbids white space before its declaration, but tools write it.
  const start = text.length - text.trimStart().length;
  parser.line = text.slice(0, start).split('\n').length;
  parser.write(text.slice(start));
  parser.close();
}

// The library's messages contain names from the report, so they are not shown. For these two errors a person needs more
// detail.
function malformed(error: Error, line: number): ReportError {
  const message: Sentence = error.message.includes('undefined entity')
    ? `The XML uses an entity at line ${line} that XML does not define.`
    : error.message.includes('unclosed tag')
      ? `The XML ends at line ${line} inside an element: the report was cut off.`
      : `The XML is not valid at line ${line}.`;
  return new ReportError('MALFORMED_REPORT', message, { line });
}

interface OpenElement {
  name: string;
  attributes: ReadonlyMap<string, string>;
  children: OpenElement[];
  text: string;
}

// Most elements have no attributes, and an empty map is larger than the rest of the element.
const noAttributes: ReadonlyMap<string, string> = new Map();

/** An element outside rows. Only the numbers of its children are kept. */
interface Outer {
  pointer: string;
  counts: Map<string, number>;
}

class RowReader {
  readonly #context: ParseContext;
  readonly #rows: XmlRows;
  readonly #names: ReadonlySet<string>;
  readonly #line: () => number;
  readonly #outer: Outer[] = [];
  readonly #row: OpenElement[] = [];
  #rowPointer = '';

  constructor(context: ParseContext, rows: XmlRows, line: () => number) {
    this.#context = context;
    this.#rows = rows;
    this.#names = new Set(typeof rows.row === 'string' ? [rows.row] : rows.row);
    this.#line = line;
  }

  open(name: string, written: Readonly<Record<string, string>>): void {
    const { limits } = this.#context;
    if (this.#outer.length + this.#row.length >= limits.maxNesting) throw tooDeep(limits, this.#line());
    this.#context.addElement(this.#line());
    const element: OpenElement = { name, attributes: this.#attributesOf(written), children: [], text: '' };
    const parent = this.#row.at(-1);
    if (parent !== undefined) {
      parent.children.push(element);
      this.#row.push(element);
      return;
    }
    const pointer = this.#pointerOf(name);
    if (this.#names.has(name)) {
      this.#rowPointer = pointer;
      this.#row.push(element);
      return;
    }
    if (this.#outer.length === 0) this.#rows.onRoot?.(element);
    else this.#rows.onOpen?.(element, pointer);
    this.#outer.push({ pointer, counts: new Map() });
  }

  addText(part: string): void {
    const element = this.#row.at(-1);
    if (element === undefined) return;
    // Text parts past the limit are not joined, because there may be millions of them.
    const room = this.#context.limits.maxTextLength - element.text.length;
    if (part.length > room) this.#warnOfCut();
    if (room > 0) element.text += part.slice(0, room);
  }

  close(): void {
    const element = this.#row.pop();
    if (element === undefined) this.#outer.pop();
    else if (this.#row.length === 0) this.#rows.onRow(element, this.#rowPointer);
  }

  #pointerOf(name: string): string {
    const outer = this.#outer.at(-1);
    const step = pointerStep(name);
    if (outer === undefined) return `/${step}`;
    const number = (outer.counts.get(name) ?? 0) + 1;
    outer.counts.set(name, number);
    return `${outer.pointer}/${step}[${number}]`;
  }

  #attributesOf(written: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
    const names = Object.keys(written);
    if (names.length === 0) return noAttributes;
    const attributes = new Map<string, string>();
    for (const name of names) {
      if (name === 'xmlns' || name.startsWith('xmlns:')) continue;
      attributes.set(localName(name), this.#cut(written[name] ?? ''));
    }
    return attributes;
  }

  #cut(text: string): string {
    const limit = this.#context.limits.maxTextLength;
    if (text.length <= limit) return text;
    this.#warnOfCut();
    return text.slice(0, limit);
  }

  #warnOfCut(): void {
    this.#context.warn(`A text longer than ${this.#context.limits.maxTextLength} characters was cut.`);
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** Returns the first child with this name. */
export function childOf(element: XmlElement | null, name: string): XmlElement | null {
  return element?.children.find((child) => child.name === name) ?? null;
}

/** Returns all children with this name, in order. */
export function childrenOf(element: XmlElement | null, name: string): XmlElement[] {
  return element?.children.filter((child) => child.name === name) ?? [];
}

/** Returns the trimmed text of the first child with this name; null if it is missing or only white space. */
export function textOf(element: XmlElement | null, name: string): string | null {
  return textOrNull(childOf(element, name)?.text);
}

/** Returns an attribute's trimmed value; null if it is missing or only white space. */
export function attributeOf(element: XmlElement | null, name: string): string | null {
  return textOrNull(element?.attributes.get(name));
}

function textOrNull(text: string | undefined): string | null {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? null : trimmed;
}
