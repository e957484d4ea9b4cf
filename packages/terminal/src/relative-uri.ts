/** Paths of reports in SARIF, which the command line and the server write. */

/** Returns a relative reference, even for a path that begins with C: or with two slashes and a host. */
export function relativeUri(path: string): string {
  const encoded = path
    .toWellFormed()
    .split('/')
    .filter((part, i, all) => part !== '' || i === all.length - 1)
    .map(encodeURIComponent)
    .join('/');
  return encoded === '' ? '.' : encoded;
}
