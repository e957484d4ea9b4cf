/**
 * The packages of an SPDX 3 graph: which of them the document is about, their licenses, and which of them the subject
 * names itself. What the graph says about vulnerabilities is in `assessments.ts`.
 */

import { distributionOf, qualifiersOf } from '../reading/distributions.ts';
import { stringAt } from '../reading/json.ts';
import { licensesOf } from '../reading/licenses.ts';
import type { ParseContext } from '../reading/limits.ts';
import { listedPackage } from '../reading/packages.ts';
import { isSystemPurl } from '../reading/purl.ts';
import { newReport } from '../reading/rows.ts';
import type { Report, ReportFinding, ReportInventoryPackage, ReportPackage } from '../report.ts';
import { readAssessments } from './assessments.ts';
import {
  type Element,
  elementsOf,
  externalIdentifiersOf,
  type GraphPackage,
  lastName,
  propertyAt,
  referencesOf,
  refsAt,
} from './elements.ts';
import {
  advisoryFinding,
  licenseName,
  runOfInventory,
  unlistedPackage,
  versionName,
  warnOfUnlisted,
} from './inventory.ts';

export { isGraph } from './elements.ts';

export function readGraph(json: unknown, context: ParseContext): Report {
  const elements = elementsOf(json);
  const packages = packagesOf(elements, context);
  const subject = subjectOf(elements, packages);
  const findings: ReportFinding[] = [];
  for (const { element, named } of packages.values()) {
    if (named === null) continue;
    for (const finding of advisoriesOf(element, named, context)) findings.push(finding);
  }
  // A document about a single package has no other packages.
  const assessed = readAssessments(elements, packages, packages.size > 1 ? subject : null, context);
  for (const finding of assessed.findings) findings.push(finding);
  const isStatementsOnly = packages.size === 0 && findings.length === 0 && assessed.statements.length > 0;
  return {
    ...newReport(
      'spdx',
      context,
      isStatementsOnly
        ? []
        : [runOfInventory({ ...describe(elements, packages, subject, context), findings }, context)],
    ),
    statements: assessed.statements,
  };
}

function packagesOf(elements: readonly Element[], context: ParseContext): Map<string, GraphPackage> {
  const packages = new Map<string, GraphPackage>();
  for (const element of elements) {
    const { kind, id, record, pointer } = element;
    if (!/^(?:AI|Dataset)?Package$/.test(kind)) continue;
    const version = versionName(propertyAt(record, 'software', 'packageVersion'));
    const purl =
      propertyAt(record, 'software', 'packageUrl') ??
      externalIdentifiersOf(record, ['packageurl', 'purl'])[0] ??
      null;
    const listed = listedPackage(purl, stringAt(record, 'name'), version, context);
    const named = listed ?? unlistedPackage(stringAt(record, 'name'), version, context);
    packages.set(id ?? pointer, { element, named, purl, isListed: listed !== null });
  }
  return packages;
}

/** The kinds that are a set of elements. Their roots are their subjects. */
const collections: ReadonlySet<string> = new Set([
  'SpdxDocument',
  'Sbom',
  'Bom',
  'Bundle',
  'ElementCollection',
]);

/** Returns the id of the package that the document is about; null if there is none, or several. */
function subjectOf(elements: readonly Element[], packages: ReadonlyMap<string, GraphPackage>): string | null {
  const roots = new Map<string, string[]>();
  const documents: string[] = [];
  for (const { kind, id, record } of elements) {
    if (id === null || !collections.has(kind)) continue;
    roots.set(id, refsAt(record, 'rootElement'));
    if (kind === 'SpdxDocument') documents.push(id);
  }
  for (const { from, type, to } of relationshipsOf(elements)) {
    if (type === 'describes') for (const id of to) roots.get(from)?.push(id);
  }
  const open = documents.length > 0 ? documents : [...roots.keys()];
  const seen = new Set(open);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const root of roots.get(next) ?? []) {
      if (seen.has(root)) continue;
      seen.add(root);
      open.push(root);
    }
  }
  const subjects = [...seen].filter((id) => packages.has(id));
  return subjects.length === 1 ? (subjects[0] ?? null) : null;
}

