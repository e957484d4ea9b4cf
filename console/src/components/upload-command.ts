/** What uploads a first report from any directory, with what every machine has; the key is put in by hand. */
export function uploadCommand(
  slug: string,
  { report = 'report.json', repo = 'acme/shop' }: { report?: string; repo?: string } = {},
): string {
  const where = `${location.origin}/ingest/v1/${slug}/scans?repo=${quoted(repo)}&ref=main`;
  return [
    "MERLON_TOKEN='paste the key here'",
    `curl -H "Authorization: Bearer $MERLON_TOKEN" --data-binary @${report} \\`,
    `  "${where}"`,
  ].join('\n');
}

// The name came with a report: nothing of it may mean anything to a shell.
function quoted(name: string): string {
  return encodeURIComponent(name)
    .replaceAll('%2F', '/')
    .replaceAll(/[!'()*~]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
}
