/**
 * The facts about tools by name: the family, the kind of its findings, and which of its fingerprints stay the same
 * while code moves. It must never look at a finding.
 */
import type { VulnerabilityType } from '../../domain/packed-state.ts';

/** These families have several names, and the first matching pattern wins. Any other name is its own family. */
const families: readonly (readonly [RegExp, string])[] = [
  [/^semgrep\b/, 'semgrep'],
  [/^opengrep\b/, 'opengrep'],
  [/^codeql\b/, 'codeql'],
  [/^lgtm\b/, 'lgtm'],
  [/^snyk ?code\b/, 'snyk-code'],
  [/^snyk (?:open source|oss)\b/, 'snyk-open-source'],
  [/^snyk container\b/, 'snyk-container'],
  [/^snyk (?:iac|infrastructure)/, 'snyk-iac'],
  [/^trivy\b/, 'trivy'],
  [/^(?:jfrog )?xray\b/, 'xray'],
  [/^grype\b/, 'grype'],
  [/^osv[ -]?scanner\b/, 'osv-scanner'],
  [/^(?:owasp )?dependency[ -]check\b/, 'dependency-check'],
  [/^(?:owasp )?dependency[ -]track\b/, 'dependency-track'],
  [/^npm[ -]audit\b/, 'npm-audit'],
  [/^pip[ -]audit\b/, 'pip-audit'],
  [/^cargo[ -]audit\b/, 'cargo-audit'],
  [/^gitleaks\b/, 'gitleaks'],
  [/^truffle ?hog\b/, 'trufflehog'],
  [/^(?:ggshield|gitguardian)\b/, 'gitguardian'],
  [/^detect[ -]secrets\b/, 'detect-secrets'],
  [/^(?:bridgecrew|checkov)\b/, 'checkov'],
  // tfsec's SARIF names its library.
  [/^(?:aqua security )?(?:tfsec|defsec)\b/, 'tfsec'],
  [/^kics\b/, 'kics'],
  [/\bfortify\b/, 'fortify'],
  [/^checkmarx\b/, 'checkmarx'],
  [/^veracode\b/, 'veracode'],
  [/^sonar(?:qube|cloud|scanner|lint)?\b/, 'sonarqube'],
  [/^(?:owasp )?zap(?:roxy)?\b|^(?:owasp )?zed attack proxy/, 'zap'],
  [/^nuclei\b/, 'nuclei'],
  [/^(?:find|spot)[ _-]?bugs\b|^find[ _-]?sec(?:urity)?[ _-]?bugs\b/, 'spotbugs'],
  [/^burp\b/, 'burp'],
  [/^(?:microsoft )?devskim\b/, 'devskim'],
  [/^(?:golang security checks by )?gosec\b/, 'gosec'],
];

/** The first parts of the rule ids of Semgrep's registry. */
const registryParts: ReadonlySet<string> = new Set(
  (
    'ai apex bash c clojure csharp dockerfile elixir fingerprints generic gitlab go html java javascript json kotlin ' +
    'ocaml php problem-based-packs python ruby rust scala sh solidity swift terraform trailofbits typescript yaml'
  ).split(' '),
);

/** True for Semgrep and its fork, which write the same reports. */
export function isSemgrep(family: string): boolean {
  return family === 'semgrep' || family === 'opengrep';
}

/**
 * Gives the part of a rule id that stays when the rules move to another folder. Semgrep puts the folder of a rule file
 * before the id of its rule (`home.runner.rules.no-eval`), and the registry its own tree, which is the same everywhere.
 */
export function stableRule(family: string, rule: string): string {
  if (!isSemgrep(family) || !rule.includes('.')) return rule;
  const parts = rule.split('.');
  const start = parts.findIndex((part) => registryParts.has(part));
  return start === -1 ? (parts.at(-1) ?? rule) : parts.slice(start).join('.');
}

