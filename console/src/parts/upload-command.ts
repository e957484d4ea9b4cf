/** What uploads a first report from any directory, with what every machine has; the key is put in by hand. */
export function uploadCommand(
  slug: string,
  { report = 'report.json', repo = 'acme/shop' }: { report?: string; repo?: string } = {},
): string {
  const where = `${location.origin}/ingest/v1/${slug}/scans?repo=${encodeURI(repo)}&ref=main`;
  return [
    "MERLON_TOKEN='paste the key here'",
    `curl -H "Authorization: Bearer $MERLON_TOKEN" --data-binary @${report} \\`,
    `  "${where}"`,
  ].join('\n');
}
