/**
 * Writes a snapshot as Trivy does: `trivy fs` with all four scanners, and `trivy image`.
 *
 * It handles only the format. It must never show the value of a secret, because Trivy masks it too.
 */
import { imageDigest } from './digest.ts';
import { type Advisory, type Ecosystem, findAdvisories } from './knowledge/advisories.ts';
import { findLicense } from './knowledge/licenses.ts';
import { getMisconfigurationCheck } from './knowledge/misconfiguration-checks.ts';
import { findOsAdvisories, type OsAdvisory } from './knowledge/os-advisories.ts';
import { getSecretRule } from './knowledge/secret-rules.ts';
import type { InstalledPackage, LocatedMisconfiguration, LocatedSecret, Snapshot } from './snapshot.ts';

const trivyVersion = '0.58.1';
const mask = '*'.repeat(20);

const purlTypes: Record<Ecosystem, string> = { npm: 'npm', pom: 'maven', gomod: 'golang', pip: 'pypi' };
const ghsaNames: Record<Ecosystem, string> = { npm: 'npm', pom: 'Maven', gomod: 'Go', pip: 'pip' };

/** A scan of the files of one commit: packages, licenses, secrets and misconfigurations. */
export function writeTrivyFilesystem(snapshot: Snapshot, createdAt: string): string {
  const results: object[] = [
    ...snapshot.manifests.map(({ path, ecosystem, packages }) => ({
      Target: path,
      Class: 'lang-pkgs',
      Type: ecosystem,
      Packages: packages.map((installed) => packageRow(installed, libraryPurl(ecosystem, installed))),
      Vulnerabilities: packages.flatMap((installed) =>
        findAdvisories(ecosystem, installed.name, installed.version).map((advisory) =>
          libraryVulnerability(ecosystem, installed, advisory),
        ),
      ),
    })),
    ...licenseResults(snapshot),
    ...misconfigurationResults(snapshot),
    ...secretResults(snapshot),
  ];
  return report('filesystem', '.', createdAt, {}, results);
}

/** A scan of one built image: the packages of its distribution. */
export function writeTrivyImage(snapshot: Snapshot, index: number, createdAt: string): string {
  const entry = snapshot.images[index];
  if (entry === undefined) throw new Error(`${snapshot.repository} has no image ${index}`);
  const { image, packages } = entry;
  const reference = `${image.name}:${createdAt.slice(0, 10).replaceAll('-', '.')}`;
  const digest = `sha256:${imageDigest(image.name, JSON.stringify(packages))}`;
  const layer = {
    Digest: digest,
    DiffID: `sha256:${imageDigest('layer', image.name, JSON.stringify(packages))}`,
  };
  const metadata = {
    OS: { Family: image.distribution, Name: image.release },
    ImageID: digest,
    DiffIDs: [layer.DiffID],
    RepoTags: [reference],
    RepoDigests: [`${image.name}@${digest}`],
    ImageConfig: { architecture: 'amd64', os: 'linux' },
  };
  const purl = (installed: InstalledPackage) => {
    const type = image.distribution === 'debian' ? 'deb' : 'apk';
    const version = installed.version.replace(/^\d+:/, '').replaceAll('+', '%2B');
    return `pkg:${type}/${image.distribution}/${installed.name}@${version}?arch=amd64&distro=${image.distribution}-${image.release}`;
  };
  return report('container_image', reference, createdAt, metadata, [
    {
      Target: `${reference} (${image.distribution} ${image.release})`,
      Class: 'os-pkgs',
      Type: image.distribution,
      Packages: packages.map((installed) => packageRow(installed, purl(installed))),
      Vulnerabilities: packages.flatMap((installed) =>
        findOsAdvisories(image.distribution, installed.name, installed.version).map((advisory) => ({
          ...vulnerabilityStart(installed, purl(installed), advisory),
          ...(advisory.fixedVersion === null ? {} : { FixedVersion: advisory.fixedVersion }),
          Status: advisory.status,
          Layer: layer,
          SeveritySource: image.distribution === 'debian' ? 'debian' : 'nvd',
          DataSource: osDataSource(image.distribution),
        })),
      ),
    },
  ]);
}

function report(type: string, name: string, createdAt: string, metadata: object, results: object[]): string {
  const log = {
    SchemaVersion: 2,
    Trivy: { Version: trivyVersion },
    CreatedAt: createdAt,
    ArtifactName: name,
    ArtifactType: type,
    Metadata: metadata,
    Results: results,
  };
  return `${JSON.stringify(log, null, 1)}\n`;
}

function packageRow({ name, version }: InstalledPackage, purl: string): object {
  const license = findLicense(name);
  return {
    ID: `${name}@${version}`,
    Name: name,
    Identifier: { PURL: purl },
    Version: version,
    ...(license === null ? {} : { Licenses: [license] }),
  };
}

function libraryPurl(ecosystem: Ecosystem, { name, version }: InstalledPackage): string {
  const path = name.replace(':', '/').replace('@', '%40');
  return `pkg:${purlTypes[ecosystem]}/${path}@${version}`;
}

function vulnerabilityStart(
  installed: InstalledPackage,
  purl: string,
  advisory: Advisory | OsAdvisory,
): object {
  return {
    VulnerabilityID: advisory.id,
    PkgID: `${installed.name}@${installed.version}`,
    PkgName: installed.name,
    PkgIdentifier: { PURL: purl },
    InstalledVersion: installed.version,
    PrimaryURL: `https://avd.aquasec.com/nvd/${advisory.id.toLowerCase()}`,
    Title: advisory.title,
    Description: `${advisory.title}. Installed is ${installed.name} ${installed.version}.`,
    Severity: advisory.severity,
    References: [`https://nvd.nist.gov/vuln/detail/${advisory.id}`],
  };
}

