/** Encodes each part of a path or name from a report. Null if a part is empty or would lead elsewhere. */
export function encodeSegments(
  text: string,
  read: (part: string) => string = (part) => part,
): string[] | null {
  const parts = text.split('/').map(read);
  const isOdd = parts.some((part) => part === '' || part === '.' || part === '..' || !part.isWellFormed());
  return isOdd ? null : parts.map((part) => encodeURIComponent(part).replaceAll('%40', '@'));
}
