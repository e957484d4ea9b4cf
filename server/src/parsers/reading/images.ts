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
/** An image that is known only by its content has the digest as its name, or an id, whole or short. */
const bareDigest = /^(?:sha(?:256|512):[0-9a-f]+|[0-9a-f]{64}|[0-9a-f]{12})$/;
/** A file path rather than a reference: the output of `docker save`, a directory in OCI layout, or a disk. */
const filePattern =
  /^(?:\/|\.{1,2}\/|~\/|[A-Za-z]:\/)|\.(?:tar|tgz|tar\.[a-z0-9]{1,5}|vmdk|vhdx?|qcow2|img|iso)$/i;
/**
 * The place that a tool reads an image from. `docker:dind` and `podman:5` are images with their tags, and
 * `registry:5000/shed` is one of a host with its port.
 */
const sourcePattern =
  /^(?:[a-z][a-z0-9+.-]*:\/\/|(?:docker-daemon|containers-storage|oci-registry):|(?:podman|containerd):(?!(?:v?\d[\w.-]*|latest)(?:@|$))|(?:docker|registry):(?!\d+(?:\/|$))(?=[^/:@]*[/:]))/i;
/** Sources that are files and directories. */
const fileSource = /^(?:file:\/\/|(?:docker|oci)-(?:archive|dir|layout):|oci:(?!\/\/)|singularity:)/i;

/** Kaniko writes this tag into an archive if it was given no other. */
const unsetTag = /(?:^|\/)unset-repo\/unset-image-name$/;

/**
 * Parses the image name of a report. `version` comes from another field and is used as the tag if the name has none and
 * it is no digest. Gives null for an empty name.
 */
export function parseImage(written: string | null, version: string | null = null): ReportImage | null {
  const { kind, name, tag } = splitReference(written ?? '');
  if (name === '') return null;
  const known = kind === 'reference' ? (tag ?? version) : tag;
  return { name, tag: known !== null && tagPattern.test(known) ? known : null };
}

/** The kind `file` is an archive, a disk or a layout. */
interface SplitReference extends ReportImage {
  kind: 'digest' | 'file' | 'reference';
}

function splitReference(written: string): SplitReference {
  const source = plainImage(written);
  const named = source.replace(fileSource, '').replace(sourcePattern, '');
  if (bareDigest.test(named)) return { kind: 'digest', name: named, tag: null };
  const reference = named.split('@', 1)[0]?.replace(/\/+$/, '') ?? '';
  const slash = reference.lastIndexOf('/');
  const colon = reference.indexOf(':', slash + 1);
  const [name, tag] =
    colon === -1 ? [reference, null] : [reference.slice(0, colon), reference.slice(colon + 1)];
  const isFile = fileSource.test(source) || filePattern.test(name);
  return isFile ? { kind: 'file', name: name.slice(slash + 1), tag } : { kind: 'reference', name, tag };
}

/** The category of images whose report gives no name, or only a digest. */
export const unnamedImageCategory = 'sha256';

/**
 * Returns the name of an image. If it was scanned by its id, that is the first of its tags, else of its digests, in an
 * order that does not depend on the report. For an archive it is the first of its tags: the file may have the same name
 * for each image, or another one for each commit.
 */
export function nameOfImage(
  written: string | null,
  tags: readonly string[],
  digests: readonly string[],
): string | null {
  const isNamed = (text: string): boolean => {
    const { kind, name } = splitReference(text);
    return kind === 'reference' && name !== '' && !bareDigest.test(name) && !unsetTag.test(name);
  };
  if (written !== null && isNamed(written)) return written;
  const isFile = written !== null && splitReference(written).kind === 'file';
  const names = isFile ? tags.toSorted() : [...tags.toSorted(), ...digests.toSorted()];
  return names.find(isNamed) ?? written;
}

/** The names of Docker Hub, which a name without a registry has too. Its directory `library` may be left out. */
const dockerHub = /^(?:(?:index|registry-1)\.docker\.io|docker\.io|registry\.hub\.docker\.com)$/i;

/**
 * Returns the name that stays the same over tags, registries and moved archives: the category of the series. It keeps
 * the directories in the registry, because `shop/web` and `admin/web` are two images. Images that are known only by
 * their digest share one category, because each build has another digest. Empty for an empty name.
 */
export function imageCategory(written: string): string {
  const name = parseImage(written)?.name ?? '';
  if (bareDigest.test(name)) return unnamedImageCategory;
  const [first = '', ...others] = name.split('/');
  const isRegistry = others.length > 0 && (/[.:]/.test(first) || first === 'localhost');
  const path = isRegistry ? others : [first, ...others];
  const isOfficial = path.length === 2 && path[0] === 'library' && (!isRegistry || dockerHub.test(first));
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
