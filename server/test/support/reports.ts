/**
 * Small reports for tests: SARIF of a code scanner, Trivy JSON of packages. Only the values that a test varies are
 * parameters.
 */

export interface CodeResult {
  rule: string;
  path: string;
  /** A result without a line has no region, and so no code. */
  line?: number;
  code?: string;
  /** Semgrep's fingerprint. */
  fingerprint?: string;
  level?: 'error' | 'warning' | 'note';
  message?: string;
  /** `true`: by a comment in the code. `external`: by an ignore file, or by the tool's own review. */
  suppressed?: boolean | 'external';
  /** Time when the suppression ends. */
  until?: string;
}

export function sarif(
  results: CodeResult[],
  options: {
    tool?: string;
    category?: string;
    /** The whole id of the automation: category and run. */
    automation?: string;
    version?: string;
  } = {},
) {
  return {
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: options.tool ?? 'Semgrep OSS',
            semanticVersion: options.version ?? '1.90.0',
            rules: [],
          },
        },
        ...(options.category ? { automationDetails: { id: `${options.category}/` } } : {}),
        ...(options.automation ? { automationDetails: { id: options.automation } } : {}),
        results: results.map((result) => ({
          ruleId: result.rule,
          level: result.level ?? 'error',
          message: { text: result.message ?? `${result.rule} found` },
          ...(result.fingerprint ? { fingerprints: { 'matchBasedId/v1': result.fingerprint } } : {}),
          ...(result.suppressed ? { suppressions: [suppressionOf(result)] } : {}),
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: result.path },
                ...(result.line === undefined
                  ? {}
                  : {
                      region: {
                        startLine: result.line,
                        ...(result.code ? { snippet: { text: result.code } } : {}),
                      },
                    }),
              },
            },
          ],
        })),
      },
    ],
  };
}

function suppressionOf({ suppressed, until }: CodeResult) {
  return {
    kind: suppressed === 'external' ? 'external' : 'inSource',
    ...(until ? { properties: { expiration: until } } : {}),
  };
}

export interface PackageResult {
  id: string;
  name: string;
  version: string;
  severity?: string;
  fixed?: string;
  path?: string;
}

export function trivy(results: PackageResult[]) {
  const targets = new Map<string, PackageResult[]>();
  for (const result of results) {
    const path = result.path ?? 'package-lock.json';
    targets.set(path, [...(targets.get(path) ?? []), result]);
  }
  return {
    SchemaVersion: 2,
    ArtifactName: '.',
    ArtifactType: 'filesystem',
    Results: [...targets].map(([Target, list]) => ({
      Target,
      Class: 'lang-pkgs',
      Type: 'npm',
      Vulnerabilities: list.map((result) => ({
        VulnerabilityID: result.id,
        PkgName: result.name,
        InstalledVersion: result.version,
        FixedVersion: result.fixed ?? '',
        Severity: result.severity ?? 'HIGH',
        Title: `${result.name}: ${result.id}`,
        PkgIdentifier: { PURL: `pkg:npm/${result.name}@${result.version}` },
      })),
    })),
  };
}

/** Packages for the report of a scanner: `lib-0` and so on, each with an advisory of its own. */
export function numberedPackages(from: number, to: number): { id: string; name: string; version: string }[] {
  return Array.from({ length: to - from }, (_, i) => ({
    id: `CVE-2030-${1000 + from + i}`,
    name: `lib-${from + i}`,
    version: '1.0.0',
  }));
}
