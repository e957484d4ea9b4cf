/**
 * Formats that people send and Merlon does not read, so that a refusal names the format and the way out instead of the
 * nearest format that Merlon reads.
 */
import type { Sentence } from '../domain/sentence.ts';
import type { ReportDocument } from './reading/decode.ts';
import { asRecord, field, recordAt, stringAt } from './reading/json.ts';
import { xmlRoot } from './reading/xml.ts';

interface UnreadFormat {
  name: string;
  /** Advice for the sender; null if there is none. */
  wayOut: Sentence | null;
  recognises(document: ReportDocument): boolean;
}

const has = (value: unknown, ...keys: string[]): boolean =>
  keys.every((key) => field(value, key) !== undefined);
const first = (json: unknown): unknown =>
  Array.isArray(json) ? json.find((row) => asRecord(row) !== null) : json;
const xml =
  (...roots: string[]) =>
  ({ json, text }: ReportDocument): boolean =>
    json === undefined && roots.includes(xmlRoot(text)?.name ?? '');
const sarifBy = (option: string): Sentence => `The tool also writes SARIF, which is read: ${option}.`;

/** The first that recognises a document names it. Each is asked only after no format that is read has recognised it. */
const unreadFormats: readonly UnreadFormat[] = [
  {
    name: 'an OSV record',
    wayOut: 'Send what osv-scanner reports about the repository: osv-scanner --format json.',
    recognises: ({ json }) =>
      has(first(json), 'schema_version', 'affected') || has(first(json), 'modified', 'affected'),
  },
  {
    name: 'the JSON of ESLint',
    wayOut: sarifBy('eslint --format @microsoft/eslint-formatter-sarif'),
    recognises: ({ json }) => Array.isArray(json) && has(first(json), 'filePath', 'messages', 'errorCount'),
  },
  {
    name: 'the JSON of KICS',
    wayOut: sarifBy('kics scan --report-formats sarif'),
    recognises: ({ json }) => has(json, 'kics_version', 'queries'),
  },
  {
    name: 'the JSON of Terrascan',
    wayOut: sarifBy('terrascan scan --output sarif'),
    recognises: ({ json }) => Array.isArray(field(recordAt(json, 'results'), 'violations')),
  },
  {
    name: 'the JSON of Hadolint',
    wayOut: sarifBy('hadolint --format sarif'),
    recognises: ({ json }) => /^(?:DL|SC)[0-9]{4}$/.test(stringAt(first(json), 'code') ?? ''),
  },
  {
    name: "the summary of Checkmarx's command line, which has numbers and no findings",
    wayOut: 'Send all results: cx results show --report-format json.',
    recognises: ({ json }) => has(json, 'TotalIssues', 'EnginesResult') || has(json, 'TotalIssues', 'ScanID'),
  },
  {
    name: 'the summary report of Veracode, which has numbers and no flaws',
    wayOut: 'Send the detailed report: detailedreport.do.',
    recognises: xml('summaryreport'),
  },
  { name: 'the XML of SpotBugs', wayOut: sarifBy('spotbugs -sarif'), recognises: xml('BugCollection') },
  { name: 'the XML of PMD', wayOut: sarifBy('pmd check --format sarif'), recognises: xml('pmd') },
  {
    name: 'the XML of Checkstyle, which several tools write',
    wayOut: 'Most of them write SARIF as well.',
    recognises: xml('checkstyle'),
  },
  {
    name: 'JUnit, a report of tests',
    wayOut: 'Send the report that the scanner writes itself.',
    recognises: xml('testsuites', 'testsuite'),
  },
  { name: 'the XML of OpenVAS', wayOut: null, recognises: xml('report', 'get_reports_response') },
  {
    name: 'CVRF, the XML before CSAF',
    wayOut: 'Send the advisory as CSAF 2.',
    recognises: xml('cvrfdoc'),
  },
  { name: 'the XML of Nikto', wayOut: null, recognises: xml('niktoscan') },
  {
    name: 'HTML',
    wayOut: 'Send the report that the scanner writes for programs: SARIF, JSON or XML.',
    recognises: ({ json, text }) => json === undefined && /^\s*<(?:!doctype html|html)/i.test(text),
  },
  {
    name: 'CSV of another tool',
    wayOut: 'Send the report that the scanner writes for programs: SARIF, JSON or XML.',
    recognises: ({ json, text }) => json === undefined && isCsv(text),
  },
];

/** Several lines with the same number of commas or semicolons, at least two in each. */
function isCsv(text: string): boolean {
  const [head, second] = text.slice(0, 4096).split('\n', 2);
  if (head === undefined || /^\s*[<{[]/.test(head)) return false;
  const separators = (head.match(/[,;\t]/g) ?? []).length;
  return separators >= 2 && (second === undefined || second.trim() === '' || /[,;\t]/.test(second));
}

/** Names the format of a document that is not read, with the way out; null if it is not known either. */
export function nameUnread(document: ReportDocument): Sentence | null {
  const format = unreadFormats.find((candidate) => candidate.recognises(document));
  if (format === undefined) return null;
  const { name, wayOut } = format;
  return wayOut === null
    ? `The report is ${name}, which is not read.`
    : `The report is ${name}, which is not read. ${wayOut}`;
}
