/**
 * The two encodings of CycloneDX, JSON and XML, and turns both into the shape of the JSON. It must never read what
 * components and vulnerabilities mean.
 */
import type { ReportDocument } from '../reading/decode.ts';
import { arrayAt, asRecord, field, type JsonRecord, recordAt, stringAt } from '../reading/json.ts';
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

export interface Bom {
  specVersion: string | null;
  /** `urn:uuid:…`, if the document has one. */
  serialNumber: string | null;
  metadata: JsonRecord | null;
  components: readonly unknown[];
  dependencies: readonly unknown[];
  /** Null means that the document has no such list, so it says nothing about vulnerabilities. */
  vulnerabilities: readonly BomRow[] | null;
}

export interface BomRow {
  row: unknown;
  pointer: string;
}

const namespace = 'http://cyclonedx.org/schema/bom/';

export function isBomJson(json: unknown): boolean {
  return stringAt(json, 'bomFormat')?.toLowerCase() === 'cyclonedx';
}

export function isBomXml(text: string): boolean {
  const root = xmlRoot(text);
  return root?.name === 'bom' && root.namespace?.startsWith(namespace) === true;
}

export function bomOf(document: ReportDocument, context: ParseContext): Bom {
  return isBomJson(document.json) ? bomOfJson(document.json) : bomOfXml(document.text, context);
}

function bomOfJson(json: unknown): Bom {
  const rows = field(json, 'vulnerabilities');
  return {
    specVersion: stringAt(json, 'specVersion'),
    serialNumber: stringAt(json, 'serialNumber'),
    metadata: recordAt(json, 'metadata'),
    components: arrayAt(json, 'components'),
    dependencies: arrayAt(json, 'dependencies'),
    vulnerabilities: Array.isArray(rows)
      ? rows.map((row, index) => ({ row, pointer: `/vulnerabilities/${index}` }))
      : null,
  };
}

/** JSON writes these elements as a list of their children. */
const lists: ReadonlySet<string> = new Set([
  'advisories',
  'affects',
  'components',
  'cwes',
  'occurrences',
  'properties',
  'ratings',
  'references',
  'versions',
  'vulnerabilities',
]);

function bomOfXml(text: string, context: ParseContext): Bom {
  const components: unknown[] = [];
  const dependencies: unknown[] = [];
  const vulnerabilities: BomRow[] = [];
  const top: { metadata: JsonRecord | null; serialNumber: string | null; listed: boolean } = {
    metadata: null,
    serialNumber: null,
    listed: false,
  };
  readXml(text, context, {
    row: ['metadata', 'component', 'dependency', 'vulnerability'],
    onRoot(root) {
      top.serialNumber = attributeOf(root, 'serialNumber');
    },
    onOpen(_element, pointer) {
      if (pointer === '/bom/vulnerabilities[1]') top.listed = true;
    },
    onRow(element, pointer) {
      // Formulas and declarations hold elements with the same names.
      if (pointer.startsWith('/bom/metadata[')) top.metadata ??= metadataOf(element);
      if (pointer.startsWith('/bom/dependencies[')) dependencies.push(dependencyOf(element));
      if (pointer.startsWith('/bom/vulnerabilities[')) {
        vulnerabilities.push({ row: vulnerabilityOf(element), pointer });
      }
      if (pointer.startsWith('/bom/components[')) {
        components.push(componentOf(element, pointer, vulnerabilities));
      }
    },
  });
  return {
    specVersion: xmlRoot(text)?.namespace?.slice(namespace.length) ?? null,
    serialNumber: top.serialNumber,
    metadata: top.metadata,
    components,
    dependencies,
    vulnerabilities: top.listed || vulnerabilities.length > 0 ? vulnerabilities : null,
  };
}

/** The tools in the metadata are a list up to 1.4. Since then they hold components and services. */
function metadataOf(element: XmlElement): JsonRecord {
  const tools = childOf(element, 'tools');
  const component = childOf(element, 'component');
  return {
    timestamp: textOf(element, 'timestamp'),
    tools: childOf(tools, 'components') === null ? toolsOf(tools) : asRecord(tools && recordOf(tools, lists)),
    component: component === null ? null : componentOf(component, '/bom/metadata[1]/component[1]', []),
  };
}

function toolsOf(tools: XmlElement | null): unknown[] {
  return childrenOf(tools, 'tool').map((tool) => recordOf(tool, lists));
}

/**
 * Reads a component with its nested components. The licenses are one list in JSON, and its elements keep their names.
 * Before 1.4, an extension writes vulnerabilities inside the component that they affect: they are added to
 * `vulnerabilities`. Their own `ref` names the component, or the row, as the tool likes.
 */
function componentOf(element: XmlElement, pointer: string, vulnerabilities: BomRow[]): JsonRecord {
  const licenses = childOf(element, 'licenses')?.children ?? [];
  const ref = attributeOf(element, 'bom-ref') ?? textOf(element, 'purl') ?? pointer;
  const rows = childrenOf(childOf(element, 'vulnerabilities'), 'vulnerability');
  for (const [index, row] of rows.entries()) {
    vulnerabilities.push({
      row: { ...vulnerabilityOf(row), affects: [{ ref }] },
      pointer: `${pointer}/vulnerabilities[1]/vulnerability[${index + 1}]`,
    });
  }
  return {
    ...(rows.length > 0 ? { 'bom-ref': ref } : {}),
    ...asRecord(recordOf({ ...element, children: element.children.filter(isOwnField) }, lists)),
    licenses: licenses.map((license) => ({ [license.name]: recordOf(license, lists) })),
    components: childrenOf(childOf(element, 'components'), 'component').map((child, index) =>
      componentOf(child, `${pointer}/components[1]/component[${index + 1}]`, vulnerabilities),
    ),
  };
}

function isOwnField({ name }: XmlElement): boolean {
  return name !== 'licenses' && name !== 'components' && name !== 'vulnerabilities';
}

function dependencyOf(element: XmlElement): JsonRecord {
  return {
    ref: attributeOf(element, 'ref'),
    dependsOn: childrenOf(element, 'dependency').map((child) => attributeOf(child, 'ref')),
  };
}

/** The extension before 1.4 names the affected component in `ref`. */
function vulnerabilityOf(element: XmlElement): JsonRecord {
  const record = { ...asRecord(recordOf(element, lists)), tools: toolsOf(childOf(element, 'tools')) };
  const ref = attributeOf(element, 'ref');
  return field(record, 'affects') !== undefined || ref === null ? record : { ...record, affects: [{ ref }] };
}
