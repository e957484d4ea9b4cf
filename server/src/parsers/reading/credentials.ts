/**
 * Credentials in the texts of web scanners, which quote a cookie with its value if an attribute is missing, headers of
 * a request, and addresses with the id of a session.
 */

const cookieAttribute = /^\s{0,20}(?:path|expires|domain|max-age|httponly|secure|samesite)\b/i;

/** Masks the value of each cookie that has an attribute such as `path` after it. */
function withoutCookies(text: string): string {
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

const header =
  /\b((?:set-)?cookie2?|(?:proxy-)?authorization|x-[a-z-]{0,30}(?:auth|token|key)[a-z-]{0,30})([ \t]{0,4}:[ \t]{0,4})([^\r\n]+)/gi;
const addressPart =
  /([?&;][\w.-]{0,40}(?:token|sess(?:ion)?(?:[_-]?id)?|sid|secret|passw(?:or)?d|pwd|api[_-]?key|auth|sig(?:nature)?|jwt)=)[^&;#\s"'<>]+/gi;

/** Masks cookies, the values of headers that prove who asks, and such parts of addresses. */
export function withoutCredentials(text: string): string {
  return withoutCookies(text)
    .replace(header, (_all, name: string, between: string, value: string) => {
      const masked = /cookie/i.test(name)
        ? value.replace(/([^=;\s]+)=[^;]*/g, (pair, key: string) =>
            cookieAttribute.test(key) ? pair : `${key}=****`,
          )
        : value.replace(/^((?:basic|bearer|digest|negotiate|token)[ \t]+)?.*$/i, '$1****');
      return `${name}${between}${masked}`;
    })
    .replace(addressPart, '$1****');
}
