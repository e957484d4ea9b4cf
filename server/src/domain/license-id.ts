/**
 * A license of a package has this id in the place of an advisory. Without the prefix, a license that is called like an
 * advisory would be the same vulnerability as that advisory, and its type would hide it from policies that ask for
 * dependencies.
 */

const prefix = 'license:';

export function isLicenseId(id: string): boolean {
  return id.startsWith(prefix);
}

/** Returns the id of the license with this name. The id of a license stays as it is. */
export function licenseId(name: string): string {
  return isLicenseId(name) ? name : `${prefix}${name}`;
}
