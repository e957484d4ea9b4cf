/**
 * The parts that all encodings of SPDX share: the run of an inventory, its packages and their references to advisories.
 */
import { advisoriesIn, newFinding, newRun } from '../reading/finding.ts';
import { gapOfEverything } from '../reading/gaps.ts';
import { imageCategory, parseImage } from '../reading/images.ts';
import type { ParseContext } from '../reading/limits.ts';
import { newManifest, packageOfName, typeOfPackage } from '../reading/packages.ts';
import { repositoryPath } from '../reading/paths.ts';
import { cleanName, safeLinks, safeText } from '../reading/text.ts';
import type { ReportFinding, ReportInventoryPackage, ReportPackage, Run } from '../report.ts';

export interface SpdxInventory {
  /** The name of the subject, or of the document. */
  name: string;
  /** The subject is a container image. */
  isImage: boolean;
  version: string | null;
  packages: ReportInventoryPackage[];
  findings: ReportFinding[];
}

export function runOfInventory(inventory: SpdxInventory, context: ParseContext): Run {
  const { isImage, version, packages, findings } = inventory;
  const name = cleanName(inventory.name, context);
  const image = isImage ? imageCategory(name) : '';
  const types = new Set(packages.map(({ purl }) => purl.slice(0, purl.indexOf('/'))));
  return newRun({
    tool: 'spdx',
    category: image,
    findings,
    // A list of packages alone does not cover their vulnerabilities, nor does it show that those of another list are
    // fixed.
    analysisTypes: [],
    gaps: context.rows === 0 ? gapOfEverything : [],
    image: isImage ? parseImage(name, version) : null,
    manifests:
      packages.length === 0
        ? []
        : [
            newManifest(
              image || (repositoryPath(name) ?? 'sbom'),
              packages,
              isImage ? 'image' : types.size === 1 ? null : 'sbom',
            ),
          ],
  });
}

/** Returns the package of a finding that has no package URL. */
export function unlistedPackage(
  name: string | null,
  version: string | null,
  context: ParseContext,
): ReportPackage | null {
  return packageOfName({ type: 'generic', namespace: null }, name, version, context);
}

/** Says that the inventory does not have a package, which `unlistedPackage` may still name in a finding. */
export function warnOfUnlisted(context: ParseContext): void {
  context.warn('Packages without a package URL were left out of the inventory.');
}

/** Returns null, with a warning, for an address without an id. */
export function advisoryFinding(
  locator: string,
  comment: string | null,
  pointer: string,
  named: ReportPackage,
  context: ParseContext,
): ReportFinding | null {
  const [id] = advisoriesIn(locator);
  if (id === undefined) {
    context.warn('References to advisories without an id of a CVE, GHSA or MAL were left out.');
    return null;
  }
  return newFinding({
    pointer,
    type: typeOfPackage(named),
    severity: 'unknown',
    title: `${id} in ${named.name}`,
    description: safeText(comment, context),
    rule: id,
    advisories: [id],
    package: named,
    links: safeLinks([locator]),
  });
}

/** Returns the version; null for the words that mean none. */
export function versionName(written: string | null): string | null {
  return written === null || /^\s*(?:NOASSERTION|NONE|UNKNOWN)?\s*$/i.test(written) ? null : written;
}

/** Returns the license; null for the words that mean none. */
export function licenseName(license: string | null): string | null {
  return license === null || /^(?:NOASSERTION|NONE)?\s*$/.test(license) ? null : license;
}
