/**
 * The reading of image names: `registry/dir/name:tag@digest`, archives, and the operating system in brackets that Trivy
 * appends. It must never contact a registry.
 */
import type { ReportImage } from '../report.ts';

/**
 * `python:3 (debian 10.2)` → the target `python:3` and the system `debian`; null if the text does not end in brackets.
 */
export function splitTarget(target: string): { name: string; system: string } | null {
  const open = target.lastIndexOf(' (');
  if (open <= 0 || !target.endsWith(')')) return null;
  return { name: target.slice(0, open), system: target.slice(open + 2, -1) };
}

/** Returns the name that stays the same over tags, registries and moved archives. It is the category of the series. */
export function imageCategory(image: string): string {
  const withoutDigest = plainImage(image).split('@', 1)[0] ?? '';
  const base = withoutDigest.slice(withoutDigest.lastIndexOf('/') + 1);
  return base.split(':', 1)[0] ?? '';
}

/** Registries accept this as the part of a reference after the colon. */
const tagPattern = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;
/** An image that is known only by its content has the digest as its name. */
const bareDigest = /^sha(?:256|512):[0-9a-f]+$/;
/** A file path rather than a reference: the output of `docker save`, or a directory in OCI layout. */
const filePattern = /^(?:\/|\.{1,2}\/|~\/|[A-Za-z]:\/)|\.(?:tar|tgz|tar\.[a-z0-9]{1,5})$/i;

/**
 * Parses the image name of a report. `version` comes from another field and is used as the tag if the name has none and
 * it is no digest. Gives null for an empty name.
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

/**
 * Gives one line with forward slashes, at most 512 characters. Registries accept 255 for the name and 128 for the tag.
 */
function plainImage(written: string): string {
  return written
    .trim()
    .slice(0, 512)
    .replaceAll('\\', '/')
    .replace(/\p{Cc}/gu, '')
    .toWellFormed();
}
