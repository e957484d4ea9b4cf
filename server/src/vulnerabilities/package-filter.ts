/**
 * The filter `package`: a package URL without version, or a name. A name matches in any ecosystem. A name with a
 * namespace (`@acme/ui`, `org.acme:core`) must be complete.
 */
import { invalidInput } from '../domain/errors.ts';
import { barePurl } from '../parsers/reading/purl.ts';

export interface PackageFilter {
  /** Values of the column `package_name`. */
  names: string[];
  /** The whole package URL; null if a name was given. */
  purl: string | null;
  /** The endings of a matching package URL. The list is empty if the name is enough. */
  endings: string[];
}

// The length of the column `package_name`.
const maxName = 255;

/** Throws 422 on `package` for a wrong package URL, or one with a version. */
export function packageFilterOf(text: string): PackageFilter {
  if (/^pkg:/i.test(text)) {
    const purl = barePurl(`pkg:${text.slice(4)}`);
    if (purl === null) throw invalidInput('Must be a package URL, or a name.', 'package');
    if (purl.version !== null) throw invalidInput('Must have no version.', 'package');
    return { names: [cut(lastPart(purl.purl))], purl: purl.purl, endings: [] };
  }
  // Most ecosystems write names in lower case, so the lower-case form is searched too.
  const spelled = [...new Set([text, text.toLowerCase()])].map(encoded);
  const isWhole = spelled.every((path) => !path.includes('/') && path.length <= maxName);
  return {
    names: spelled.map((path) => cut(lastPart(path))),
    purl: null,
    endings: isWhole ? [] : spelled.map((path) => `/${path}`),
  };
}

/** The name as a package URL has it: `@acme/ui` → `%40acme/ui`, `org.acme:core` → `org.acme/core`. */
function encoded(name: string): string {
  const isMaven = /^[^:/@]+:[^:/]+$/.test(name);
  const parts = (isMaven ? name.replace(':', '/') : name).split('/').filter((part) => part !== '');
  return parts.map((part) => encodeURIComponent(part).replaceAll('%3A', ':')).join('/');
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function cut(name: string): string {
  return name.slice(0, maxName);
}
