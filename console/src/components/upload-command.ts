/** Gives a command that uploads a first report from any directory with standard tools. The person fills in the key. */
import { addressOf } from '../api/client.ts';

export function uploadCommand(
  slug: string,
  { report = 'report.json', repo = 'acme/shop' }: { report?: string; repo?: string } = {},
): string {
  const address = addressOf('uploadScan', { path: { tenant_slug: slug }, query: { repo, ref: 'main' } });
  return [
    "MERLON_TOKEN='paste the key here'",
    `curl -H "Authorization: Bearer $MERLON_TOKEN" --data-binary @${report} \\`,
    // The name came with a report. Once encoded, it holds no character that is special in a shell's double quotes.
    `  "${location.origin}${address.replaceAll('%2F', '/')}"`,
  ].join('\n');
}
