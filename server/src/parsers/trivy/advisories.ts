/**
 * The texts of Trivy's advisories, which a report repeats for each package. They are checked and kept once, as long as
 * all rows say the same.
 */
import { field, type JsonRecord, stringAt, stringsAt } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { safeLinks, safeText, safeTitle } from '../reading/text.ts';

export interface Advisory {
  /** The same string for all rows, which compares faster. */
  id: string;
  /** Null if the report gives none. */
  title: string | null;
  description: string | null;
  links: string[];
}

const fields = ['Title', 'Description', 'PrimaryURL', 'References'] as const;

/** Limits the advisories that are remembered, to bound the memory beside the report. */
const maxKnown = 20_000;

export class Advisories {
  readonly #known = new Map<string, { fields: unknown[]; advisory: Advisory }>();

  get(id: string, record: JsonRecord, context: ParseContext): Advisory {
    const known = this.#known.get(id);
    if (known !== undefined && isSaidBy(record, known.fields)) return known.advisory;
    const title = stringAt(record, 'Title');
    const advisory = {
      id: known?.advisory.id ?? id,
      title: title === null ? null : safeTitle(title, context) || id,
      description: safeText(stringAt(record, 'Description'), context),
      links: safeLinks([stringAt(record, 'PrimaryURL'), ...stringsAt(record, 'References')]),
    };
    if (this.#known.size < maxKnown || known !== undefined) {
      this.#known.set(id, { fields: fields.map((key) => field(record, key)), advisory });
    }
    return advisory;
  }
}

function isSaidBy(record: JsonRecord, known: unknown[]): boolean {
  return fields.every((key, index) => isEqual(field(record, key), known[index]));
}

function isEqual(a: unknown, b: unknown): boolean {
  if (a === b || !Array.isArray(a) || !Array.isArray(b)) return a === b;
  return a.length === b.length && a.every((value, index) => value === b[index]);
}
