/**
 * Small reports of scanners in their own formats, for tests of the import: packages by four tools, an image, secrets,
 * VEX. Only the values that a test varies are parameters. (`reports.ts` has SARIF, and Trivy's scan of files.)
 */

export interface Advisory {
  id: string;
  /** Other names of the same advisory. */
  aliases?: string[];
  package: string;
  version: string;
  severity?: 'critical' | 'high' | 'medium' | 'low';
  title?: string;
  fixed?: string;
  path?: string;
}

/** A scan of a directory, with packages from package-lock.json. */
export function grype(advisories: Advisory[]) {
  return {
    matches: advisories.map((row) => ({
      vulnerability: {
        id: row.id,
        severity: capital(row.severity ?? 'high'),
        description: row.title ?? '',
        fix: { versions: row.fixed ? [row.fixed] : [], state: row.fixed ? 'fixed' : 'unknown' },
      },
      relatedVulnerabilities: (row.aliases ?? []).map((id) => ({ id })),
      artifact: {
        name: row.package,
        version: row.version,
        type: 'npm',
        purl: `pkg:npm/${row.package}@${row.version}`,
        locations: [{ path: `/${row.path ?? 'package-lock.json'}` }],
      },
    })),
    source: { type: 'directory', target: '.' },
    descriptor: { name: 'grype', version: '0.94.0' },
  };
}

export function osvScanner(advisories: Advisory[]) {
  return {
    results: advisories.map((row) => ({
      source: { path: row.path ?? 'package-lock.json', type: 'lockfile' },
      packages: [
        {
          package: { name: row.package, version: row.version, ecosystem: 'npm' },
          vulnerabilities: [
            {
              id: row.id,
              aliases: row.aliases ?? [],
              summary: row.title ?? '',
              database_specific: { severity: (row.severity ?? 'high').toUpperCase() },
              affected: [
                {
                  package: { name: row.package, ecosystem: 'npm' },
                  ranges: [
                    {
                      type: 'SEMVER',
                      events: [{ introduced: '0' }, ...(row.fixed ? [{ fixed: row.fixed }] : [])],
                    },
                  ],
                },
              ],
            },
          ],
          groups: [{ ids: [row.id] }],
        },
      ],
    })),
    experimental_config: {},
  };
}

/** npm 7 and later: the address contains the id, and there is no CVE. */
export function npmAudit(advisories: Advisory[]) {
  const packages = Map.groupBy(advisories, (row) => row.package);
  return {
    auditReportVersion: 2,
    vulnerabilities: Object.fromEntries(
      [...packages].map(([name, rows]) => [
        name,
        {
          name,
          severity: npmWord(rows[0]?.severity ?? 'high'),
          via: rows.map((row) => ({
            name,
            title: row.title ?? '',
            url: `https://github.com/advisories/${row.id}`,
            severity: npmWord(row.severity ?? 'high'),
            range: row.fixed ? `<${row.fixed}` : '*',
          })),
          nodes: [`node_modules/${name}`],
        },
      ]),
    ),
    metadata: {},
  };
}

/** Trivy's scan of an image, with packages of its system. */
export function trivyImage(image: string, advisories: Advisory[], { system = '12.5' } = {}) {
  return {
    SchemaVersion: 2,
    ArtifactName: image,
    ArtifactType: 'container_image',
    Metadata: { OS: { Family: 'debian', Name: system } },
    Results: [
      {
        Target: `${image} (debian ${system})`,
        Class: 'os-pkgs',
        Type: 'debian',
        Vulnerabilities: advisories.map((row) => ({
          VulnerabilityID: row.id,
          PkgName: row.package,
          InstalledVersion: row.version,
          Severity: (row.severity ?? 'high').toUpperCase(),
          PkgIdentifier: { PURL: `pkg:deb/debian/${row.package}@${row.version}?distro=debian-${system}` },
        })),
      },
    ],
  };
}

export interface Leak {
  rule?: string;
  path: string;
  line: number;
  /** The secret, or the mask that the tool writes in its place. */
  secret: string;
  /** The line that contains the secret. */
  text: string;
}

/** A scan of the current tree, without a commit. */
export function gitleaks(leaks: Leak[]) {
  return leaks.map((leak) => ({
    RuleID: leak.rule ?? 'generic-api-key',
    Description: 'Generic API key',
    File: leak.path,
    StartLine: leak.line,
    Secret: leak.secret,
    Match: leak.text,
  }));
}

/** Trivy masks the secrets that it finds. */
export function trivySecrets(leaks: { rule?: string; path: string; line: number; masked: string }[]) {
  return {
    SchemaVersion: 2,
    ArtifactName: '.',
    ArtifactType: 'filesystem',
    Results: leaks.map((leak) => ({
      Target: leak.path,
      Class: 'secret',
      Secrets: [
        {
          RuleID: leak.rule ?? 'generic-api-key',
          Category: 'General',
          Severity: 'HIGH',
          Title: 'Generic API key',
          StartLine: leak.line,
          EndLine: leak.line,
          Match: leak.masked,
        },
      ],
    })),
  };
}

/** The same secrets as Trivy writes them in SARIF. */
export function trivySecretsSarif(leaks: Parameters<typeof trivySecrets>[0]) {
  const results = leaks.map((leak) => ({
    ruleId: leak.rule ?? 'generic-api-key',
    ruleIndex: 0,
    level: 'error',
    message: {
      text: `Artifact: ${leak.path}\nType: \nSecret Generic API key\nSeverity: HIGH\nMatch: ${leak.masked}`,
    },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: leak.path, uriBaseId: 'ROOTPATH' },
          region: { startLine: leak.line, endLine: leak.line },
        },
      },
    ],
  }));
  const rules = [{ id: 'generic-api-key', name: 'Secret', shortDescription: { text: 'Generic API key' } }];
  return { version: '2.1.0', runs: [{ tool: { driver: { name: 'Trivy', rules } }, results }] };
}

export interface VexRow {
  id: string;
  aliases?: string[];
  status: 'not_affected' | 'affected' | 'fixed' | 'under_investigation';
  /** With or without version. Without a package URL the whole repository is meant. */
  purl?: string;
}

/** With `at` null, the document has no date. */
export function openvex(rows: VexRow[], at: Date | null) {
  return {
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': 'https://acme.example/vex/1',
    author: 'Security of Acme',
    version: 1,
    ...(at === null ? {} : { timestamp: at.toISOString() }),
    statements: rows.map((row) => ({
      vulnerability: { name: row.id, aliases: row.aliases ?? [] },
      products: [{ '@id': row.purl ?? 'https://acme.example/shop' }],
      status: row.status,
      ...(row.status === 'not_affected' ? { justification: 'vulnerable_code_not_in_execute_path' } : {}),
    })),
  };
}

function npmWord(severity: string): string {
  return severity === 'medium' ? 'moderate' : severity;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
