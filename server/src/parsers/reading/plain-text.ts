/**
 * Owns the way from a tool's HTML to plain text. The result may look like markup, because tools write about markup, but
 * it is data. Must never be used to make text safe to show.
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

/** Paragraphs become blank lines, and list items become dashes. A text without any of these is no HTML of a tool. */
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
