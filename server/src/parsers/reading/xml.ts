/**
 * Owns the reading of XML: a stream of rows, each a small tree, so that no document stands in memory as a whole.
 * Document types are refused, so that the only entities are XML's own five. Must never quote the report in an
 * error, and never fetch anything that it names.
 */
import { SaxesParser } from 'saxes';
import { ReportError } from '../report.ts';
import type { ParseContext } from './limits.ts';

export interface XmlElement {
  /** Without namespace prefix: formats tell their versions by namespaces, and nothing else by them. */
  readonly name: string;
  /** By name without prefix; declarations of namespaces are left out. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** Its own text in one piece, entities resolved, CDATA included; not that of its children. */
  readonly text: string;
}

export interface XmlRows {
  /**
   * Names of the elements to hand over. The outermost one with such a name is a row; what stands inside it,
   * of whatever name, is part of its tree.
   */
  row: string | readonly string[];
  /** In the document's order, once the row is closed. `pointer` is an XPath: `/report/site[2]/alertitem[1]`. */
  onRow(element: XmlElement, pointer: string): void;
  /** The root, before any row; without its children and text. Not called where the root itself is a row. */
  onRoot?(root: XmlElement): void;
  /** Each other element outside of rows as it opens, such as the site of an alert; without children and text. */
  onOpen?(element: XmlElement, pointer: string): void;
}

/** The root element's name and namespace, to recognise a format by; null for a text that is no XML. */
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
    // A licence in a comment may stand before the root; a longer one is not worth the look.
    parser.write(text.slice(0, 65_536).trimStart());
  } catch {
    return root;
  }
  return null;
}

const stop = new Error('The root has been seen.');

/**
 * Reads a document to its end and hands over its rows.
 * Throws `MALFORMED_REPORT` with the line for a document type, an entity that is not XML's own and for broken
 * XML, `LIMIT_EXCEEDED` for too deep a nesting and too many elements; and whatever `onRow` throws.
 */
export function readXml(text: string, context: ParseContext, rows: XmlRows): void {
  const parser = new SaxesParser({ xmlns: false });
  const tree = new RowReader(context, rows, () => parser.line);
  parser.on('error', (error) => {
    throw malformed(error, parser.line);
  });
  parser.on('doctype', (type) => {
    const line = parser.line - (type.split('\n').length - 1);
    throw new ReportError('MALFORMED_REPORT', `The XML has a document type at line ${line}; none is taken.`, {
      line,
    });
  });
  parser.on('opentag', ({ name, attributes }) => tree.open(localName(name), attributes));
  parser.on('text', (part) => tree.addText(part));
  parser.on('cdata', (part) => tree.addText(part));
  parser.on('closetag', () => tree.close());
  // XML forbids white space before its declaration; tools write it all the same.
  const start = text.length - text.trimStart().length;
  parser.line = text.slice(0, start).split('\n').length;
  parser.write(text.slice(start));
  parser.close();
}

// The library's words hold names out of the report; of these two kinds a person wants to know more.
function malformed(error: Error, line: number): ReportError {
  const message = error.message.includes('undefined entity')
    ? `The XML uses an entity at line ${line} that is none of XML's own five.`
    : error.message.includes('unclosed tag')
      ? `The XML ends at line ${line} inside an element: the report was cut off.`
      : `The XML breaks at line ${line}.`;
  return new ReportError('MALFORMED_REPORT', message, { line });
}

interface OpenElement {
  name: string;
  attributes: ReadonlyMap<string, string>;
  children: OpenElement[];
  text: string;
}

// Most elements have none, and an empty map is larger than all the rest of one.
const noAttributes: ReadonlyMap<string, string> = new Map();

/** An element outside rows: of its children only their numbers are kept. */
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
    const { maxNesting } = this.#context.limits;
    if (this.#outer.length + this.#row.length >= maxNesting) {
      const line = this.#line();
      throw new ReportError(
        'LIMIT_EXCEEDED',
        `The report is nested deeper than ${maxNesting} levels, at line ${line}.`,
        { line },
      );
    }
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
    // Parts past the limit are not even put together: there may be millions of them.
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
    if (outer === undefined) return `/${name}`;
    const number = (outer.counts.get(name) ?? 0) + 1;
    outer.counts.set(name, number);
    return `${outer.pointer}/${name}[${number}]`;
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

/** The first child of a name. */
export function childOf(element: XmlElement | null, name: string): XmlElement | null {
  return element?.children.find((child) => child.name === name) ?? null;
}

/** All children of a name, in order. */
export function childrenOf(element: XmlElement | null, name: string): XmlElement[] {
  return element?.children.filter((child) => child.name === name) ?? [];
}

/** The trimmed text of the first child of a name; null where there is none, or nothing but white space in it. */
export function textOf(element: XmlElement | null, name: string): string | null {
  return textOrNull(childOf(element, name)?.text);
}

/** An attribute's trimmed value; null where there is none, or nothing but white space in it. */
export function attributeOf(element: XmlElement | null, name: string): string | null {
  return textOrNull(element?.attributes.get(name));
}

function textOrNull(text: string | undefined): string | null {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? null : trimmed;
}