interface Relationship {
  from: string;
  type: string;
  to: string[];
}

function* relationshipsOf(elements: readonly Element[]): Generator<Relationship> {
  for (const { kind, record } of elements) {
    if (kind !== 'Relationship' && kind !== 'LifecycleScopedRelationship') continue;
    const [from] = refsAt(record, 'from');
    const type = lastName(stringAt(record, 'relationshipType') ?? '');
    if (from !== undefined) yield { from, type, to: refsAt(record, 'to') };
  }
}

const dependencyTypes: ReadonlySet<string> = new Set([
  'dependsOn',
  'hasOptionalDependency',
  'hasProvidedDependency',
]);

function describe(
  elements: readonly Element[],
  packages: ReadonlyMap<string, GraphPackage>,
  subject: string | null,
  context: ParseContext,
) {
  const direct = new Set<string>();
  const licenses = new Map<string, { declared: string[]; concluded: string[] }>();
  for (const { from, type, to } of relationshipsOf(elements)) {
    if (from === subject && dependencyTypes.has(type)) for (const id of to) direct.add(id);
    const kind =
      type === 'hasDeclaredLicense' ? 'declared' : type === 'hasConcludedLicense' ? 'concluded' : null;
    if (kind === null) continue;
    const known = licenses.get(from) ?? { declared: [], concluded: [] };
    for (const id of to) known[kind].push(id);
    licenses.set(from, known);
  }
  const nameOf = licenseNames(elements);
  const listed: ReportInventoryPackage[] = [];
  for (const [id, { named, purl, isListed }] of packages) {
    if (id === subject) continue;
    if (named === null || !isListed) {
      warnOfUnlisted(context);
      continue;
    }
    const { declared = [], concluded = [] } = licenses.get(id) ?? {};
    const names = [declared, concluded].map((ids) => ids.map(nameOf).filter((name) => name !== null));
    listed.push({
      ...named,
      licenses: licensesOf(names.find((found) => found.length > 0) ?? [], context),
      direct: direct.size === 0 || isSystemPurl(named.purl) ? null : direct.has(id),
      ...distributionOf(named, qualifiersOf(purl)),
    });
  }
  const record = subject === null ? undefined : packages.get(subject)?.element.record;
  const document =
    elements.find(({ kind }) => kind === 'SpdxDocument') ??
    elements.find(({ kind }) => collections.has(kind));
  return {
    name: stringAt(record, 'name') ?? stringAt(document?.record, 'name') ?? '',
    isImage:
      lastName(record === undefined ? '' : (propertyAt(record, 'software', 'primaryPurpose') ?? '')) ===
      'container',
    version: record === undefined ? null : versionName(propertyAt(record, 'software', 'packageVersion')),
    packages: listed,
  };
}

/** Returns the name of a license by its id: an expression, a listed license, or a custom one by its name. */
function licenseNames(elements: readonly Element[]): (id: string) => string | null {
  const names = new Map<string, string>();
  for (const { id, record } of elements) {
    const name = propertyAt(record, 'simplelicensing', 'licenseExpression') ?? stringAt(record, 'name');
    if (id !== null && name !== null) names.set(id, name);
  }
  return (id) => {
    const isListed = /^https?:\/\/spdx\.org\/licenses\//.test(id);
    const name = isListed ? id.slice(id.lastIndexOf('/') + 1).replace(/\.(?:html|json)$/, '') : names.get(id);
    return /(?:NoAssertion|None)(?:License)?$/.test(id) ? null : licenseName(name ?? null);
  };
}

function advisoriesOf(element: Element, named: ReportPackage, context: ParseContext): ReportFinding[] {
  const findings: ReportFinding[] = [];
  for (const { type, locators, comment, pointer } of referencesOf(element)) {
    if (type !== 'securityAdvisory') continue;
    context.addRows(1, pointer);
    const finding = advisoryFinding(locators.join(' '), comment, pointer, named, context);
    if (finding !== null) findings.push(finding);
  }
  return findings;
}
