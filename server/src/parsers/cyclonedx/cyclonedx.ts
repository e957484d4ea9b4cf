/**
 * The CycloneDX format, JSON and XML: it decides which tool's run a BOM is, or that it is none. The same BOM in both
 * encodings must give the same findings.
 */
import type { Format } from '../format.ts';
import { newRun } from '../reading/finding.ts';
import { arrayAt, asRecord, field, recordAt, stringAt } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { newReport } from '../reading/rows.ts';
import { cleanName } from '../reading/text.ts';
import { toolFamily, typeOfFamily } from '../reading/tools.ts';
import { type Report, ReportError, type ReportFinding, type Run, type VexStatement } from '../report.ts';
import { type Bom, bomOf, isBomJson, isBomXml } from './bom.ts';
import { type BomComponents, readComponents } from './components.ts';
import { hasOnlyStatements, readBomVulnerability } from './vulnerabilities.ts';

export const cyclonedx: Format = {
  name: 'cyclonedx',
  marks: ['bomFormat', 'specVersion', 'components', 'vulnerabilities'],
  recognises: ({ json, text }) => (json === undefined ? isBomXml(text) : isBomJson(json)),
  parse: (document, context) => read(bomOf(document, context), context),
};

function read(bom: Bom, context: ParseContext): Report {
  checkVersion(bom, context);
  const components = readComponents(bom, context);
  const rows = bom.vulnerabilities ?? [];
  context.addRows(rows.length, '/vulnerabilities');
  const findings: ReportFinding[] = [];
  const statements: VexStatement[] = [];
  let hasResolved = false;
  const isStatementsOnly = hasOnlyStatements(bom, components);
  for (const { row, pointer } of rows) {
    const verdict = readBomVulnerability(row, pointer, bom, components, isStatementsOnly, context);
    if ('unreadable' in verdict) {
      context.addUnreadable(pointer, verdict.unreadable);
      continue;
    }
    for (const finding of verdict.findings) findings.push(finding);
    for (const statement of verdict.statements) statements.push(statement);
    hasResolved ||= verdict.hasResolved;
  }
  const run = runOf(bom, components, findings, hasResolved, context);
  return { ...newReport(cyclonedx.name, context, run === null ? [] : [run]), read: rows.length, statements };
}

function checkVersion(bom: Bom, context: ParseContext): void {
  const [, major, minor] = /^([0-9]{1,3})\.([0-9]{1,3})$/.exec(bom.specVersion ?? '1.4') ?? [];
  if (major !== '1') {
    throw new ReportError(
      'UNKNOWN_FORMAT',
      'This version of CycloneDX is not supported. Send version 1.2 to 1.7.',
      { pointer: '/specVersion' },
    );
  }
  if (Number(minor) > 7) {
    context.warn('This CycloneDX is newer than version 1.7: its new parts were not read.');
  }
}

/**
 * The run belongs to the tool that looked for vulnerabilities. A BOM without a statement about vulnerabilities is an
 * inventory under the format's own name, so it closes nothing of its writer. A resolved vulnerability is no finding,
 * but it shows that the tool looked. A document with statements about other documents is no run.
 */
function runOf(
  bom: Bom,
  components: BomComponents,
  findings: ReportFinding[],
  hasResolved: boolean,
  context: ParseContext,
): Run | null {
  const componentCount = components.list.filter(({ isSubject }) => !isSubject).length;
  const rows = bom.vulnerabilities?.length ?? 0;
  if (componentCount === 0 && rows > 0 && findings.length === 0) return null;
  const tool = toolOf(bom, context);
  let isAnalysis = findings.length > 0 || hasResolved || (bom.vulnerabilities !== null && rows === 0);
  if (isAnalysis && rows === 0 && tool?.family === 'trivy') {
    context.warn(
      'The BOM lists no vulnerability. Trivy writes the same whether it looked for any or not, so nothing is fixed by it.',
    );
    isAnalysis = false;
  }
  return newRun({
    tool: (isAnalysis ? tool?.family : null) ?? cyclonedx.name,
    toolVersion: (isAnalysis ? tool?.version : null) ?? null,
    category: categoryOf(components.category, isAnalysis ? tool : undefined),
    findings,
    // A BOM holds only vulnerabilities of components, even if the tool does more.
    analysisTypes: isAnalysis ? ['dependency'] : [],
    image: components.image,
    manifests: componentCount === 0 ? [] : [components.manifest],
  });
}

/**
 * `analysedBy` is undefined for an inventory, and null for an analysis whose tool is unknown, which is no inventory.
 * Trivy's own report of the same target also has secrets and checks. A BOM has none, so it needs its own series.
 */
function categoryOf(image: string, analysedBy: Tool | null | undefined): string {
  const kind = analysedBy === null ? 'vulnerabilities' : analysedBy?.family === 'trivy' ? cyclonedx.name : '';
  return [image, kind].filter((part) => part !== '').join('/');
}

interface Tool {
  family: string;
  version: string | null;
}

/**
 * The tools are a list up to 1.4, and an object of components and services since. Among several, a scanner is preferred
 * over a library.
 */
function toolOf(bom: Bom, context: ParseContext): Tool | null {
  const written = field(bom.metadata, 'tools');
  const ofMetadata = Array.isArray(written)
    ? written
    : [...arrayAt(written, 'components'), ...arrayAt(written, 'services')];
  const ofRow = arrayAt(asRecord(bom.vulnerabilities?.[0]?.row), 'tools');
  const tools: Tool[] = [];
  for (const row of ofMetadata.length > 0 ? ofMetadata : ofRow) {
    const name =
      stringAt(row, 'name') ?? stringAt(row, 'vendor') ?? stringAt(recordAt(row, 'manufacturer'), 'name');
    const version = stringAt(row, 'version');
    if (name === null) continue;
    tools.push({
      family: toolFamily(name),
      version: cleanName(version, context),
    });
  }
  const isScanner = ({ family }: Tool): boolean =>
    typeOfFamily(family) === 'dependency' || typeOfFamily(family) === 'container';
  return (
    tools.find(isScanner) ??
    tools.find(({ family }) => !/(?:^|-)(?:lib|library)$/.test(family)) ??
    tools[0] ??
    null
  );
}
