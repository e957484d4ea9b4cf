/** Reads a report for the tests of a format: it is recognised first, then parsed. It must never choose the format. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Format } from '../../src/parsers/format.ts';
import { decodeReport } from '../../src/parsers/reading/decode.ts';
import { defaultLimits, ParseContext } from '../../src/parsers/reading/limits.ts';
import type { Report, ReportEvidence, ReportFinding } from '../../src/parsers/report.ts';

/** The fields of a finding of which its report says nothing. */
export const emptyFinding: Omit<ReportFinding, 'pointer' | 'type' | 'severity' | 'title' | 'rule'> = {
  description: null,
  advisories: [],
  relatedAdvisories: [],
  package: null,
  fixedVersions: [],
  cvss: null,
  cwes: [],
  path: null,
  pathIsTarget: false,
  line: null,
  artifact: null,
  fingerprint: null,
  code: null,
  rawCode: null,
  secret: null,
  links: [],
  suppression: null,
  verified: false,
  exploitable: false,
  committedAt: null,
  sharedRow: null,
  evidence: null,
};

/** The same for the evidence of a finding. */
export const emptyEvidence: ReportEvidence = {
  snippet: null,
  dataFlow: [],
  help: null,
  remediation: null,
  dependencyPaths: [],
};

/** `name` is the file's, in the folder of the format's fixtures. */
export function readFixture(format: Format, name: string): Report {
  return readBytes(format, readFileSync(new URL(`../fixtures/${format.name}/${name}`, import.meta.url)));
}

/** Text unchanged; anything else as JSON. */
export function readContent(format: Format, content: unknown): Report {
  return readBytes(format, Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)));
}

function readBytes(format: Format, bytes: Uint8Array): Report {
  const document = decodeReport(bytes, defaultLimits);
  assert.ok(format.recognises(document), `${format.name} does not recognise the report`);
  return format.parse(document, new ParseContext(defaultLimits));
}

export function recognises(format: Format, content: unknown): boolean {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return format.recognises(decodeReport(Buffer.from(text), defaultLimits));
}

export function findingsOf(report: Report): ReportFinding[] {
  return report.runs.flatMap((run) => run.findings);
}

/** The pointers of the rows that could not be read. */
export function unreadableIn(report: Pick<Report, 'unreadable'>): string[] {
  return report.unreadable.map(({ pointer }) => pointer);
}

/** The fields that identify a package's finding, sorted: type, ids, package, version and location. */
export function packageKeys(report: Report): string[] {
  return findingsOf(report)
    .map(({ type, advisories, package: named, path, pathIsTarget }) => {
      const place = pathIsTarget ? 'target' : (path ?? '-');
      return `${type} ${advisories.join('=')} ${named?.purl} ${named?.version ?? '-'} ${place}`;
    })
    .sort();
}

/** The text of a report or finding, without the raw code, of which only a keyed hash leaves the parser's thread. */
export function shownText(value: unknown): string {
  return JSON.stringify(value, (key, field) => (key === 'rawCode' ? undefined : field));
}
