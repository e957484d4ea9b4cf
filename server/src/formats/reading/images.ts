/**
 * Owns the reading of image names: `registry/dir/name:tag@digest`, archives, and the operating system in
 * brackets that Trivy appends. Must never contact a registry.
 */

/** `python:3 (debian 10.2)` → the target `python:3` and the system `debian`; null where no brackets end it. */
export function splitTarget(target: string): { name: string; system: string } | null {
  const open = target.lastIndexOf(' (');
  if (open <= 0 || !target.endsWith(')')) return null;
  return { name: target.slice(0, open), system: target.slice(open + 2, -1) };
}

/** The name that stays over tags, registries and moved archives: the stream's category. */
export function imageCategory(image: string): string {
  const named = image.trim().slice(0, 512).replaceAll('\\', '/');
  const withoutDigest = named.split('@', 1)[0] ?? '';
  const base = withoutDigest.slice(withoutDigest.lastIndexOf('/') + 1);
  return (base.split(':', 1)[0] ?? '').replace(/\p{Cc}/gu, '');
}