function libraryVulnerability(ecosystem: Ecosystem, installed: InstalledPackage, advisory: Advisory): object {
  const start = vulnerabilityStart(installed, libraryPurl(ecosystem, installed), advisory);
  const ghsaUrl = advisory.ghsa === null ? [] : [`https://github.com/advisories/${advisory.ghsa}`];
  return {
    ...start,
    ...(advisory.ghsa === null ? {} : { VendorIDs: [advisory.ghsa] }),
    ...(advisory.fixedVersions.length === 0 ? {} : { FixedVersion: advisory.fixedVersions.join(', ') }),
    Status: advisory.fixedVersions.length === 0 ? 'affected' : 'fixed',
    SeveritySource: 'ghsa',
    DataSource: {
      ID: 'ghsa',
      Name: `GitHub Security Advisory ${ghsaNames[ecosystem]}`,
      URL: `https://github.com/advisories?query=type%3Areviewed+ecosystem%3A${ghsaNames[ecosystem].toLowerCase()}`,
    },
    CweIDs: [advisory.cwe],
    CVSS: { nvd: { V3Vector: advisory.vector, V3Score: advisory.score } },
    References: [`https://nvd.nist.gov/vuln/detail/${advisory.id}`, ...ghsaUrl],
  };
}

function osDataSource(distribution: 'debian' | 'alpine'): object {
  return distribution === 'debian'
    ? {
        ID: 'debian',
        Name: 'Debian Security Tracker',
        URL: 'https://salsa.debian.org/security-tracker-team/security-tracker',
      }
    : { ID: 'alpine', Name: 'Alpine Secdb', URL: 'https://secdb.alpinelinux.org/' };
}

function licenseResults(snapshot: Snapshot): object[] {
  return [...Map.groupBy(snapshot.licenses, (row) => row.manifest)].map(([manifest, rows]) => ({
    Target: manifest,
    Class: 'license',
    Licenses: rows.map((row) => ({
      Severity: row.severity,
      Category: row.category,
      PkgName: row.package,
      FilePath: '',
      Name: row.license,
      Text: '',
      Confidence: 1,
      Link: `https://spdx.org/licenses/${row.license}.html`,
    })),
  }));
}

function misconfigurationResults(snapshot: Snapshot): object[] {
  return [...Map.groupBy(snapshot.misconfigurations, (row) => row.path)].map(([path, rows]) => ({
    Target: path,
    Class: 'config',
    Type: misconfigurationType(path),
    MisconfSummary: { Successes: 20, Failures: rows.length },
    Misconfigurations: rows.map(misconfiguration),
  }));
}

function misconfigurationType(path: string): 'terraform' | 'kubernetes' | 'dockerfile' {
  if (path.endsWith('.tf')) return 'terraform';
  return path.endsWith('Dockerfile') ? 'dockerfile' : 'kubernetes';
}

function misconfiguration(row: LocatedMisconfiguration): object {
  const check = getMisconfigurationCheck(row.check);
  const type = misconfigurationType(row.path);
  const configNames = { terraform: 'Terraform', kubernetes: 'Kubernetes', dockerfile: 'Dockerfile' }[type];
  const avdId = check.id.startsWith('AVD-') ? check.id : check.id.replace(/(\D+)(\d+)/, 'AVD-$1-0$2');
  const url = `https://avd.aquasec.com/misconfig/${avdId.slice('AVD-'.length).toLowerCase()}`;
  return {
    Type: `${configNames} Security Check`,
    ID: check.id,
    AVDID: avdId,
    Title: check.title,
    Description: `${check.title}.`,
    Message: `${row.resource}: ${check.title}`,
    Resolution: check.resolution,
    Severity: check.severity,
    PrimaryURL: url,
    References: [url],
    Status: 'FAIL',
    CauseMetadata: {
      Resource: row.resource,
      Provider: type === 'terraform' ? 'AWS' : configNames,
      Service: check.service,
      StartLine: row.startLine,
      EndLine: row.endLine,
      Code: { Lines: [codeLine(row.startLine, row.code)] },
    },
  };
}

function secretResults(snapshot: Snapshot): object[] {
  const known = snapshot.secrets.filter(
    (secret) => secret.live && getSecretRule(secret.kind).trivyId !== null,
  );
  return [...Map.groupBy(known, (secret) => secret.path)].map(([path, secrets]) => ({
    Target: path,
    Class: 'secret',
    Secrets: secrets.map(secretRow),
  }));
}

function secretRow(secret: LocatedSecret): object {
  const rule = getSecretRule(secret.kind);
  const match = `${secret.before}${mask}${secret.after}`;
  return {
    RuleID: rule.trivyId,
    Category: rule.category,
    Severity: rule.severity,
    Title: rule.title,
    StartLine: secret.line,
    EndLine: secret.line,
    Code: { Lines: [codeLine(secret.line, match)] },
    Match: match,
    Layer: {},
  };
}

function codeLine(number: number, content: string): object {
  return {
    Number: number,
    Content: content,
    IsCause: true,
    Annotation: '',
    Truncated: false,
    FirstCause: true,
    LastCause: true,
  };
}
