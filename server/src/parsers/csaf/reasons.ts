/**
 * The texts of a CSAF vulnerability that explain the status of a product: justifications and remediations. Must take
 * the same time for each product, however many texts and groups there are.
 */
import { arrayAt, stringAt, stringsAt } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { safeText } from '../reading/text.ts';
import type { ProductTree } from './product-tree.ts';

/** Returns the texts about a product as one; null if there are none. */
export type Reasons = (product: string) => string | null;

interface Note {
  text: string;
  /** The row that names the products: `product_ids`, `group_ids`. */
  row: unknown;
}

/** A product has a justification, an impact or a few remediations. More are repetitions for other products. */
const maxTexts = 3;
/** Tens of thousands of statements may share a text. A person reads the beginning of it. */
const maxLength = 2000;

/** Returns the flags, which have a word for the justification, and the statements of impact. */
export function justificationsOf(vulnerability: unknown, tree: ProductTree, context: ParseContext): Reasons {
  const notes: Note[] = [];
  for (const row of arrayAt(vulnerability, 'flags')) notes.push({ text: stringAt(row, 'label') ?? '', row });
  for (const row of arrayAt(vulnerability, 'threats')) {
    if (stringAt(row, 'category') === 'impact') notes.push({ text: stringAt(row, 'details') ?? '', row });
  }
  return reasonsOf(notes, ': ', tree, context);
}

export function remediationsOf(vulnerability: unknown, tree: ProductTree, context: ParseContext): Reasons {
  const notes = arrayAt(vulnerability, 'remediations').map((row) => {
    const texts = [stringAt(row, 'category'), stringAt(row, 'details')];
    return { text: texts.filter((text) => text !== null).join(': '), row };
  });
  return reasonsOf(notes, '\n', tree, context);
}

function reasonsOf(
  notes: readonly Note[],
  separator: string,
  tree: ProductTree,
  context: ParseContext,
): Reasons {
  const ofProducts = new Map<string, number[]>();
  const ofGroups = new Map<string, number[]>();
  const add = (to: Map<string, number[]>, key: string, index: number): void => {
    const known = to.get(key);
    if (known === undefined) to.set(key, [index]);
    else if (known.length < maxTexts) known.push(index);
  };
  for (const [index, { row, text }] of notes.entries()) {
    if (text === '') continue;
    for (const id of stringsAt(row, 'product_ids')) add(ofProducts, id, index);
    for (const id of stringsAt(row, 'group_ids')) add(ofGroups, id, index);
  }
  const texts = new Map<string, string | null>();
  return (product) => {
    const grouped = tree.groupsOf(product).flatMap((group) => ofGroups.get(group) ?? []);
    const indexes = [...new Set([...(ofProducts.get(product) ?? []), ...grouped])]
      .sort((a, b) => a - b)
      .slice(0, maxTexts);
    const key = indexes.join();
    const known = texts.get(key);
    if (known !== undefined) return known;
    const parts = indexes.map((index) => clipped(notes[index]?.text ?? ''));
    const text = safeText(parts.join(separator), context);
    texts.set(key, text);
    return text;
  };
}

function clipped(text: string): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).toWellFormed()}…`;
}
