/**
 * The XML of Dependency-Check with all its namespaces, and turns its parts into the records of the JSON. It must never
 * read what they mean.
 */
import { asRecord, type JsonRecord } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import {
  attributeOf,
  childOf,
  childrenOf,
  readXml,
  textOf,
  type XmlElement,
  xmlRoot,
} from '../reading/xml.ts';
import { recordOf } from '../reading/xml-record.ts';

/** The oldest namespaces are addresses of OWASP's wiki. */
export function isReportXml(text: string): boolean {
  const root = xmlRoot(text);
  return root?.name === 'analysis' && /dependency.?check/i.test(root.namespace ?? '');
}

/** Returns `scanInfo` and each `dependency`, in the document's order. */
export function readDependencyCheckXml(
  text: string,
  context: ParseContext,
  onPart: (name: string, record: JsonRecord | null, pointer: string) => void,
): void {
  readXml(text, context, {
    row: ['scanInfo', 'dependency'],
    onRow(element, pointer) {
      const record =
        element.name === 'dependency' ? dependencyOf(element) : asRecord(recordOf(element, lists));
      onPart(element.name, record, pointer);
    },
  });
}

/** JSON writes these elements as lists of their children. */
const lists: ReadonlySet<string> = new Set([
  'analysisExceptions',
  'cwes',
  'references',
  'stackTrace',
  'vulnerableSoftware',
]);

function dependencyOf(element: XmlElement): JsonRecord {
  const rows = childOf(element, 'vulnerabilities');
  return {
    fileName: textOf(element, 'fileName'),
    filePath: textOf(element, 'filePath'),
    license: textOf(element, 'license'),
    ...identifiersOf(element, 'packages'),
    vulnerabilities: childrenOf(rows, 'vulnerability').map((row) => recordOf(row, lists)),
    suppressedVulnerabilities: childrenOf(rows, 'suppressedVulnerability').map((row) => recordOf(row, lists)),
    relatedDependencies: childrenOf(childOf(element, 'relatedDependencies'), 'relatedDependency').map(
      (related) => identifiersOf(related, 'packageIds'),
    ),
  };
}

/**
 * XML has one list whose elements name their kind. Up to version 4 an attribute gives the kind, and a name replaces the
 * id.
 */
function identifiersOf(element: XmlElement, packages: string): JsonRecord {
  const identifiers = childOf(element, 'identifiers');
  const old = childrenOf(identifiers, 'identifier').map((identifier) => ({
    type: attributeOf(identifier, 'type'),
    confidence: attributeOf(identifier, 'confidence'),
    id: textOf(identifier, 'name'),
  }));
  const now = (name: string): JsonRecord[] =>
    childrenOf(identifiers, name).map((identifier) => ({
      confidence: attributeOf(identifier, 'confidence'),
      id: textOf(identifier, 'id'),
    }));
  return {
    [packages]: [...now('package'), ...old.filter(({ type }) => type !== 'cpe')],
    vulnerabilityIds: [...now('vulnerabilityIds'), ...old.filter(({ type }) => type === 'cpe')],
  };
}
