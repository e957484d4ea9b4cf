/** Reports of every format as trees that can be changed and written again: JSON, JSON lines, XML and CSV. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { parse as parseCsv } from 'csv-parse/sync';
import { SaxesParser } from 'saxes';
import { formatOfBeginning } from '../../src/parsers/choose-format.ts';
import { readCsvHeader } from '../../src/parsers/reading/csv.ts';
import { ReportError } from '../../src/parsers/report.ts';
import type { Random } from './random.ts';

export interface Sample {
  /** Its path below the folder of fixtures or samples. */
  name: string;
  format: string;
  syntax: 'json' | 'lines' | 'xml' | 'csv';
  /**
   * The tree as JSON: a list of documents for JSON lines, an `XmlNode` for XML, a list of rows for CSV. It is parsed
   * again for each change.
   */
  tree: string;
  /** Its file is larger than most. */
  isLarge: boolean;
}

/** An element. Its text is among its children. */
export interface XmlNode {
  name: string;
  attributes: Record<string, unknown>;
  children: (XmlNode | string)[];
}

const fixtures = new URL('../fixtures/', import.meta.url);
/** Real reports, if they are beside the checkout. */
const realSamples = [
  new URL('../../../../shared/samples/', import.meta.url),
  new URL('../../../../shared/samples-more/spdx-json/', import.meta.url),
];
// A report is parsed some hundred thousand times, and a few rows of each list have every field.
const mostItems = 4;
// The documents of JSON lines refer to each other: the fixture of govulncheck has its findings up to the eleventh.
const mostDocuments = 16;
// Two thirds of the files are smaller. A larger one takes longer to read, and holds little more.
const largeBytes = 32_768;
// Larger samples repeat what smaller ones of their format hold.
const mostBytes = 2_000_000;

/** The folders of fixtures are named after their formats. */
export const formatsOfFixtures = readdirSync(fixtures, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

export type Corpus = 'fixtures' | 'all';

/** Reads the fixtures. With `all` it also reads the real reports, if they exist. */
export function readCorpus(corpus: Corpus): Sample[] {
  const real = corpus === 'all' ? realSamples.filter((folder) => existsSync(folder)) : [];
  return [fixtures, ...real].flatMap(readFolder);
}

/** Mostly a small one. */
export function pickSample(samples: readonly Sample[], random: Random): Sample {
  const small = samples.filter(({ isLarge }) => !isLarge);
  return random.pick(small.length === 0 || random.chance(0.05) ? samples : small);
}

function readFolder(folder: URL): Sample[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:json|jsonl|sarif|xml|csv|golden)$/.test(name))
    .sort()
    .flatMap((name) => {
      const file = new URL(name, folder);
      if (statSync(file).size > mostBytes) return [];
      const sample = sampleOf(name, readFileSync(file));
      return sample === null ? [] : [sample];
    });
}

function sampleOf(name: string, bytes: Buffer): Sample | null {
  const format = formatOf(bytes);
  if (format === null) return null;
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  const [syntax, value] = parse(text);
  const isList = syntax === 'lines' || syntax === 'csv';
  const tree = isList ? (value as unknown[]).slice(0, mostDocuments).map(shortened) : shortened(value);
  return { name, format, syntax, tree: JSON.stringify(tree), isLarge: bytes.length > largeBytes };
}

/** The name of the format that recognises the report; null if none does. */
function formatOf(bytes: Uint8Array): string | null {
  try {
    return formatOfBeginning(bytes, true, 'auto')?.name ?? null;
  } catch (error) {
    if (error instanceof ReportError) return null;
    throw error;
  }
}

function parse(text: string): [Sample['syntax'], unknown] {
  if (/^\s*</.test(text)) return ['xml', parseXml(text)];
  const delimiter = readCsvHeader(text)?.separator;
  if (delimiter !== undefined) return ['csv', parseCsv(text, { delimiter, columns: true })];
  try {
    return ['json', JSON.parse(text)];
  } catch {
    return ['lines', jsonDocuments(text)];
  }
}

/** Values are one per line or, as govulncheck writes them, over several lines each. */
function jsonDocuments(text: string): unknown[] {
  const documents: unknown[] = [];
  let part = '';
  for (const line of text.split('\n')) {
    part += `${line}\n`;
    try {
      documents.push(JSON.parse(part));
      part = '';
    } catch {
      // The document continues in the next line.
    }
  }
  return documents;
}

function parseXml(text: string): XmlNode {
  const parser = new SaxesParser({ xmlns: false });
  const root: XmlNode = { name: '', attributes: {}, children: [] };
  const open = [root];
  parser.on('opentag', ({ name, attributes }) => {
    const node: XmlNode = { name, attributes: { ...attributes }, children: [] };
    open.at(-1)?.children.push(node);
    open.push(node);
  });
  const addText = (part: string): void => {
    if (part.trim() !== '') open.at(-1)?.children.push(part);
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    open.pop();
  });
  parser.write(text.trimStart()).close();
  return root.children[0] as XmlNode;
}

function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, mostItems).map(shortened);
  if (typeof value === 'string') return value.slice(0, 500);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shortened(item)]));
}

/** The report of a tree. */
export function write(syntax: Sample['syntax'], tree: unknown): string {
  if (syntax === 'json') return JSON.stringify(tree) ?? 'null';
  if (syntax === 'xml') return writeXml(tree);
  if (syntax === 'csv') return writeCsv(tree);
  return (Array.isArray(tree) ? tree : [tree]).map((document) => JSON.stringify(document)).join('\n');
}

function writeCsv(tree: unknown): string {
  const rows = (Array.isArray(tree) ? tree : [tree]).map((row) => Object.entries(Object(row)));
  const columns = [...new Set(rows.flatMap((row) => row.map(([name]) => name)))];
  const cells = rows.map((row) => columns.map((column) => row.find(([name]) => name === column)?.[1]));
  return [columns, ...cells].map((row) => row.map(escapeCsv).join(',')).join('\n');
}

function escapeCsv(value: unknown): string {
  return `"${textOf(value).replaceAll('"', '""')}"`;
}

function writeXml(tree: unknown): string {
  if (typeof tree !== 'object' || tree === null) return escapeXml(tree);
  const { name, attributes, children } = tree as Partial<XmlNode>;
  const tag = textOf(name).replace(/[^A-Za-z0-9_:.-]/g, '') || 'x';
  const written = Object.entries(Object(attributes) as object).map(
    ([key, value]) => ` ${key.replace(/[^A-Za-z0-9_:.-]/g, '') || 'x'}="${escapeXml(value)}"`,
  );
  const inner = Array.isArray(children) ? children.map(writeXml).join('') : escapeXml(children);
  return `<${tag}${written.join('')}>${inner}</${tag}>`;
}

function escapeXml(value: unknown): string {
  return textOf(value).replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value ?? '');
}
