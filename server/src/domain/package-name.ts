/** The readable parts of a package URL: the name and the version, without the encoding. */

/** The name as people write it: `pkg:npm/%40acme/ui` → `@acme/ui`. Text that is no package URL stays as it is. */
export function packageName(purl: string): string {
  return decoded(/^pkg:[^/]+\/(.*)$/.exec(purl)?.[1] ?? purl);
}

/** The version: `pkg:npm/axios@1.6.0` → `1.6.0`; null if the package URL has none. */
export function packageVersion(purl: string): string | null {
  const version = /^pkg:[^?#]*@([^@?#/]+)/.exec(purl)?.[1];
  return version === undefined ? null : decoded(version);
}

/** The package URL without its version: `pkg:npm/%40acme/ui@1.6.0` → `pkg:npm/%40acme/ui`. */
export function withoutVersion(purl: string): string {
  return /^pkg:[^@?#]*/.exec(purl)?.[0] ?? purl;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
