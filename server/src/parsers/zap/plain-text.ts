/**
 * Owns the way from ZAP's HTML to plain text. What is left may look like markup, for ZAP writes about markup: it
 * is data all the same. Must never be used to make text safe to show.
 */

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  '#39': "'",
  '#34': '"',
  '#10': '\n',
  '#13': '\n',
};

/** Paragraphs as blank lines, list items as dashes. A text without ZAP's paragraphs is none of its HTML. */
export function plainText(text: string): string {
  if (!/<(?:p|br|ul|li)\b[^<>]{0,100}>/i.test(text)) return text.trim();
  return text
    .replace(/<li\b[^<>]{0,200}>/gi, '\n- ')
    .replace(/<(?:\/p|br)\b[^<>]{0,200}>/gi, '\n')
    .replace(/<\/?[a-z][^<>]{0,200}>/gi, '')
    .replace(/&(amp|lt|gt|quot|apos|nbsp|#39|#34|#10|#13);/g, (_all, name: string) => entities[name] ?? '')
    .replace(/(?<![ \t])[ \t]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
