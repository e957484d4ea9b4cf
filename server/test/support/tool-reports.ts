/**
 * Reports with rows of every type, for tests of the API. The test chooses titles, severities and proofs. (`reports.ts`
 * has the reports for tests of the import.)
 */
export interface PackageRow {
  id: string;
  package: string;
  severity: 'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW' | 'UNKNOWN';
  title?: string;
  version?: string;
  fixed?: string;
}

export interface TrivyContent {
  packages?: PackageRow[];
  misconfigurations?: { id: string; severity: string; title: string; line?: number }[];
  licenses?: { name: string; package: string; severity: string }[];
}

/** A file system scan: packages of package-lock.json, checks of main.tf, licenses. */
export function trivyReport({ packages = [], misconfigurations = [], licenses = [] }: TrivyContent): object {
  return {
    SchemaVersion: 2,
    ArtifactName: '.',
    ArtifactType: 'repository',
    Results: [
      {
        Target: 'package-lock.json',
        Class: 'lang-pkgs',
        Type: 'npm',
        Vulnerabilities: packages.map((row) => ({
          VulnerabilityID: row.id,
          PkgName: row.package,
          InstalledVersion: row.version ?? '1.0.0',
          Severity: row.severity,
          ...(row.fixed ? { FixedVersion: row.fixed } : {}),
          ...(row.title ? { Title: row.title } : {}),
        })),
      },
      {
        Target: 'main.tf',
        Class: 'config',
        Type: 'terraform',
        Misconfigurations: misconfigurations.map((row) => ({
          ID: row.id,
          Title: row.title,
          Status: 'FAIL',
          Severity: row.severity,
          CauseMetadata: { Resource: `resource.${row.id}`, StartLine: row.line ?? 3 },
        })),
      },
      {
        Target: 'package-lock.json',
        Class: 'license',
        Licenses: licenses.map((row) => ({
          Name: row.name,
          PkgName: row.package,
          Severity: row.severity,
          Category: 'restricted',
          FilePath: '',
        })),
      },
    ],
  };
}

export interface CodeRow {
  rule: string;
  title: string;
  path: string;
  line?: number;
  code: string;
  level?: 'error' | 'warning' | 'note';
}

/** A run of Semgrep. */
export function codeReport(rows: CodeRow[]): object {
  return sarifRun(
    'Semgrep OSS',
    rows,
    rows.map((row) => ({
      ruleId: row.rule,
      level: row.level ?? 'warning',
      message: { text: row.title },
      locations: place(row.path, row.line ?? 1, row.code),
    })),
  );
}

export interface SecretRow {
  rule: string;
  title: string;
  path: string;
  line?: number;
  secret: string;
  /** The result of a tool that tries the secret. */
  verified?: boolean;
}

/** A run of Gitleaks. */
export function secretReport(rows: SecretRow[]): object {
  return sarifRun(
    'gitleaks',
    rows,
    rows.map((row) => ({
      ruleId: row.rule,
      level: 'error',
      message: { text: `${row.title} found.` },
      locations: place(row.path, row.line ?? 1, row.secret),
      ...(row.verified ? { properties: { verified: true } } : {}),
    })),
  );
}

function sarifRun(name: string, rows: { rule: string; title: string }[], results: object[]): object {
  const titles = new Map(rows.map((row) => [row.rule, row.title]));
  const rules = [...titles].map(([id, text]) => ({ id, shortDescription: { text } }));
  return { version: '2.1.0', runs: [{ tool: { driver: { name, rules } }, results }] };
}

function place(path: string, startLine: number, code: string): object[] {
  const region = { startLine, snippet: { text: code } };
  const uri = path.split('/').map(encodeURIComponent).join('/');
  return [{ physicalLocation: { artifactLocation: { uri }, region } }];
}