/** The type that a family reports; any other family reports `sast`. */
const typesByFamily: ReadonlyMap<string, VulnerabilityType> = new Map([
  ...names(
    'secret',
    'gitleaks trufflehog gitguardian detect-secrets whispers noseyparker talisman kingfisher rusty-hog ' +
      'github-secret-scanning',
  ),
  ...names('dependency', 'trivy grype snyk-open-source osv-scanner dependency-check npm-audit pip-audit'),
  ...names('dependency', 'cargo-audit govulncheck safety retire-js bundler-audit gemnasium dependabot xray'),
  ...names('container', 'snyk-container docker-scout clair klar'),
  ...names(
    'iac',
    'checkov tfsec kics terrascan trivy-config snyk-iac kubesec kube-linter kube-score hadolint',
  ),
  ...names('iac', 'dockle cfn-lint cfn-nag templateanalyzer kubescape kube-bench'),
  ...names('iac', 'prowler aws-security-hub aws-config'),
  ...names('container', 'aws-inspector'),
  ...names('other', 'aws-guardduty aws-macie nessus nmap'),
  ...names('dependency', 'yarn-audit pnpm-audit dependency-track black-duck'),
  ...names('dast', 'zap nuclei burp webinspect stackhawk nikto wapiti arachni'),
]);

function names(type: VulnerabilityType, families: string): [string, VulnerabilityType][] {
  return families.split(' ').map((family) => [family, type]);
}

/**
 * Scanners of several kinds, which can run each kind alone. The name of the scanner does not define the kind of a run.
 */
const multiPurpose: ReadonlySet<string> = new Set(['trivy', 'checkov', 'checkmarx', 'veracode']);

interface FingerprintKey {
  /** The key in SARIF's `fingerprints` or `partialFingerprints`. */
  key: string;
  /** True if the tool says that a renamed file keeps the fingerprint. */
  pathFree: boolean;
}

/**
 * Fingerprints that their tool documents as stable, the best first. This is an allow-list, because Gitleaks puts a
 * commit there and others a line number or a random id.
 */
const fingerprintsByFamily: ReadonlyMap<string, readonly FingerprintKey[]> = new Map([
  // The fingerprint already contains the path. Older versions without a login write "requires login".
  ['semgrep', [{ key: 'matchBasedId/v1', pathFree: false }]],
  ['opengrep', [{ key: 'matchBasedId/v1', pathFree: false }]],
  // "identity" is the id that Snyk gives a finding. "1" and "0" are hashes, which every report has.
  [
    'snyk-code',
    [
      { key: 'identity', pathFree: false },
      { key: '1', pathFree: false },
      { key: '0', pathFree: false },
    ],
  ],
  ['flawfinder', [{ key: 'contextHash/v1', pathFree: false }]],
]);

/** GitHub's hash of the lines around the location. CodeQL and the tools that follow it write it. */
const anyTool: readonly FingerprintKey[] = [
  { key: 'primaryLocationLineHash', pathFree: false },
  { key: 'primaryLocationLineHash/v1', pathFree: false },
];

/** Returns the family of a tool's name in lower case: `semgrep` for "Semgrep OSS", `unknown` for an empty name. */
export function toolFamily(name: string | null): string {
  const lower = (name ?? '').trim().toLowerCase().slice(0, 200);
  for (const [pattern, family] of families) {
    if (pattern.test(lower)) return family;
  }
  const slug = lower
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 64);
  return slug === '' ? 'unknown' : slug;
}

export function typeOfFamily(family: string): VulnerabilityType {
  return typesByFamily.get(family) ?? 'sast';
}

/** False for a tool that is in no list above: only its findings show their types. */
export function isKnownFamily(family: string): boolean {
  return typesByFamily.has(family) || families.some(([, known]) => known === family);
}

export function isMultiPurpose(family: string): boolean {
  return multiPurpose.has(family);
}

/** Returns the stable fingerprints of a family, the best first. Secrets have their own identity and need none. */
export function fingerprintKeys(family: string): readonly FingerprintKey[] {
  if (typesByFamily.get(family) === 'secret') return [];
  return fingerprintsByFamily.get(family) ?? anyTool;
}

/**
 * Returns the first of the fingerprints that the tool numbers in one file, because they are equal but for their
 * numbers.
 */
export function firstFingerprint(scheme: string, value: string): string {
  if (scheme === 'matchBasedId/v1') return value.replace(/_[0-9]+$/, '_0');
  return scheme.startsWith('primaryLocationLineHash') ? value.replace(/:[0-9]+$/, ':1') : value;
}

// Tools write these if they have no fingerprint.
const constants = new Set(['requires login', 'unknown', 'undefined', 'null', 'none', 'n/a']);

/** Returns false for constants, and for values too short to tell findings apart: 8 characters are 32 bits of hex. */
export function isFingerprint(value: string): boolean {
  const plain = value.trim().toLowerCase();
  return (
    plain.length >= 8 &&
    plain.length <= 1024 &&
    !constants.has(plain) &&
    (plain[0] !== plain[1] || !/^(.)\1*$/.test(plain))
  );
}
