/** Owns cookies in the texts of web scanners, which quote one with its value if an attribute is missing. */

const cookieAttribute = /^\s{0,20}(?:path|expires|domain|max-age|httponly|secure|samesite)\b/i;

/** Masks the value of each cookie that has an attribute such as `path` after it. */
export function withoutCookies(text: string): string {
  const parts = text.split(';');
  const masked = parts.map((part, index) => {
    if (!cookieAttribute.test(parts[index + 1]?.slice(0, 100) ?? '')) return part;
    const start = Math.max(...[' ', '\n', '\t', '"', "'"].map((sign) => part.lastIndexOf(sign))) + 1;
    const equals = part.indexOf('=', start);
    const isAttribute = equals === -1 || cookieAttribute.test(part.slice(start, equals));
    return isAttribute ? part : `${part.slice(0, equals + 1)}****`;
  });
  return masked.join(';');
}
