/**
 * The reports of OWASP Dependency-Check as a whole, JSON and XML of all its versions. Both encodings of one scan must
 * give the same findings. Rows are read in `vulnerabilities.ts`.
 */
import type { Format } from '../format.ts';
import type { ReportDocument } from '../reading/decode.ts';
import { newRun } from '../reading/finding.ts';
import { arrayAt, asRecord, field, type JsonRecord, recordAt, stringAt, stringsAt } from '../reading/json.ts';
import { listAt, type RowList } from '../reading/json-rows.ts';
import type { ParseContext } from '../reading/limits.ts';
import { newManifest } from '../reading/packages.ts';
import { newReport } from '../reading/rows.ts';
import { cleanName } from '../reading/text.ts';
import type { Report, ReportFinding, ReportInventoryPackage } from '../report.ts';
import { type DependencyLocation, dependencyLocationOf, inventoryOf } from './packages.ts';
import { readDependencyVulnerability } from './vulnerabilities.ts';
import { isReportXml, readDependencyCheckXml } from './xml.ts';

export const dependencyCheck: Format = {
  name: 'dependency-check',
  marks: ['reportSchema', 'scanInfo', 'projectInfo', 'dependencies'],
  recognises,
  parse,
};

function recognises({ json, text }: ReportDocument): boolean {
  if (json === undefined) return isReportXml(text);
  return (
    stringAt(recordAt(json, 'scanInfo'), 'engineVersion') !== null &&
    (stringAt(json, 'reportSchema') !== null || Array.isArray(field(json, 'dependencies')))
  );
}

function parse(document: ReportDocument, context: ParseContext): Report {
  const reader = new DependencyReader(context);
  const scan =
    document.json === undefined ? readXml(document.text, reader, context) : readJson(document.json, reader);
  return {
    ...newReport(dependencyCheck.name, context, [
      newRun({
        tool: 'dependency-check',
        toolVersion: cleanName(stringAt(scan, 'engineVersion'), context),
        outcome: isIncomplete(scan, context) ? 'failed' : 'succeeded',
        findings: reader.findings,
        manifests: reader.packages.length === 0 ? [] : [newManifest('.', reader.packages)],
      }),
    ]),
    read: reader.read,
  };
}

function readJson(json: unknown, reader: DependencyReader): JsonRecord | null {
  for (const [index, row] of reader.list(json, 'dependencies', '').entries()) {
    const pointer = `/dependencies/${index}`;
    reader.take(row, pointer, (list, number) => `${pointer}/${list}/${number}`);
  }
  return recordAt(json, 'scanInfo');
}

function readXml(text: string, reader: DependencyReader, context: ParseContext): JsonRecord | null {
  let scan: JsonRecord | null = null;
  readDependencyCheckXml(text, context, (name, record, pointer) => {
    if (name === 'scanInfo') scan = record;
    else {
      reader.take(record, pointer, (list, number) => {
        const element = list === 'vulnerabilities' ? 'vulnerability' : 'suppressedVulnerability';
        return `${pointer}/vulnerabilities[1]/${element}[${number + 1}]`;
      });
    }
  });
  return scan;
}

const lists = ['vulnerabilities', 'suppressedVulnerabilities'] as const;

class DependencyReader {
  /** Suppressed rows are not included, as in Dependency-Check's own count. */
  read = 0;
  readonly findings: ReportFinding[] = [];
  readonly packages: ReportInventoryPackage[] = [];
  readonly #context: ParseContext;

  constructor(context: ParseContext) {
    this.#context = context;
  }

  list(holder: unknown, key: string, pointer: string): RowList | readonly unknown[] {
    const known = this.#context.unreadable.length;
    const rows = listAt(holder, key, pointer, this.#context);
    this.read += this.#context.unreadable.length - known;
    return rows;
  }

  take(
    row: unknown,
    pointer: string,
    pointerOf: (list: (typeof lists)[number], index: number) => string,
  ): void {
    const dependency = asRecord(row);
    if (dependency === null) {
      this.#context.addRows(1, pointer);
      this.read++;
      this.#context.addUnreadable(pointer, 'The dependency is not an object.');
      return;
    }
    const location = dependencyLocationOf(dependency, this.#context);
    for (const named of inventoryOf(dependency, location, this.#context)) this.packages.push(named);
    for (const list of lists) {
      const rows = this.list(dependency, list, pointer);
      this.#context.addRows(rows.length, pointer);
      if (list === 'vulnerabilities') this.read += rows.length;
      for (const [index, vulnerability] of rows.entries()) {
        this.#takeRow(vulnerability, pointerOf(list, index), location, list !== 'vulnerabilities');
      }
    }
  }

  #takeRow(row: unknown, pointer: string, location: DependencyLocation, isSuppressed: boolean): void {
    const finding = readDependencyVulnerability(row, pointer, location, isSuppressed, this.#context);
    if (!('unreadable' in finding)) this.findings.push(finding);
    else {
      if (isSuppressed) this.read++;
      this.#context.addUnreadable(pointer, finding.unreadable);
    }
  }
}

/** If one of these parts fails, a whole source of vulnerabilities is missing, not only the result of one file. */
const sources =
  /OssIndex|component-reports|NodeAudit|YarnAudit|PnpmAudit|RetireJs|NvdCve|CveDB|KnownExploited|UpdateException|InitializationException|DatabaseException|NoDataException/;

/** Tells if the listed exceptions affect more than the single file that each is about. */
function isIncomplete(scan: JsonRecord | null, context: ParseContext): boolean {
  const exceptions = arrayAt(scan, 'analysisExceptions');
  if (exceptions.length === 0) return false;
  context.warn('Dependency-Check had errors, so vulnerabilities may be missing.');
  return exceptions.some((row) => {
    let next: unknown = field(row, 'exception') ?? row;
    // Dependency-Check writes at most twenty causes of causes.
    for (let depth = 0; depth < 20 && next !== undefined; depth++) {
      const texts = [stringAt(next, 'message') ?? '', ...stringsAt(next, 'stackTrace').slice(0, 20)];
      if (texts.some((text) => sources.test(text.slice(0, 1000)))) return true;
      next = field(next, 'cause');
    }
    return false;
  });
}
