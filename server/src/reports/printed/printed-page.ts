/** A printed report: one file of HTML for people without access to Merlon. It loads nothing and runs no script. */
import { createHash } from 'node:crypto';
import { Html, html } from './html.ts';
import { style } from './style.ts';

const hash = createHash('sha256').update(style).digest('base64');
const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;

/** The text of the file. Its first heading is the title. */
export function printedPage(title: Html, content: Html): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${new Html(style)}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`;
  return page.text;
}

/** A table that is scrolled where the window is narrower, also by keyboard. */
export function wideTable(name: string, content: Html): Html {
  return html`<div class="wide" role="region" aria-label="${name}" tabindex="0"><table>
${content}
</table></div>`;
}
