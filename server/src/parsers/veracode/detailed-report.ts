/** Veracode's detailed XML report. Each `flaw` is a row, and so is each `vulnerability` of a component. */
import { asInteger, asNumber } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { attributeOf, childOf, childrenOf, readXml, type XmlElement } from '../reading/xml.ts';
import type { ReportFinding } from '../report.ts';
import { readComponentVulnerability } from './components.ts';
import { fixedFlaw, mitigated, type Row, readFlaw } from './flaws.ts';

interface DetailedReport {
  application: string | null;
  sandbox: string | null;
}

interface ReportReader {
  onAnalysis(kind: string, version: string | null): void;
  onRow(kind: string, row: Row, pointer: string): void;
}

const kindsByElement: ReadonlyMap<string, string> = new Map([
  ['static-analysis', 'static'],
  ['dynamic-analysis', 'dynamic'],
  ['manual-analysis', 'manual'],
  ['software_composition_analysis', 'sca'],
  ['staticflaws', 'static'],
  ['dynamicflaws', 'dynamic'],
  ['manualflaws', 'manual'],
]);

/** The context of a flaw: the elements around it. */
interface RowContext {
  kind: string;
  category: XmlElement | null;
  cwe: XmlElement | null;
  help: string | null;
  remediation: string | null;
}

export function readDetailedReport(
  text: string,
  context: ParseContext,
  reader: ReportReader,
): DetailedReport {
  const report: DetailedReport = { application: null, sandbox: null };
  const rowContext: RowContext = { kind: '', category: null, cwe: null, help: null, remediation: null };
  readXml(text, context, {
    row: ['flaw', 'component', 'desc', 'recommendations'],
    onRoot: (root) => {
      report.application = attributeOf(root, 'app_name');
      report.sandbox = attributeOf(root, 'sandbox_name');
    },
    onOpen: (element) => {
      const kind = kindsByElement.get(element.name);
      if (kind !== undefined) rowContext.kind = kind;
      if (kind !== undefined && !element.name.endsWith('flaws')) {
        reader.onAnalysis(kind, attributeOf(element, 'engine_version'));
      }
      if (element.name === 'category')
        Object.assign(rowContext, { category: element, help: null, remediation: null });
      if (element.name === 'cwe') rowContext.cwe = element;
    },
    onRow: (element, pointer) => {
      if (element.name === 'desc') rowContext.help = paragraphs(element);
      else if (element.name === 'recommendations') rowContext.remediation = paragraphs(element);
      else if (element.name === 'component') readComponent(element, pointer, context, reader);
      else {
        context.addRows(1, pointer);
        reader.onRow(rowContext.kind, readRow(element, pointer, rowContext, context), pointer);
      }
    },
  });
  return report;
}

function paragraphs(element: XmlElement): string | null {
  const texts = childrenOf(element, 'para').flatMap((para) => [
    attributeOf(para, 'text') ?? '',
    childrenOf(para, 'bulletitem')
      .map((item) => `- ${attributeOf(item, 'text') ?? ''}`)
      .join('\n'),
  ]);
  return texts.filter((text) => text !== '').join('\n\n') || null;
}

function readRow(flaw: XmlElement, pointer: string, rowContext: RowContext, context: ParseContext): Row {
  const state = attributeOf(flaw, 'remediation_status')?.toLowerCase() ?? '';
  if (/^(?:fixed|remediated)\b/.test(state)) return fixedFlaw;
  const isAccepted = attributeOf(flaw, 'mitigation_status')?.toLowerCase() === 'accepted';
  const folder = attributeOf(flaw, 'sourcefilepath')?.replace(/[/\\]+$/, '') ?? null;
  const file = attributeOf(flaw, 'sourcefile');
  return readFlaw(
    {
      pointer,
      kind: rowContext.kind,
      severity: asInteger(attributeOf(flaw, 'severity'), 0),
      cwe: attributeOf(flaw, 'cweid') ?? attributeOf(rowContext.cwe, 'cweid'),
      name:
        attributeOf(flaw, 'categoryname') ??
        attributeOf(rowContext.category, 'categoryname') ??
        attributeOf(rowContext.cwe, 'cwename'),
      description: attributeOf(flaw, 'description'),
      help: rowContext.help,
      remediation: rowContext.remediation,
      file: file === null || folder === null ? file : `${folder}/${file}`,
      line: asInteger(attributeOf(flaw, 'line'), 1),
      procedure: procedureOf(flaw),
      member: attributeOf(flaw, 'type'),
      url: attributeOf(flaw, 'url'),
      parameter: attributeOf(flaw, 'vuln_parameter'),
      dataFlow: [],
      links: [],
      suppression: isAccepted ? mitigationOf(flaw, context) : null,
    },
    context,
  );
}

/** `void open(java.lang.String)` in the scope `garden.Gate` is `garden.Gate.open`, as the REST API writes it. */
function procedureOf(flaw: XmlElement): string | null {
  const scope = attributeOf(flaw, 'scope');
  const prototype = attributeOf(flaw, 'functionprototype')?.split('(', 1)[0]?.trim() ?? '';
  const name = prototype.split(/[\s.:]/).at(-1) ?? '';
  return [scope, name].filter((part) => part !== null && part !== '').join('.') || null;
}

/** The newest comes first. The entry with the reason follows the one that accepts it. */
function mitigationOf(element: XmlElement, context: ParseContext): ReportFinding['suppression'] {
  const all = childrenOf(childOf(element, 'mitigations'), 'mitigation');
  const isReason = (one: XmlElement): boolean =>
    !/^(?:approve|accept|comment)/i.test(attributeOf(one, 'action') ?? 'comment');
  const reason = all.find(isReason) ?? all[0] ?? null;
  return mitigated(
    attributeOf(reason, 'action') ?? attributeOf(element, 'mitigation_type'),
    attributeOf(reason, 'description'),
    context,
  );
}

function readComponent(
  component: XmlElement,
  pointer: string,
  context: ParseContext,
  reader: ReportReader,
): void {
  const vulnerabilities = childrenOf(childOf(component, 'vulnerabilities'), 'vulnerability');
  context.addRows(vulnerabilities.length, pointer);
  const about = {
    id: attributeOf(component, 'library_id'),
    fileName: attributeOf(component, 'file_name') ?? attributeOf(component, 'library'),
    version: attributeOf(component, 'version'),
    language: null,
    paths: childrenOf(childOf(component, 'file_paths'), 'file_path')
      .map((path) => attributeOf(path, 'value'))
      .filter((path) => path !== null),
  };
  for (const [index, vulnerability] of vulnerabilities.entries()) {
    const at = `${pointer}/vulnerabilities[1]/vulnerability[${index + 1}]`;
    const isMitigated = attributeOf(vulnerability, 'mitigation')?.toLowerCase() === 'true';
    const row = readComponentVulnerability(
      {
        pointer: at,
        advisory: attributeOf(vulnerability, 'cve_id'),
        severity: asInteger(attributeOf(vulnerability, 'severity'), 0),
        score: asNumber(attributeOf(vulnerability, 'cvss_score')),
        vector: null,
        cwe: attributeOf(vulnerability, 'cwe_id'),
        description: attributeOf(vulnerability, 'cve_summary'),
        links: [],
        suppression: isMitigated ? mitigationOf(vulnerability, context) : null,
      },
      about,
      context,
    );
    reader.onRow('sca', row, at);
  }
}
