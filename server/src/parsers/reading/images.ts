/**
 * Owns the reading of image names: `registry/dir/name:tag@digest`, archives, and the operating system in
 * brackets that Trivy appends. Must never contact a registry.
 */
import type { ReportImage } from '../report.ts';

/** `python:3 (debian 10.2)` → the target `python:3` and the system `debian`; null where no brackets end it. */
export function splitTarget(target: string): { name: string; system: string } | null {
  const open = target.lastIndexOf(' (');
  if (open <= 0 || !target.endsWith(')')) return null;
  return { name: target.slice(0, open), system: target.slice(open + 2, -1) };
}

/** The name that stays over tags, registries and moved archives: the stream's category. */
export function imageCategory(image: string): string {
  const withoutDigest = plainImage(image).split('@', 1)[0] ?? '';
  const base = withoutDigest.slice(withoutDigest.lastIndexOf('/') + 1);
  return base.split(':', 1)[0] ?? '';
}

/** The part of a reference after the colon, as registries take it. */
const tagPattern = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;
/** Known by its content alone: then that is its name. */
const bareDigest = /^sha(?:256|512):[0-9a-f]+$/;
/** A place in a file system rather than a reference: what `docker save` writes, or a directory in OCI's layout. */
const filePattern = /^(?:\/|\.{1,2}\/|~\/|[A-Za-z]:\/)|\.(?:tar|tgz|tar\.[a-z0-9]{1,5})$/i;

/**
 * The image that a report names. `version` is what the report says beside the name: the tag where the name has none,
 * unless it is a digest. Null for no name.
 */
export function parseImage(written: string | null, version: string | null = null): ReportImage | null {
  const named = plainImage(written ?? '').replace(
    /^(?:[a-z][a-z0-9+.-]*:\/\/|(?:docker|oci)-(?:archive|dir):)/i,
    '',
  );
  const nameOf = (name: string, tag: string | null): ReportImage | null =>
    name === '' ? null : { name, tag: tag !== null && tagPattern.test(tag) ? tag : null };
  if (bareDigest.test(named)) return nameOf(named, null);
  const reference = named.split('@', 1)[0]?.replace(/\/+$/, '') ?? '';
  const slash = reference.lastIndexOf('/');
  if (filePattern.test(reference)) return nameOf(reference.slice(slash + 1), null);
  const colon = reference.indexOf(':', slash + 1);
  if (colon === -1) return nameOf(reference, version);
  return nameOf(reference.slice(0, colon), reference.slice(colon + 1));
}

/** One line of forward slashes, at most 512 characters: registries take 255 for the name and 128 for the tag. */
function plainImage(written: string): string {
  return written
    .trim()
    .slice(0, 512)
    .replaceAll('\\', '/')
    .replace(/\p{Cc}/gu, '')
    .toWellFormed();
}
