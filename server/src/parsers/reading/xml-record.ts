/**
 * Owns the way from a small tree of XML to the record that the same format's JSON would hold, so that formats
 * with both spellings are read once. Must never be given a whole document.
 */
import type { JsonRecord } from './json.ts';
import type { XmlElement } from './xml.ts';

/**
 * Elements named in `lists` are lists of their children. A leaf without attributes is its text. Anything else is
 * a record of its attributes and children by name, the first of each name; its own text stands under `value`.
 */
export function recordOf(element: XmlElement, lists: ReadonlySet<string>): unknown {
  if (lists.has(element.name)) return element.children.map((child) => recordOf(child, lists));
  const text = element.text.trim();
  if (element.children.length === 0 && element.attributes.size === 0) return text;
  // Without a prototype, `__proto__` is a name like any other.
  const record: Record<string, unknown> = Object.create(null);
  for (const [name, value] of element.attributes) record[name] = value;
  for (const child of element.children) record[child.name] ??= recordOf(child, lists);
  if (text !== '') record.value ??= text;
  return record satisfies JsonRecord;
}
