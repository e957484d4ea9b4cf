/**
 * The report of Checkmarx One, which has a section for each engine and nests its results by language, technology, query
 * or package. Each result becomes a row in the shape of the command line's results, which `results.ts` reads.
 */
import { asArray, asRecord, field, type JsonRecord, recordAt, stringAt } from '../reading/json.ts';

const sections: ReadonlyMap<string, string> = new Map([
  ['scanResults', 'sast'],
  ['sastScanResults', 'sast'],
  ['iacScanResults', 'kics'],
  ['kicsScanResults', 'kics'],
  ['scaScanResults', 'sca'],
  ['containerScanResults', 'containers'],
  ['containersScanResults', 'containers'],
]);

/** Before 2023 `scanResults` had all engines. */
const engines = ['sast', 'sca', 'kics', 'containers'] as const;

/** Lists that hold results, or other lists of results. */
const lists = [
  'languages',
  'technology',
  'technologies',
  'queries',
  'packages',
  'packageCategory',
  'categoryResults',
  'resultsList',
  'vulnerabilities',
];
/** The deepest known nesting is section, language, query, result. */
const maxDepth = 8;

const heads = ['reportId', 'reportHeader', 'executiveSummary', 'scanSummary', 'scanInformation'];

/** An engine that did not run has `null` as its section. */
export function isOneReport(json: unknown): boolean {
  const record = asRecord(json);
  if (record === null) return false;
  const given = [...sections.keys()].filter((key) => Object.hasOwn(record, key));
  if (given.length === 0) return false;
  return (
    heads.some((key) => Object.hasOwn(record, key)) ||
    given.some((key) => listsOf(recordAt(json, key)).length > 0)
  );
}

interface ReportRow {
  row: unknown;
  pointer: string;
}

interface ReportRows {
  rows: ReportRow[];
  /** The sections whose lists have unknown names. Their content is not read. */
  unknownSections: string[];
}

export function reportRows(json: unknown): ReportRows {
  const rows: ReportRow[] = [];
  const unknownSections: string[] = [];
  const advice = adviceByCwe(json);
  const read = (section: JsonRecord | null, pointer: string, engine: string): void => {
    if (section === null) return;
    if (listsOf(section).length > 0) collect(section, pointer, [], engine, advice, rows);
    else if (Object.values(section).some((value) => asArray(value).length > 0)) unknownSections.push(pointer);
  };
  for (const [key, engine] of sections) {
    const section = recordAt(json, key);
    read(section, `/${key}`, engine);
    for (const name of key === 'scanResults' ? engines : []) {
      read(recordAt(section, name), `/${key}/${name}`, name);
    }
  }
  return { rows, unknownSections };
}

function listsOf(record: JsonRecord | null): string[] {
  return lists.filter((key) => Array.isArray(field(record, key)));
}

/** An entry that holds one of the lists itself is a group of results, even if its list is empty. */
function collect(
  group: JsonRecord,
  pointer: string,
  groups: readonly JsonRecord[],
  engine: string,
  advice: ReadonlyMap<string, JsonRecord>,
  rows: ReportRow[],
): void {
  const around = [group, ...groups];
  for (const key of listsOf(group)) {
    for (const [index, entry] of asArray(field(group, key)).entries()) {
      const at = `${pointer}/${key}/${index}`;
      const record = asRecord(entry);
      const isGroup = record !== null && lists.some((list) => Object.hasOwn(record, list));
      if (isGroup && groups.length < maxDepth) collect(record, at, around, engine, advice, rows);
      else if (!isGroup)
        rows.push({
          row: record === null ? entry : asResult([record, ...around], engine, advice),
          pointer: at,
        });
    }
  }
}

/** The report has the texts about a weakness once, in `vulnerabilityDetails`. */
function adviceByCwe(json: unknown): Map<string, JsonRecord> {
  const advice = new Map<string, JsonRecord>();
  for (const entry of asArray(field(json, 'vulnerabilityDetails'))) {
    const cwe = stringAt(entry, 'cweId');
    const record = asRecord(entry);
    if (cwe !== null && record !== null) advice.set(cwe, record);
  }
  return advice;
}

/** `records` is the result with the groups around it, the nearest first. */
function asResult(
  records: readonly JsonRecord[],
  engine: string,
  advice: ReadonlyMap<string, JsonRecord>,
): JsonRecord {
  const [result] = records;
  const find = (...keys: string[]): unknown => {
    for (const key of keys) {
      const found = records
        .map((record) => field(record, key))
        .find((value) => value !== undefined && value !== null && value !== '');
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const cwe = find('cweId', 'cwe', 'cwes');
  const about = typeof cwe === 'string' || typeof cwe === 'number' ? (advice.get(String(cwe)) ?? null) : null;
  const texts = [stringAt(about, 'risk'), stringAt(about, 'cause')].filter((text) => text !== null);
  return {
    type: engine,
    id: ['cveName', 'cveId', 'cve', 'vulnerabilityId', 'id']
      .map((key) => stringAt(result, key))
      .find((id) => id !== null),
    similarityId: field(result, 'similarityId'),
    status: field(result, 'status'),
    state: field(result, 'state'),
    severity: find('severity', 'queryResultSeverity'),
    description: find('description'),
    help: texts.join('\n\n'),
    recommendations: field(about, 'generalRecommendations') ?? find('recommendations'),
    link: find('resultViewerLink'),
    comments: find('comments'),
    vulnerabilityDetails: {
      cweId: cwe,
      cveName: find('cveName', 'cveId', 'cve'),
      cvssScore: find('cvssScore', 'score'),
    },
    data: {
      queryName:
        find('queryName') ??
        stringAt({ path: find('queryPath') }, 'path')
          ?.split(/[/\\]/)
          .at(-1),
      nodes: nodesOf(result),
      filename: find('fileName', 'filename', 'filePath'),
      line: find('line', 'lineNumber'),
      value: find('actualValue', 'value'),
      expectedValue: find('expectedValue'),
      packageIdentifier: find('packageIdentifier', 'packageId'),
      packageName: find('packageName', 'name'),
      packageVersion: find('packageVersion', 'version'),
      packageManager: find('packageManager', 'packageRepository', 'packageType'),
      recommendedVersion: find('recommendedVersion', 'fixVersion'),
      imageName: find('imageName'),
      imageFilePath: find('imageFilePath'),
    },
  };
}

/** Without its nodes a result still names where the flow begins and ends. */
function nodesOf(result: unknown): unknown {
  const nodes = asArray(field(result, 'nodes'));
  if (nodes.length > 0) return nodes;
  return ['source', 'destination'].flatMap((end) => {
    const fileName = stringAt(result, `${end}FileName`) ?? stringAt(result, `${end}File`);
    if (fileName === null) return [];
    const name = field(result, `${end}Object`) ?? field(result, `${end}Method`);
    return [{ fileName, line: field(result, `${end}Line`), name }];
  });
}
