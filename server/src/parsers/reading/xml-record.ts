/**
 * Turns a small XML tree into the record that the same format's JSON would hold, so that formats with both encodings
 * are read once. It must never get a whole document.
 */
import type { JsonRecord } from './json.ts';
import type { XmlElement } from './xml.ts';

/**
 * An element named in `lists` becomes a list of its children. A leaf without attributes becomes its text. Anything else
 * becomes a record of its attributes and children by name, the first of each name, with its own text under `value`.
 */
export function recordOf(element: XmlElement, lists: ReadonlySet<string>): unknown {
  if (lists.has(element.name)) return element.children.map((child) => recordOf(child, lists));
  const text = element.text.trim();
  if (element.children.length === 0 && element.attributes.size === 0) return text;
  // Without a prototype, `__proto__` is an ordinary key.
  const record: Record<string, unknown> = Object.create(null);
  for (const [name, value] of element.attributes) record[name] = value;
  for (const child of element.children) record[child.name] ??= recordOf(child, lists);
  if (text !== '') record.value ??= text;
  return record satisfies JsonRecord;
}
