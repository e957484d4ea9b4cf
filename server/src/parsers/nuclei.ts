/**
 * Nuclei's JSON lines and its array, with the key names of all its versions. Extracted values, requests and responses
 * are not stored, because they may hold secrets.
 */
import type { Format } from './format.ts';
import { cvssOf } from './reading/cvss.ts';
import type { ReportDocument } from './reading/decode.ts';
import { advisoriesIn, cwesOf, newFinding, newRun, severityOfLabel } from './reading/finding.ts';
import { asRecord, field, type JsonRecord, numberAt, recordAt, stringAt, stringsAt } from './reading/json.ts';
import { firstJsonRecord, readJsonValues } from './reading/json-lines.ts';
import { maxPathLength, type ParseContext } from './reading/limits.ts';
import { repositoryPath } from './reading/paths.ts';
import { newReport } from './reading/rows.ts';
import { cleanName, safeCode, safeLinks, safeText, safeTitle } from './reading/text.ts';
import { addressesIn, webLocation } from './reading/web-locations.ts';
import type { Report, ReportFinding } from './report.ts';

export const nuclei: Format = {
  name: 'nuclei',
  writesLists: true,
  marks: ['template-id', 'info', 'matched-at', 'host', 'type'],
  runFields: ['timestamp'],
  recognises,
  parse,
};

function recognises(document: ReportDocument): boolean {
  const first = firstJsonRecord(document);
  return first !== null && templateOf(first) !== null && recordAt(first, 'info') !== null;
}

function parse(document: ReportDocument, context: ParseContext): Report {
  const values = readJsonValues(document, context);
  context.addRows(values.length, '');
  const findings: ReportFinding[] = [];
  for (const { value, pointer } of values) {
    const record = asRecord(value);
    const template = record === null ? null : templateOf(record);
    if (record === null || template === null) {
      context.addUnreadable(pointer, 'The result does not name its template.');
      continue;
    }
    // With `-matcher-status` the report also lists templates that did not match.
    if (field(record, 'matcher-status') === false) {
      context.warn('Templates that did not match are counted and are no findings.');
      continue;
    }
    findings.push(readResult(record, template, pointer, context));
  }
  return newReport(nuclei.name, context, [newRun({ tool: 'nuclei', findings })]);
}

function templateOf(record: JsonRecord): string | null {
  return stringAt(record, 'template-id') ?? stringAt(record, 'templateID');
}

function readResult(
  record: JsonRecord,
  template: string,
  pointer: string,
  context: ParseContext,
): ReportFinding {
  const info = recordAt(record, 'info');
  const classification = recordAt(info, 'classification');
  const rule = cleanName(template, context);
  const matcher = stringAt(record, 'matcher-name') ?? stringAt(record, 'matcher_name');
  const name = stringAt(info, 'name') ?? rule;
  const score = numberAt(classification, 'cvss-score');
  const texts = [stringAt(info, 'description'), stringAt(info, 'remediation')];
  const ids = [...stringsAt(classification, 'cve-id'), rule].flatMap(advisoriesIn);
  return newFinding({
    pointer,
    type: 'dast',
    severity: severityOfLabel(stringAt(info, 'severity')),
    title: safeTitle(matcher === null ? name : `${name}: ${matcher}`, context) || rule,
    description: safeText(texts.filter((text) => text !== null).join('\n\n'), context),
    rule,
    relatedAdvisories: [...new Set(ids)],
    cvss: score === 0 ? null : cvssOf(score, stringAt(classification, 'cvss-metrics')),
    cwes: cwesOf(stringsAt(classification, 'cwe-id')),
    path: pathOf(record),
    code: codeOf(record, matcher, context),
    links: safeLinks([
      stringAt(record, 'template-url'),
      ...stringsAt(info, 'reference').flatMap(addressesIn),
    ]),
  });
}

function addressOf(record: JsonRecord): string | null {
  const keys = ['matched-at', 'matched', 'url', 'host'];
  return keys.map((key) => stringAt(record, key)).find((address) => address !== null) ?? null;
}

function pathOf(record: JsonRecord): string | null {
  const matched = addressOf(record);
  if (matched === null) return null;
  if (stringAt(record, 'type') === 'file') return repositoryPath(matched);
  return webLocation(matched)?.replace(randomName, '$1{{randstr}}') ?? null;
}

/**
 * Templates ask for a page that does not exist, or upload a file, under a new name in each run (`{{randstr}}`). The
 * name is a KSUID: 27 digits and letters of both cases. Its beginning is the time, and a digit until the year 2051.
 */
const randomName = /(\/)(?=[^./]*[a-z])(?=[^./]*[A-Z])[0-9][0-9A-Za-z]{26}(?=[./]|$)/g;

/** Tells several results of one template at one address apart. */
function codeOf(record: JsonRecord, matcher: string | null, context: ParseContext): string | null {
  const parts = [
    stringAt(record, 'fuzzing_method'),
    matcher,
    stringAt(record, 'extractor-name'),
    stringAt(record, 'fuzzing_parameter') ?? parametersOf(record),
  ];
  return safeCode(parts.filter((part) => part !== null).join('\n'), context);
}

/**
 * The names of the parameters in the address, where the problem may be; null without any. The values, a name of other
 * signs, and a name that the scanned address does not have, may be what the template has sent in this run.
 */
function parametersOf(record: JsonRecord): string | null {
  // Before version 3 the scanned address was in `host`.
  const scanned = parameterNames(stringAt(record, 'url') ?? stringAt(record, 'host'));
  const names = [...parameterNames(addressOf(record))].filter(
    (name) => scanned.has(name) && /^[A-Za-z_][A-Za-z0-9_.[\]-]{0,63}$/.test(name),
  );
  return names.length === 0 ? null : names.sort().join(' ');
}

function parameterNames(address: string | null): Set<string> {
  return new Set(URL.parse((address ?? '').slice(0, maxPathLength))?.searchParams.keys());
}
