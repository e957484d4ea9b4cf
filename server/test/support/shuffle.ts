/**
 * Reports in another order: the rows of a scanner are shuffled, and nothing else changes. It must never reorder a list
 * whose positions have a meaning, such as the rules of SARIF.
 */
import { createHash } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { isArchive } from '../../src/parsers/reading/archive.ts';
import { readCsvHeader } from '../../src/parsers/reading/csv.ts';

/** Lists of rows, by their name in any JSON format. Lists whose positions others refer to are not included. */
const rowLists = new Set([
  'results',
  'Results',
  'Resources',
  'Vulnerabilities',
  'Secrets',
  'Misconfigurations',
  'Licenses',
  'matches',
  'packages',
  'vulnerabilities',
  'components',
  'dependencies',
  'list',
  'vulns',
  'via',
  'failed_checks',
  'site',
  'alerts',
  'instances',
  'statements',
  'data',
  'Findings',
  'findings',
  'hotspots',
  'ignored_warnings',
  'infrastructureAsCodeIssues',
  'Issues',
  'issues',
  'nodes',
  'warnings',
  'controls',
  'resources',
  'Controls',
  'tests',
  'stringsFound',
]);

/** Objects that are lists of rows: npm writes them under the number of the advisory or the name of the package. */
const rowMaps = new Set(['advisories', 'vulnerabilities']);

/** Rows of XML, none of which holds another of its name. */
const rowElements = ['alertitem', 'instance', 'vulnerability', 'issue', 'ReportItem', 'port', 'Result'];

/**
 * Returns JSON, JSON lines, concatenated objects, XML or CSV with each list of rows in another order, always the same.
 */
export function shuffledReport(bytes: Buffer): Buffer {
  if (isArchive(bytes)) return bytes;
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  if (/^\s*</.test(text)) return Buffer.from(shuffledXml(text));
  const separator = readCsvHeader(text)?.separator;
  if (separator !== undefined) return Buffer.from(shuffledCsv(text, separator));
  // The text has no rows to shuffle.
  if (!/^\s*[[{]/.test(text)) return bytes;
  const documents = documentsOf(text).map((document) =>
    Array.isArray(document)
      ? shuffledMessages(document.map((row) => shuffleRows(row, '')))
      : shuffleRows(document, ''),
  );
  const lines = shuffledMessages(documents).map((document) => JSON.stringify(document));
  return Buffer.from(lines.join('\n'));
}

function shuffledCsv(text: string, delimiter: string): string {
  const rows: unknown[] = parse(text, { delimiter, raw: true, relax_column_count: true });
  const [header, ...rest] = rows.map((row) => `${(row as { raw: string }).raw.trimEnd()}\n`);
  return [header, ...shuffled(rest)].join('');
}

function shuffledXml(text: string): string {
  return rowElements.reduce((whole, name) => {
    const row = `<${name}[ >](?:(?!</${name}>)[^])*</${name}>\\s*`;
    return whole.replace(new RegExp(`(?:${row}){2,}`, 'g'), (rows) =>
      shuffled(rows.match(new RegExp(row, 'g')) ?? []).join(''),
    );
  }, text);
}

/** The first message stays first, because it describes the others, as in govulncheck. */
function shuffledMessages(rows: readonly unknown[]): unknown[] {
  const [head, ...rest] = rows;
  return typeof head === 'object' && head !== null && 'config' in head
    ? [head, ...shuffled(rest)]
    : shuffled(rows);
}

function documentsOf(text: string): unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    // Indented objects one after the other, or one a line.
    const parts = text.includes('\n}\n{') ? text.split(/(?<=\n\})\n(?=\{)/) : text.split('\n');
    return parts.filter((part) => part.trim() !== '').map((part) => JSON.parse(part));
  }
}

function shuffleRows(value: unknown, key: string): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => shuffleRows(item, ''));
    return rowLists.has(key) && !isFlow(key, items) ? shuffled(items) : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, item]) => [name, shuffleRows(item, name)] as const);
  return Object.fromEntries(rowMaps.has(key) ? shuffled(entries) : entries);
}

/** The nodes of Checkmarx are the steps of a flow, other lists of this name are rows. */
function isFlow(key: string, items: readonly unknown[]): boolean {
  const [first] = items;
  return key === 'nodes' && typeof first === 'object' && first !== null && 'fileName' in first;
}

function shuffled<T>(items: readonly T[]): T[] {
  const rank = (i: number): string => createHash('sha256').update(String(i)).digest('hex');
  const order = [...items.keys()].sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
  const isSame = order.every((from, to) => from === to);
  return (isSame ? order.reverse() : order).flatMap((i) => items.slice(i, i + 1));
}
