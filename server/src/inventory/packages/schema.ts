/** Packages as the API shows them. */
import { Type } from 'typebox';
import { formatId } from '../../domain/ids.ts';
import { severities } from '../../domain/packed-state.ts';
import { highestOfGroup, purlTypeOf } from '../../domain/versions.ts';
import { BySeverity, bySeverityOf, severityCountsOf } from '../../http/by-severity.ts';
import { extendedObject, NullableString, namedObject, oneOf, RepositoryBrief } from '../../http/schema.ts';
import type { AdvisoryRow, UsageRow, VersionRow } from './detail-store.ts';
import type { PackageRow } from './list-store.ts';

const Licenses = Type.Array(Type.String(), {
  title: 'PackageLicenses',
  description: 'SPDX ids, choices such as MIT OR Zlib, or other names from reports.',
});

export const PackageItem = namedObject('Package', {
  id: Type.String(),
  purl: Type.String({ description: 'Package URL, without version.' }),
  ecosystem: Type.String({ description: 'Type of the package URL: npm, maven, deb and so on.' }),
  namespace: NullableString,
  name: Type.String(),
  versions: Type.Integer({ description: 'Number of versions in use.' }),
  repositories: Type.Integer({ description: 'Number of repositories that use it.' }),
  licenses: Licenses,
  open: Type.Integer({ description: 'Number of vulnerabilities that are open on tracked references.' }),
  open_by_severity: BySeverity,
});

const PackageVersion = namedObject('PackageVersion', {
  id: Type.String(),
  version: NullableString,
  purl: Type.String(),
  repositories: Type.Integer(),
  licenses: Licenses,
  open: Type.Integer({ description: 'Number of open vulnerabilities of the package in this version.' }),
  open_by_severity: BySeverity,
});

const PackageAdvisory = namedObject('PackageAdvisory', {
  advisory: Type.String(),
  title: Type.String(),
  severity: oneOf(severities),
  fix_version: NullableString,
  open: Type.Integer({ description: 'Number of open vulnerabilities: one for each affected repository.' }),
});

/** Maximum number of versions, and of advisories, that the answer about a package shows. */
export const maxVersions = 200;
export const maxShownAdvisories = 100;

export const PackageDetail = extendedObject('PackageDetail', PackageItem, {
  used_versions: Type.Array(PackageVersion, {
    description: `At most ${maxVersions} versions, those that most repositories use first.`,
  }),
  advisories: Type.Array(PackageAdvisory, {
    description: `At most ${maxShownAdvisories} advisories of the open vulnerabilities, the most severe first.`,
  }),
});

export const PackageUsage = namedObject('PackageUsage', {
  repository: RepositoryBrief,
  reference: namedObject('UsageReference', {
    id: Type.String(),
    full_ref: Type.String(),
    is_default: Type.Boolean(),
  }),
  version_id: Type.String(),
  version: NullableString,
  manifest: Type.String({ description: 'Path of the file, or name of the image, that lists the package.' }),
  direct: Type.Union([Type.Boolean(), Type.Null()], {
    description:
      'True: the manifest itself names the package (a direct dependency); null if no report says so.',
  }),
  open: Type.Integer({ description: 'Number of open vulnerabilities of the package in this repository.' }),
  open_by_severity: BySeverity,
});

export const License = namedObject('License', {
  name: Type.String(),
  packages: Type.Integer({
    description: 'Number of packages with this license in a version that is in use.',
  }),
});

export const Ecosystem = namedObject('Ecosystem', {
  ecosystem: Type.String({ description: 'Type of package URL, such as npm.' }),
});

export function packageItem(row: PackageRow) {
  return {
    id: formatId('package', row.id),
    purl: row.purl,
    ecosystem: row.package_type,
    namespace: row.namespace,
    name: row.name,
    versions: row.versions,
    repositories: row.repositories,
    licenses: row.licenses,
    ...openOf(row),
  };
}

export function packageDetail(row: PackageRow, versions: VersionRow[], advisories: AdvisoryRow[]) {
  return {
    ...packageItem(row),
    used_versions: versions.map((version) => ({
      id: formatId('packageVersion', version.id),
      version: versionOf(version),
      purl: version.purl,
      repositories: version.repositories,
      licenses: version.licenses,
      ...openOf(version),
    })),
    advisories: advisories.map(({ vulnerabilities, fix_versions: versions, ...advisory }) => ({
      ...advisory,
      fix_version: highestOfGroup(purlTypeOf(row.purl), versions),
      open: vulnerabilities,
    })),
  };
}

export function packageUsage(row: UsageRow) {
  return {
    repository: { id: formatId('repository', row.repository_id), full_name: row.full_name },
    reference: {
      id: formatId('reference', row.reference_id),
      full_ref: row.full_ref,
      is_default: row.is_default,
    },
    version_id: formatId('packageVersion', row.version_id),
    version: versionOf(row),
    manifest: row.path,
    direct: row.direct,
    ...openOf(row),
  };
}

// The database has no null in the key of a version.
function versionOf({ version }: { version: string }): string | null {
  return version === '' ? null : version;
}

function openOf({ open }: Pick<PackageRow, 'open'>) {
  const counts = severityCountsOf(open);
  return { open: counts.reduce((sum, { n }) => sum + n, 0), open_by_severity: bySeverityOf(counts) };
}
