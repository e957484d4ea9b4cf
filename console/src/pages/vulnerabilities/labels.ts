/** Labels for the API's names of vulnerability traits. */
import type { queryValues } from '@merlon/client';

type Values = typeof queryValues.listVulnerabilities;

/** The types in the order of their menu. */
export const typeLabels: Record<string, string> = {
  dependency: 'Dependency',
  container: 'Container',
  sast: 'Code (SAST)',
  secret: 'Secret',
  iac: 'Infrastructure as code',
  dast: 'Running app (DAST)',
  license: 'License',
  malware: 'Malware',
  other: 'Other',
} satisfies Record<Values['type'][number], string>;

export function typeLabel(type: string): string {
  return typeLabels[type] ?? type;
}

export const sourceLabels: Record<string, string> = {
  current: 'Current tree',
  git_history: 'Git history only',
} satisfies Record<Values['source'][number], string>;

export function sourceLabel(source: string): string {
  return sourceLabels[source] ?? source;
}

const resolutionLabels: Record<string, string> = {
  fixed: 'Fixed',
  risk_accepted: 'Risk accepted',
  wont_fix: 'Won’t fix',
  false_positive: 'False positive',
  not_affected: 'Not affected',
  test_code: 'Test code',
};

export function resolutionLabel(resolution: string): string {
  return resolutionLabels[resolution] ?? resolution;
}

/** Returns `src/app.ts:12`. A location without a file is the repository itself. */
export function locationLabel({ path, line }: { path: string; line: number | null }): string {
  if (path === '.') return 'whole repository';
  return line === null ? path : `${path}:${line}`;
}

/** Returns the short name: `acme/shop` → `shop`. */
export function repositoryLabel(fullName: string): string {
  return fullName.split('/').at(-1) ?? fullName;
}

/** Returns `94%` for 0.9432. A share below one per cent gives `<1%`. */
export function percent(share: number): string {
  return share > 0 && share < 0.01 ? '<1%' : `${Math.round(share * 100)}%`;
}

/** Counts in words: 1 → `1 vulnerability`, 3 → `3 vulnerabilities`. */
export function vulnerabilityCount(n: number): string {
  return n === 1 ? '1 vulnerability' : `${n.toLocaleString()} vulnerabilities`;
}

/** Returns the name of a rule without its namespace: `java.lang.security.ldap-injection` → `ldap-injection`. */
export function ruleLabel(rule: string): string {
  return /^[\w-]+(\.[\w-]+){2,}$/.test(rule) ? rule.slice(rule.lastIndexOf('.') + 1) : rule;
}

/**
 * Returns `@acme/forms` for `pkg:npm/%40acme/forms`. Packages of Maven and of Linux distributions lose their group:
 * `pkg:deb/debian/libpq5` → `libpq5`. Text that is no package URL stays unchanged.
 */
export function packageLabel(purl: string): string {
  const [, name] = /^pkg:(?:(?:maven|deb|rpm|apk|alpm)\/[^/]+|[^/]+)\/([^?#]+)/.exec(purl) ?? [];
  return name === undefined ? purl : decoded(name);
}

/** Returns `1.6.0` for `pkg:npm/axios@1.6.0`, or null if there is no version. */
export function versionLabel(purl: string): string | null {
  const [, version] = /^pkg:[^?#]+@([^@?#/]+)/.exec(purl) ?? [];
  return version === undefined ? null : decoded(version);
}

/** Decodes a part of a package URL. A part that is not encoded correctly stays as it is. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
