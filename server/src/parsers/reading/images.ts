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

/** Registries accept this as the part of a reference after the colon. */
const tagPattern = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;
/** An image that is known only by its content has the digest as its name. */
const bareDigest = /^sha(?:256|512):[0-9a-f]+$/;
/** A file path rather than a reference: the output of `docker save`, or a directory in OCI layout. */
const filePattern = /^(?:\/|\.{1,2}\/|~\/|[A-Za-z]:\/)|\.(?:tar|tgz|tar\.[a-z0-9]{1,5})$/i;

/**
 * The place that a tool reads an image from. `docker:dind` is an image with its tag and `registry:5000/shed` one of a
 * host with its port, so a place without slashes needs a name with a tag or directory behind it.
 */
const sourcePattern =
  /^(?:[a-z][a-z0-9+.-]*:\/\/|(?:docker|oci)-(?:archive|dir):|(?:docker|podman|containerd|(?:oci-)?registry):(?=\D[^/:@]*[/:@]))/i;

/**
 * Parses the image name of a report. `version` comes from another field and is used as the tag if the name has none and
 * it is no digest. Gives null for an empty name.
 */
export function parseImage(written: string | null, version: string | null = null): ReportImage | null {
  const named = plainImage(written ?? '').replace(sourcePattern, '');
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

/** True for an image that has no name but its digest. */
export function isKnownByDigest(image: ReportImage | null): boolean {
  return image !== null && bareDigest.test(image.name);
}

/** The names of Docker Hub, which a name without a registry has too. Its directory `library` may be left out. */
const dockerHub = new Set(['docker.io', 'index.docker.io', 'registry-1.docker.io']);

/**
 * Returns the name that stays the same over tags, registries and moved archives: the category of the series. It keeps the
 * directories in the registry, because `shop/web` and `admin/web` are two images. Images that are known only by their
 * digest share one category, because each build has another digest. Empty for an empty name.
 */
export function imageCategory(written: string): string {
  const image = parseImage(written);
  const name = image?.name ?? '';
  if (isKnownByDigest(image)) return name.slice(0, name.indexOf(':'));
  const [first = '', ...others] = name.split('/');
  const isRegistry = others.length > 0 && (/[.:]/.test(first) || first === 'localhost');
  const path = isRegistry ? others : [first, ...others];
  const isOfficial = path.length === 2 && path[0] === 'library' && (!isRegistry || dockerHub.has(first));
  return (isOfficial ? path.slice(1) : path).join('/');
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
