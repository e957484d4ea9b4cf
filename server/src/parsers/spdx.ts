/**
 * Owns SPDX 2.2 and 2.3 as JSON: an inventory of packages. Its run has the format's own name and closes nothing of the
 * tool that wrote it. A package may refer to advisories: each is a row and a finding without a severity.
 */
import type { Format } from './format.ts';
import type { ReportDocument } from './reading/decode.ts';
import { advisoriesIn, newFinding, newRun } from './reading/finding.ts';
import { imageCategory, parseImage } from './reading/images.ts';
import { arrayAt, field, recordAt, stringAt, stringsAt } from './reading/json.ts';
import type { ParseContext } from './reading/limits.ts';
import { newManifest, packageArtifact, packageOfPurl, typeOfPackage } from './reading/packages.ts';
import { repositoryPath } from './reading/paths.ts';
import { isSystemPurl } from './reading/purl.ts';
import { cleanName, safeLinks, safeText, timestamp } from './reading/text.ts';
import {
  type Report,
  ReportError,
  type ReportFinding,
  type ReportInventoryPackage,
  type ReportPackage,
} from './report.ts';

export const spdx: Format = {
  name: 'spdx',
  marks: ['spdxVersion', 'SPDXID', 'packages', 'relationships'],
  recognises,
  parse,
};

function recognises({ json }: ReportDocument): boolean {
  return versionOf(json) !== null || isVersion3(json);
}

/** GitHub's dependency graph wraps its document in `sbom`. */
function documentOf(json: unknown): { document: unknown; pointer: string } {
  const inside = recordAt(json, 'sbom');
  return stringAt(inside, 'spdxVersion') === null
    ? { document: json, pointer: '' }
    : { document: inside, pointer: '/sbom' };
}

function versionOf(json: unknown): string | null {
  const version = stringAt(documentOf(json).document, 'spdxVersion');
  return version?.startsWith('SPDX-') === true ? version.slice('SPDX-'.length) : null;
}

function isVersion3(json: unknown): boolean {
  return stringsAt(json, '@context').some((context) =>
    /^https?:\/\/spdx\.(?:org|github\.io)\//.test(context),
  );
}

function parse({ json }: ReportDocument, context: ParseContext): Report {
  const { document, pointer } = documentOf(json);
  if (versionOf(json)?.startsWith('2.') !== true) {
    throw new ReportError('UNKNOWN_FORMAT', 'This version of SPDX is not read: versions 2.2 and 2.3 are.', {
      pointer: `${pointer}/${isVersion3(json) ? '@context' : 'spdxVersion'}`,
    });
  }
  const described = describedBy(document);
  const direct = directOf(document, described);
  const packages: ReportInventoryPackage[] = [];
  const findings: ReportFinding[] = [];
  let subject: unknown = null;
  for (const [index, row] of arrayAt(document, 'packages').entries()) {
    const ref = stringAt(row, 'SPDXID');
    if (ref !== null && described.has(ref)) {
      subject ??= row;
      continue;
    }
    const named = packageOfPurl(purlOf(row), null, stringAt(row, 'versionInfo'), context);
    if (named === null) {
      context.warn('Packages without a package URL were left out of the inventory.');
      continue;
    }
    const isDirect = direct === null || ref === null || isSystemPurl(named.purl) ? null : direct.has(ref);
    packages.push({ ...named, licenses: licensesOf(row, context), direct: isDirect });
    findings.push(...advisoriesOf(row, `${pointer}/packages/${index}`, named, context));
  }
  const name = cleanName(stringAt(subject, 'name') ?? stringAt(document, 'name') ?? '', context);
  const isImage = stringAt(subject, 'primaryPackagePurpose')?.toUpperCase() === 'CONTAINER';
  const image = isImage ? imageCategory(name) : '';
  const types = new Set(packages.map(({ purl }) => purl.slice(0, purl.indexOf('/'))));
  return {
    format: spdx.name,
    read: context.rows,
    runs: [
      newRun({
        tool: spdx.name,
        category: image,
        ranAt: timestamp(stringAt(recordAt(document, 'creationInfo'), 'created')),
        findings,
        // A list of packages alone says nothing about their vulnerabilities.
        ...(findings.length === 0 ? { analysisTypes: [] } : {}),
        image: isImage ? parseImage(name, stringAt(subject, 'versionInfo')) : null,
        manifests: [
          newManifest(
            image || (repositoryPath(name) ?? 'sbom'),
            packages,
            isImage ? 'image' : types.size === 1 ? null : 'sbom',
          ),
        ],
      }),
    ],
    unreadable: [],
    statements: [],
    warnings: context.warnings,
  };
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

/** Gives the subject of the document if there is only one. With several subjects, each is an ordinary package. */
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
    const comment = safeText(stringAt(reference, 'comment'), context);
    const [id] = advisoriesIn(locator);
    if (id === undefined) {
      context.warn('References to advisories without an id of a CVE or GHSA were left out.');
      continue;
    }
    findings.push(
      newFinding({
        pointer: at,
        type: typeOfPackage(named),
        severity: 'unknown',
        title: `${id} in ${named.name}`,
        description: comment,
        rule: id,
        advisories: [id],
        package: named,
        artifact: packageArtifact(named),
        links: safeLinks([locator]),
      }),
    );
  }
  return findings;
}

function licensesOf(row: unknown, context: ParseContext): string[] {
  for (const key of ['licenseDeclared', 'licenseConcluded']) {
    const license = field(row, key);
    if (typeof license !== 'string' || /^(?:NOASSERTION|NONE)?\s*$/.test(license)) continue;
    return [cleanName(license, context)];
  }
  return [];
}
