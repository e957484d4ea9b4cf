/** The XML of CxSAST. Each `Result` is a row: one flow of data that a `Query` has found. */
import { asInteger, asNumber } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { attributeOf, childOf, childrenOf, readXml, textOf, type XmlElement } from '../reading/xml.ts';
import type { ReportFinding } from '../report.ts';
import { codeFinding, type FlowNode, fixedResult, isFixed, reviewOf, similarity } from './findings.ts';

interface CxSastScan {
  findings: ReportFinding[];
  project: string | null;
  version: string | null;
  /** Number of scanned files; null if the report does not have it. */
  files: number | null;
}

export function readCxSast(text: string, context: ParseContext): CxSastScan {
  const scan: CxSastScan = { findings: [], project: null, version: null, files: null };
  let query: XmlElement | null = null;
  readXml(text, context, {
    row: 'Result',
    onRoot: (root) => {
      scan.project = attributeOf(root, 'ProjectName');
      scan.version = attributeOf(root, 'CheckmarxVersion');
      scan.files = asNumber(attributeOf(root, 'FilesScanned'));
    },
    onOpen: (element) => {
      if (element.name === 'Query') query = element;
    },
    onRow: (result, pointer) => {
      context.addRows(1, pointer);
      if (isFixed(attributeOf(result, 'Status'))) {
        context.warn(fixedResult);
        return;
      }
      const finding = readResult(result, query, pointer, context);
      if (finding !== null) scan.findings.push(finding);
      else context.addUnreadable(pointer, 'The result names neither a query nor a file.');
    },
  });
  return scan;
}

function readResult(
  result: XmlElement,
  query: XmlElement | null,
  pointer: string,
  context: ParseContext,
): ReportFinding | null {
  const path = childOf(result, 'Path');
  const name = attributeOf(query, 'name');
  const nodes = nodesOf(result, path);
  if (name === null && nodes[0]?.file == null) return null;
  return codeFinding(
    {
      pointer,
      type: 'sast',
      query: name ?? '',
      severity: attributeOf(result, 'Severity') ?? attributeOf(query, 'Severity'),
      description: null,
      cwe: attributeOf(query, 'cweId'),
      nodes,
      fingerprint: similarity('cxsast', attributeOf(path, 'SimilarityId')),
      links: [attributeOf(result, 'DeepLink')],
      suppression: reviewOf(
        attributeOf(result, 'state'),
        attributeOf(result, 'FalsePositive')?.toLowerCase() === 'true',
        attributeOf(result, 'Remark'),
        context,
      ),
      help: null,
      remediation: null,
    },
    context,
  );
}

/** The result itself names the file and line of its first node. */
function nodesOf(result: XmlElement, path: XmlElement | null): FlowNode[] {
  const nodes = childrenOf(path, 'PathNode').map((node) => ({
    file: textOf(node, 'FileName'),
    line: asInteger(textOf(node, 'Line'), 1),
    name: textOf(node, 'Name'),
    code: codeOf(node),
  }));
  const source = {
    file: attributeOf(result, 'FileName'),
    line: asInteger(attributeOf(result, 'Line'), 1),
    name: null,
    code: null,
  };
  return nodes.length === 0 ? [source] : nodes;
}

/** Checkmarx shows one line of code for each node. */
function codeOf(node: XmlElement): string | null {
  const lines = childrenOf(childOf(node, 'Snippet'), 'Line').map((line) => childOf(line, 'Code')?.text ?? '');
  const code = lines.slice(0, 20).join('\n');
  return code.trim() === '' ? null : code;
}
