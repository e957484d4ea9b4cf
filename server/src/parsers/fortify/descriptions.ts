/**
 * The texts of Fortify's rules, which are templates: `<Replace key="…"/>` stands for a name of the issue, and a
 * paragraph that needs names has another text for issues without them.
 */
import { htmlText } from '../reading/html-text.ts';

/** A longer text would be cut from the evidence anyway. */
const maxTemplate = 20_000;

/** Names make a text longer, up to this. */
const maxFilled = 4_000;

const placeholder = /<Replace key="([^"<>]{1,100})"[^<>]{0,200}>(?:<\/Replace>)?/g;

/**
 * Gives plain text. `names` are those of the issue. A paragraph that needs a name which is not there has its other
 * text, or is left out.
 */
export function fillTemplate(template: string, names: ReadonlyMap<string, string>): string {
  const text = template.slice(0, maxTemplate);
  const [head = '', ...paragraphs] = text.split('<Paragraph>');
  const chosen = paragraphs.map((paragraph) => {
    const [inside = '', ...after] = paragraph.split('</Paragraph>');
    const [main = '', ...others] = inside.split('<AltParagraph>');
    const needed = Array.from(main.matchAll(placeholder), ([, key]) => key ?? '');
    return `${needed.every((key) => names.has(key)) ? main : others.join('')}\n${after.join('')}`;
  });
  const fill = (part: string): string => {
    const filled = part.replace(placeholder, (_all, key: string) => names.get(key) ?? '');
    return htmlText(filled.slice(0, Math.max(text.length, maxFilled)));
  };
  return fill([head, ...chosen].join('')) || fill(text);
}
