/** Generates reports of any size: packages in Trivy's format, code in SARIF. */

export type ReportKind = 'packages' | 'code';

/** The findings from number `from` up to, but without, `to`. Every `changed`-th has another severity (0: none). */
export interface ReportShape {
  from: number;
  to: number;
  changed: number;
  /** The time of the run. */
  createdAt?: string;
  /** A text that no parser reads. */
  remark?: string;
}

export function benchReport(kind: ReportKind, shape: ReportShape): string {
  return JSON.stringify(kind === 'packages' ? packages(shape) : code(shape));
}

const severities = ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'] as const;

function numbers({ from, to }: ReportShape): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

// With more findings than this, several packages have the same advisory, with its title and text.
const advisories = 15_000;

function packages(shape: ReportShape) {
  const targets = new Map<number, number[]>();
  for (const n of numbers(shape)) {
    const target = n % 40;
    const list = targets.get(target);
    if (list) list.push(n);
    else targets.set(target, [n]);
  }
  return {
    SchemaVersion: 2,
    ArtifactName: '.',
    ArtifactType: 'filesystem',
    CreatedAt: shape.createdAt,
    Remark: shape.remark,
    Results: [...targets].map(([target, list]) => ({
      Target: `services/service-${target}/package-lock.json`,
      Class: 'lang-pkgs',
      Type: 'npm',
      Vulnerabilities: list.map((n) => {
        const advisory = n % advisories;
        const name = `package-${advisory % 3_000}-${Math.floor(n / advisories)}`;
        const version = `1.${n % 30}.${n % 7}`;
        return {
          VulnerabilityID: `CVE-${2015 + (advisory % 11)}-${10_000 + advisory}`,
          PkgName: name,
          PkgIdentifier: { PURL: `pkg:npm/${name}@${version}` },
          InstalledVersion: version,
          FixedVersion: `2.${n % 9}.0`,
          Severity: severities[(n + (shape.changed > 0 && n % shape.changed === 0 ? 1 : 0)) % 4],
          Title: `component-${advisory % 3_000}: input of kind ${advisory % 977} is not checked before use`,
          Description:
            `A crafted value reaches component-${advisory % 3_000} through option ${advisory % 977}. `.repeat(
              4,
            ),
          PrimaryURL: `https://advisories.example.com/cve-${advisory}`,
          References: [
            `https://advisories.example.com/cve-${advisory}`,
            `https://example.org/issues/${advisory}`,
          ],
          CweIDs: [`CWE-${20 + (n % 400)}`],
          CVSS: { nvd: { V3Score: 4 + (n % 6), V3Vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' } },
        };
      }),
    })),
  };
}

const rules = Array.from({ length: 300 }, (_, n) => ({
  id: `rule-${n}`,
  shortDescription: { text: `A value of kind ${n} reaches a query without a check` },
  fullDescription: { text: `Values of kind ${n} come from outside. Bind them as parameters of the query.` },
}));

function code(shape: ReportShape) {
  return {
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Semgrep OSS', semanticVersion: '1.90.0', rules } },
        invocations: [{ executionSuccessful: true, endTimeUtc: shape.createdAt }],
        properties: { remark: shape.remark },
        results: numbers(shape).map((n) => ({
          ruleId: `rule-${n % 300}`,
          level: shape.changed > 0 && n % shape.changed === 0 ? 'note' : 'error',
          message: { text: `The value of field ${n} reaches a query without a check.` },
          fingerprints: { 'matchBasedId/v1': `${n.toString(16).padStart(64, 'f')}_0` },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: `src/module-${n % 900}/file-${n % 4_000}.ts` },
                region: { startLine: 10 + (n % 500), snippet: { text: `query(input.field${n})` } },
              },
            },
          ],
        })),
      },
    ],
  };
}
