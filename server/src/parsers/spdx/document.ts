/**
 * The content of an SPDX 2 document: packages, and what their relationships say of them. A package may refer to
 * advisories: each is a row and a finding without a severity.
 */

import { type DistributionFacts, distributionOf, qualifiersOf } from '../reading/distributions.ts';
import { arrayAt, field, stringAt, stringsAt } from '../reading/json.ts';
import { licensesOf } from '../reading/licenses.ts';
import type { ParseContext } from '../reading/limits.ts';
import { listedPackage } from '../reading/packages.ts';
import { isSystemPurl } from '../reading/purl.ts';
import { newReport } from '../reading/rows.ts';
import type { Report, ReportFinding, ReportInventoryPackage, ReportPackage } from '../report.ts';
import {
  advisoryFinding,
  licenseName,
  runOfInventory,
  unlistedPackage,
  versionName,
  warnOfUnlisted,
} from './inventory.ts';

export function readDocument(document: unknown, pointer: string, context: ParseContext): Report {
  const described = describedBy(document);
  const direct = directOf(document, described);
  const packages: ReportInventoryPackage[] = [];
  const findings: ReportFinding[] = [];
  let subject: unknown = null;
  for (const [index, row] of arrayAt(document, 'packages').entries()) {
    const ref = stringAt(row, 'SPDXID');
    const version = versionName(stringAt(row, 'versionInfo'));
    const named = listedPackage(purlOf(row), stringAt(row, 'name'), version, context);
    const affected = named ?? unlistedPackage(stringAt(row, 'name'), version, context);
    if (affected !== null) {
      for (const finding of advisoriesOf(row, `${pointer}/packages/${index}`, affected, context))
        findings.push(finding);
    }
    if (ref !== null && described.has(ref)) {
      subject ??= row;
      continue;
    }
    if (named === null) {
      warnOfUnlisted(context);
      continue;
    }
    const isDirect = direct === null || ref === null || isSystemPurl(named.purl) ? null : direct.has(ref);
    packages.push({
      ...named,
      licenses: licensesOf(declaredLicense(row), context),
      direct: isDirect,
      ...distributionOf(named, factsOf(row)),
    });
  }
  const inventory = {
    name: stringAt(subject, 'name') ?? stringAt(document, 'name') ?? '',
    isImage: stringAt(subject, 'primaryPackagePurpose')?.toUpperCase() === 'CONTAINER',
    version: versionName(stringAt(subject, 'versionInfo')),
    packages,
    findings,
  };
  return newReport('spdx', context, [runOfInventory(inventory, context)]);
}

interface Relationship {
  from: string;
  type: string;
  to: string;
}

function* relationshipsOf(document: unknown): Generator<Relationship> {
  for (const row of arrayAt(document, 'relationships')) {
    const from = stringAt(row, 'spdxElementId');
    const type = stringAt(row, 'relationshipType');
    const to = stringAt(row, 'relatedSpdxElement');
    if (from !== null && type !== null && to !== null) yield { from, type, to };
  }
}

/** Returns the subject of the document if there is only one. With several subjects, each is an ordinary package. */
function describedBy(document: unknown): ReadonlySet<string> {
  const described = new Set(stringsAt(document, 'documentDescribes'));
  for (const { from, type, to } of relationshipsOf(document)) {
    if (type === 'DESCRIBES' && from === 'SPDXRef-DOCUMENT') described.add(to);
    if (type === 'DESCRIBED_BY' && to === 'SPDXRef-DOCUMENT') described.add(from);
  }
  return described.size === 1 ? described : new Set();
}

/**
 * Gives null if the document does not list the dependencies of its subject. The packages it contains do not show that.
 */
function directOf(document: unknown, described: ReadonlySet<string>): ReadonlySet<string> | null {
  const direct = new Set<string>();
  for (const { from, type, to } of relationshipsOf(document)) {
    if (type === 'DEPENDS_ON' && described.has(from)) direct.add(to);
    if (/^(?:[A-Z]+_)?DEPENDENCY_OF$/.test(type) && described.has(to)) direct.add(from);
  }
  return direct.size === 0 ? null : direct;
}

function purlOf(row: unknown): string | null {
  for (const reference of arrayAt(row, 'externalRefs')) {
    // The category is spelled with a dash or an underscore, but the type is the same in both.
    if (stringAt(reference, 'referenceType') === 'purl') return stringAt(reference, 'referenceLocator');
  }
  return null;
}

/** Trivy writes the source as a text, Syft into the package URL. */
function factsOf(row: unknown): DistributionFacts {
  const written = qualifiersOf(purlOf(row));
  const [, name, version = null] =
    /^built package from: (\S+) (\S+)$/.exec(stringAt(row, 'sourceInfo') ?? '') ?? [];
  return name === undefined ? written : { ...written, source: { name, version } };
}

/** References to a fix or to more information are no sign of a vulnerability, and those to a CPE name the package. */
function advisoriesOf(
  row: unknown,
  pointer: string,
  named: ReportPackage,
  context: ParseContext,
): ReportFinding[] {
  const findings: ReportFinding[] = [];
  for (const [index, reference] of arrayAt(row, 'externalRefs').entries()) {
    if (stringAt(reference, 'referenceType') !== 'advisory') continue;
    const at = `${pointer}/externalRefs/${index}`;
    context.addRows(1, at);
    const locator = stringAt(reference, 'referenceLocator') ?? '';
    const finding = advisoryFinding(locator, stringAt(reference, 'comment'), at, named, context);
    if (finding !== null) findings.push(finding);
  }
  return findings;
}

function declaredLicense(row: unknown): string[] {
  for (const key of ['licenseDeclared', 'licenseConcluded']) {
    const license = field(row, key);
    const name = typeof license === 'string' ? licenseName(license) : null;
    if (name !== null) return [name];
  }
  return [];
}
