/**
 * The way from a tool's HTML to plain text. The result may look like markup, because tools write about markup, but it
 * is data. It must never be used to make text safe to show.
 */

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/** Paragraphs and rows become lines, and list items become dashes. */
export function htmlText(html: string): string {
  return html
    .replace(/<li\b[^<>]{0,200}>/gi, '\n- ')
    .replace(/<(?:\/(?:p|div|tr|table|ul|ol|pre|h[1-6])|br)\b[^<>]{0,200}>/gi, '\n')
    .replace(/<\/?[a-z][^<>]{0,2000}>/gi, '')
    .replace(/&(?:(amp|lt|gt|quot|apos|nbsp)|#(x[0-9a-f]{1,6}|[0-9]{1,7}));/gi, character)
    .replace(/(?<![ \t])[ \t]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function character(found: string, name: string | undefined, number: string | undefined): string {
  if (name !== undefined) return entities[name.toLowerCase()] ?? found;
  const code = Number(/^x/i.test(number ?? '') ? `0${number}` : number);
  // Surrogates alone are no characters.
  return code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? found : String.fromCodePoint(code);
}
